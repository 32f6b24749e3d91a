// Common parts of tests of the whole window: a host without a display, keys, pictures.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/window/gui_to_svg.h"
#include "app/window/host_offscreen.h"
#include "tests/app/sample_trace.h"

namespace weft::app::testing {

// The text that ImGui wrote in the last frame, as SVG: names appear as ">name<".
inline std::string shown_text(OffscreenHost& host) {
  render::SvgPage page(host.width(), host.height());
  add_gui(*ImGui::GetDrawData(), host.gui().fonts(), page);
  return page.document();
}

struct ShownText {
  float x = 0, y = 0, size_px = 0;  // of its base line
};
// The place of a text that begins so; nullopt: nowhere.
inline std::optional<ShownText> find_text(OffscreenHost& host, const std::string& text) {
  const std::string page = shown_text(host);
  const size_t found = page.find(">" + text);
  if (found == std::string::npos) return std::nullopt;
  const size_t at = page.rfind("<text", found);
  const auto number = [&](const char* attribute) {
    const size_t begin = page.find(attribute, at);
    return begin > found ? 0 : std::strtof(page.c_str() + begin + std::strlen(attribute), nullptr);
  };
  return ShownText{number(" x=\""), number(" y=\""), number(" font-size=\"")};
}

class OffscreenTest : public ::testing::Test {
 protected:
  static OffscreenHost::Options sized(int width, int height) {
    OffscreenHost::Options options;
    options.width = width;
    options.height = height;
    return options;
  }
  // A start that reads and keeps the user's files.
  OffscreenHost::Options lasting(int width, int height) const {
    OffscreenHost::Options options = sized(width, height);
    options.config_folder = folder_.path() / "config";
    options.state_folder = folder_.path() / "state";
    options.reopens = true;
    return options;
  }
  // Anew where there is a host; skips the test where there is no offscreen OpenGL.
  void start(const OffscreenHost::Options& options, Journal journal = {}) {
    host_.reset();
    auto host = OffscreenHost::create(options, std::move(journal));
    if (!host) GTEST_SKIP() << host.error().message;
    host_ = std::move(*host);
  }
  void open_sample() {
    ASSERT_TRUE(host_->open(write_sample(folder_.path())));
    ASSERT_TRUE(host_->settle());
  }
  Status run(const std::string& name, Json args = Json::object()) {
    return host_->workbench().run({name, std::move(args)});
  }
  // False: there is nothing to undo.
  bool undo() { return session().undo_step() && run("view.undo"); }
  void press(const std::string& chord) {
    Input input;
    input.chords = {chord};
    host_->frame(input);
    host_->frame();
  }
  void type(const char* text) {
    host_->frame();
    ImGui::GetIO().AddInputCharactersUTF8(text);
    host_->frame();
    host_->frame();
  }
  // A frame with the pointer there.
  void at(float x, float y, bool is_down = false, float wheel = 0) {
    Pointer pointer{.x = x, .y = y};
    pointer.is_down = is_down;
    pointer.wheel = wheel;
    host_->frame({}, pointer);
  }
  // A press here, in a few steps to there, and a release.
  void drag(float x0, float y0, float x1, float y1) {
    at(x0, y0);
    at(x0, y0, true);
    for (int i = 1; i <= 5; ++i) {
      const float t = static_cast<float>(i) / 5;
      at(x0 + t * (x1 - x0), y0 + t * (y1 - y0), true);
    }
    at(x1, y1);
    at(x1, y1);
  }
  // A press and a release, seen by a frame more.
  void click(float x, float y, bool is_right = false) {
    Pointer pointer{.x = x, .y = y};
    for (const bool is_down : {false, true, false}) {
      (is_right ? pointer.is_right_down : pointer.is_down) = is_down;
      host_->frame({}, pointer);
    }
    host_->frame({}, pointer);
  }
  // Clicks on a text that is shown.
  void click_on(const std::string& text) {
    const auto at = find_text(text);
    ASSERT_TRUE(at) << text;
    click(at->x + 3, at->y - 3);
  }
  // A key of text fields; those of our own are chords.
  void key(ImGuiKey key) {
    for (const bool is_down : {true, false}) {
      set_key(key, is_down);
      host_->frame();
    }
    host_->frame();
  }
  // What a keyboard does: ImGui sees the key, too.
  void press_escape() {
    set_key(ImGuiKey_Escape, true);
    Input input;
    input.chords = {"Escape"};
    host_->frame(input);
    set_key(ImGuiKey_Escape, false);
  }
  // A picture of the complete frame; WEFT_PICTURES=folder keeps it, for people to look at.
  render::Image picture(const char* name) {
    EXPECT_TRUE(host_->settle());
    const render::Image image = host_->picture();
    if (const char* keep = std::getenv("WEFT_PICTURES")) {
      EXPECT_TRUE(write_png(image, std::filesystem::path(keep) / name));
    }
    return image;
  }
  std::string shown_text() { return testing::shown_text(*host_); }
  std::optional<ShownText> find_text(const std::string& text) {
    return testing::find_text(*host_, text);
  }
  const Session& session() const { return host_->workbench().session(); }
  static void set_key(ImGuiKey key, bool is_down) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    io.AddKeyEvent(key, is_down);
#else
    io.KeyMap[key] = static_cast<int>(key) + 1;
    io.KeysDown[io.KeyMap[key]] = is_down;
#endif
  }

  ScratchFolder folder_;
  std::unique_ptr<OffscreenHost> host_;
};

}  // namespace weft::app::testing

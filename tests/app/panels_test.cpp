// Every panel, of every trace, at every size, in both themes: it draws, settles and is not blank.
// covers FS-22, B-12
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "app/session/panel_kinds.h"
#include "app/window/host_offscreen.h"
#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

struct Case {
  std::string name;
  std::filesystem::path (*write)(const std::filesystem::path&);
  int width, height;
  std::string theme;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& [trace, write] : {std::pair("Empty", &testing::write_empty_trace),
                                     std::pair("OneEvent", &testing::write_one_event),
                                     std::pair("Sample", &testing::write_sample)}) {
    for (const auto& [width, height] : {std::pair(400, 300), std::pair(1920, 1080)}) {
      for (const std::string theme : {"dark", "light"}) {
        all.push_back(
            {std::string(trace) + std::to_string(width) + theme, write, width, height, theme});
      }
    }
  }
  return all;
}

size_t color_count(const render::Image& image) {
  return std::set<uint32_t>(image.pixels.begin(), image.pixels.end()).size();
}

class Panels : public ::testing::TestWithParam<Case> {
 protected:
  testing::ScratchFolder folder_;
};

TEST_P(Panels, DrawEveryTrace) {
  const Case& c = GetParam();
  OffscreenHost::Options options;
  options.width = c.width;
  options.height = c.height;
  const auto host = OffscreenHost::create(options);
  if (!host) GTEST_SKIP() << host.error().message;
  Workbench& workbench = (*host)->workbench();
  ASSERT_TRUE((*host)->open(c.write(folder_.path())));
  ASSERT_TRUE(workbench.run({"theme", {{"name", c.theme}}}));

  std::vector<std::string> panels = {""};  // the whole workbench
  for (const PanelKind& kind : panel_kinds()) panels.emplace_back(kind.id);
  for (const std::string& panel : panels) {
    workbench.show_only(panel);
    const Status settled = (*host)->settle();
    ASSERT_TRUE(settled) << panel << ": " << settled.error().message;
    const render::Image image = (*host)->picture();
    EXPECT_EQ(image.width, c.width);
    EXPECT_GE(color_count(image), 8u) << panel;  // text is drawn at least
    // For people: WEFT_PICTURES=folder keeps what was drawn.
    if (const char* keep = std::getenv("WEFT_PICTURES")) {
      const std::string name = c.name + (panel.empty() ? "" : "-" + panel) + ".png";
      ASSERT_TRUE(write_png(image, std::filesystem::path(keep) / name));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Traces, Panels, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

TEST(Workbench, DrawsWithoutAnyTrace) {
  const auto host = OffscreenHost::create({});
  if (!host) GTEST_SKIP() << host.error().message;
  ASSERT_TRUE((*host)->settle());
  EXPECT_GE(color_count((*host)->picture()), 8u);
}

TEST(Workbench, DrawsTheSamePictureTwice) {
  testing::ScratchFolder folder;
  const auto host = OffscreenHost::create({});
  if (!host) GTEST_SKIP() << host.error().message;
  ASSERT_TRUE((*host)->open(testing::write_sample(folder.path())));
  ASSERT_TRUE((*host)->settle());
  const render::Image first = (*host)->picture();
  ASSERT_TRUE((*host)->workbench().run({"view.zoom", {{"factor", 3}}}));
  ASSERT_TRUE((*host)->settle());
  EXPECT_NE((*host)->picture().pixels, first.pixels);
  ASSERT_TRUE((*host)->workbench().run({"view.undo"}));
  ASSERT_TRUE((*host)->settle());
  EXPECT_EQ((*host)->picture().pixels, first.pixels);
}

TEST(Workbench, ShowsEveryDialog) {
  testing::ScratchFolder folder;
  const auto host = OffscreenHost::create({});
  if (!host) GTEST_SKIP() << host.error().message;
  ASSERT_TRUE((*host)->open(testing::write_sample(folder.path())));
  ASSERT_TRUE((*host)->settle());
  const render::Image before = (*host)->picture();
  for (const char* command : {"messages.show", "help.show", "open.ask"}) {
    ASSERT_TRUE((*host)->workbench().run({command, {{"shown", true}}}));
    ASSERT_TRUE((*host)->settle());
    EXPECT_NE((*host)->picture().pixels, before.pixels) << command;
    if (const char* keep = std::getenv("WEFT_PICTURES")) {
      ASSERT_TRUE(write_png((*host)->picture(),
                            std::filesystem::path(keep) / (std::string(command) + ".png")));
    }
    ASSERT_TRUE((*host)->workbench().run({command, {{"shown", false}}}));
  }
}

TEST(Workbench, KeepsSeveralTraces) {
  testing::ScratchFolder folder;
  const auto host = OffscreenHost::create({});
  if (!host) GTEST_SKIP() << host.error().message;
  ASSERT_TRUE((*host)->open(testing::write_sample(folder.path())));
  ASSERT_TRUE((*host)->settle());
  const render::Image sample = (*host)->picture();
  ASSERT_TRUE((*host)->open(testing::write_one_event(folder.path())));
  ASSERT_TRUE((*host)->settle());
  EXPECT_EQ((*host)->workbench().session().traces.size(), 2u);
  EXPECT_NE((*host)->picture().pixels, sample.pixels);
  ASSERT_TRUE((*host)->workbench().run({"close"}));
  ASSERT_TRUE((*host)->settle());
  EXPECT_EQ((*host)->picture().pixels, sample.pixels);
}

}  // namespace
}  // namespace weft::app

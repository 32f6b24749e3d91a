// covers B-18, B-25, B-26, B-29, FS-54, XC-31: the frame that panels live in, driven as a user does
#include <gmock/gmock.h>

#include <fstream>

#include "app/session/pinned_scope.h"
#include "app/session/trace_model.h"
#include "app/window/file_dialog.h"
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

constexpr int kComfortWidth = 1000;
constexpr int kComfortHeight = 700;

class Comfort : public testing::OffscreenTest {
 protected:
  void SetUp() override { start(); }
  void start() { OffscreenTest::start(lasting(kComfortWidth, kComfortHeight)); }
};

TEST_F(Comfort, ThePaletteRunsWhatIsTyped) {
  open_sample();
  press("Ctrl+Shift+P");
  ASSERT_TRUE(session().dialogs.shows_palette);
  type("dark or li");
  (void)picture("palette.png");
  press("Enter");
  EXPECT_FALSE(session().dialogs.shows_palette);
  EXPECT_EQ(session().look.theme, layout::Theme::kLight);
}

TEST_F(Comfort, ThePaletteAsksForArguments) {
  open_sample();
  press("Ctrl+Shift+P");
  type("view.zoom");
  press("Enter");
  EXPECT_TRUE(session().dialogs.shows_palette);
  const double before = session().trace()->view().window.length;
  type("factor=4");
  (void)picture("palette-arguments.png");
  press("Enter");
  EXPECT_FALSE(session().dialogs.shows_palette);
  EXPECT_NEAR(session().trace()->view().window.length, before / 4, 1);
}

TEST_F(Comfort, TabAsksForArgumentsOfWhatRunsWithout) {
  open_sample();
  press("Ctrl+Shift+P");
  type("Cut out empty time");
  press("Tab");
  host_->frame();
  type("longer_than=3us where=\"type != idle\"");
  (void)picture("palette-tab.png");
  press("Enter");
  EXPECT_FALSE(session().dialogs.shows_palette);
  ASSERT_TRUE(session().trace()->cut_rule());
  EXPECT_EQ(session().trace()->cut_rule()->least, Duration{3'000});
  EXPECT_EQ(session().trace()->cut_rule()->where, "type != idle");

  // What a choice stands for is typed already.
  press("Ctrl+Shift+P");
  type("1 thread 0");
  press("Tab");
  host_->frame();
  EXPECT_TRUE(shown_text().contains("lane=")) << shown_text();
}

// covers B-10: a lane among many is found by a part of its name
TEST_F(Comfort, ThePaletteGoesToALane) {
  open_sample();
  ASSERT_TRUE(run("row_height", {{"px", 60}}));
  ASSERT_TRUE(host_->settle());
  ASSERT_EQ(session().trace()->view().scroll_px, 0);
  press("Ctrl+Shift+P");
  type("1 thread 0");
  EXPECT_TRUE(shown_text().contains(">Lane: process 1/thread 0<")) << shown_text();
  (void)picture("palette-lane.png");
  press("Enter");
  EXPECT_FALSE(session().dialogs.shows_palette);
  ASSERT_TRUE(host_->settle());
  EXPECT_GT(session().trace()->view().scroll_px, 100) << "it is at the top now";
}

// The times on the ruler can be typed, wherever the trace's own clock begins.
TEST_F(Comfort, GoesToTheTimeThatTheRulerShows) {
  const auto path = folder_.path() / "late.json";
  std::ofstream(path)
      << R"([{"ph":"X","pid":1,"tid":1,"name":"work","ts":7000000,"dur":5000000000}])";
  ASSERT_TRUE(host_->open(path));
  const OpenTrace& trace = *session().trace();
  const TimeBase base = trace.time_base();
  ASSERT_EQ(trace.range().begin, Time{7 * ticks_per_second(base)});
  // The middle of the window, in seconds from the trace's begin.
  const auto goes_to = [&](const char* text) {
    EXPECT_TRUE(run("view.set", {{"from", "0%"}, {"to", "1%"}}));
    press("Ctrl+G");
    type(text);
    key(ImGuiKey_Enter);
    const TimeRange shown = trace.view().window.range();
    const auto ticks = static_cast<double>((shown.begin - trace.range().begin).ticks +
                                           (shown.end - trace.range().begin).ticks);
    return ticks / 2 / static_cast<double>(ticks_per_second(base));
  };
  EXPECT_NEAR(goes_to("0:50:00"), 3000, 1);
  EXPECT_NEAR(goes_to("3000s"), 3000, 1);
  EXPECT_NEAR(goes_to("+3000s"), 3000, 1);
  EXPECT_NEAR(goes_to("60%"), 3000, 1);
  EXPECT_NEAR(goes_to(std::to_string(3000 * ticks_per_second(base)).c_str()), 2993, 1);
  ASSERT_TRUE(run("set", {{"name", "time_origin"}, {"value", "clock"}}));
  EXPECT_NEAR(goes_to("3000s"), 2993, 1);
}

TEST_F(Comfort, AClickOutsideThePaletteClosesItAndDoesNothingElse) {
  open_sample();
  const TimeWindow before = session().trace()->view().window;
  press("Ctrl+Shift+P");
  at(700, 600, false);
  for (const float x : {700.0F, 720.0F, 760.0F}) at(x, 600, true);
  at(760, 600, false);
  EXPECT_FALSE(session().dialogs.shows_palette);
  EXPECT_EQ(session().trace()->view().window, before);
  EXPECT_FALSE(session().trace()->selection);
  EXPECT_FALSE(session().trace()->element());
  press("Ctrl+Shift+P");
  at(500, 90, true);  // into it
  at(500, 90, false);
  host_->frame();
  EXPECT_TRUE(session().dialogs.shows_palette);
}

TEST_F(Comfort, TheStatusBarLeavesOutWhatHasNoRoom) {
  const auto text_at = [&](int width) {
    OffscreenTest::start(sized(width, 300));
    EXPECT_TRUE(host_->open(testing::write_one_event(folder_.path())));
    EXPECT_TRUE(host_->settle());
    return shown_text();
  };
  const std::string wide = text_at(640), narrow = text_at(130), narrowest = text_at(60);
  EXPECT_TRUE(wide.contains(">shown: ") && wide.contains(">ticks of 1 ns<"));
  EXPECT_TRUE(narrow.contains(">shown: "));
  EXPECT_FALSE(narrow.contains("ticks of "));
  EXPECT_FALSE(narrowest.contains("shown: "));
}

TEST_F(Comfort, AMenuAsksForTheNameOfALayoutInThePalette) {
  open_sample();
  EXPECT_FALSE(run("palette.show", {{"asks", "nothing.such"}}));
  ASSERT_TRUE(run("palette.show", {{"asks", "layout.save"}}));
  host_->frame();
  type("two words");
  (void)picture("palette-layout.png");
  press("Enter");
  EXPECT_FALSE(session().dialogs.shows_palette);
  EXPECT_TRUE(session().desk.saved_layouts.contains("two words"));
  ASSERT_TRUE(run("palette.show", {{"asks", "layout.save"}}));
  host_->frame();
  host_->frame();
  at(500, 110, true);  // into the question
  at(500, 110, false);
  host_->frame();
  EXPECT_TRUE(session().dialogs.shows_palette);
  at(500, 250, true);  // below it: it is not a higher than what it says
  at(500, 250, false);
  host_->frame();
  EXPECT_FALSE(session().dialogs.shows_palette);
  press("Ctrl+Shift+P");  // lists commands again
  type("dark or li");
  press("Enter");
  EXPECT_EQ(session().look.theme, layout::Theme::kLight);
}

// Whoever types faster than frames are drawn gets what was typed, not what was listed before.
TEST_F(Comfort, EnterWaitsForTheLettersBeforeIt) {
  open_sample();
  ASSERT_TRUE(host_->settle());
  for (const bool is_at_once : {false, true}) {
    const layout::Theme before = session().look.theme;
    Input open;
    open.chords = {"Ctrl+Shift+P"};
    Input enter;
    enter.chords = {"Enter"};
    if (is_at_once) open.chords.push_back("Enter");
    if (is_at_once) ImGui::GetIO().AddInputCharactersUTF8("dark or li");
    host_->frame(open);
    if (!is_at_once) ImGui::GetIO().AddInputCharactersUTF8("dark or li");
    host_->frame(is_at_once ? Input() : enter);
    for (int i = 0; i < 8; ++i) host_->frame();
    EXPECT_FALSE(session().dialogs.shows_palette);
    EXPECT_NE(session().look.theme, before);
  }
}

TEST_F(Comfort, TheQuestionMarkShowsTheKeys) {
  press("?");
  EXPECT_TRUE(session().dialogs.shows_help);
  (void)picture("keys.png");
  press("Escape");
  EXPECT_FALSE(session().dialogs.shows_help);
}

TEST_F(Comfort, TheFileDialogFindsAFileByItsLetters) {
  const auto sample = testing::write_sample(folder_.path());
  std::ofstream(folder_.path() / "other.txt") << "x";
  ASSERT_TRUE(run("open.ask"));
  host_->frame();
  // A letter a frame, as quick fingers do: none is lost where a folder is entered.
  host_->frame();
  for (const char letter : folder_.path().string() + "/") {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
    host_->frame();
  }
  (void)picture("open.png");
  type(sample.stem().string().c_str());
  ASSERT_TRUE(host_->settle());
  press("Enter");
  EXPECT_FALSE(session().dialogs.shows_open_dialog);
  ASSERT_EQ(session().traces.size(), 1u);
  EXPECT_EQ(session().traces[0]->path().filename(), sample.filename());
  ASSERT_TRUE(host_->workbench().wait_until_loaded());
  host_->frame();
  ASSERT_FALSE(session().recent.files.empty());
  EXPECT_EQ(session().recent.files[0].filename(), sample.filename());
}

// Its folder is read by a worker, which may take a while; what is pressed meanwhile is not lost.
TEST_F(Comfort, APathThatIsTypedAtOnceIsOpenedByTheEnterBehindIt) {
  std::filesystem::create_directory(folder_.path() / "sub");
  const auto sample = testing::write_sample(folder_.path() / "sub");
  ASSERT_TRUE(run("open.ask"));
  ASSERT_TRUE(host_->settle());
  ImGui::GetIO().AddInputCharactersUTF8(sample.c_str());
  Input enter;
  enter.chords = {"Enter"};
  host_->frame(enter);
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(session().dialogs.shows_open_dialog);
  ASSERT_EQ(session().traces.size(), 1u);
  EXPECT_EQ(session().traces[0]->path().filename(), sample.filename());
}

TEST_F(Comfort, AFolderThatIsTypedIsEnteredAndNothingOfItOpened) {
  const auto sample = testing::write_sample(folder_.path());
  ASSERT_TRUE(run("open.ask"));
  host_->frame();
  host_->frame();
  type((folder_.path().string() + "/").c_str());
  ASSERT_TRUE(host_->settle());
  press("Enter");
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(session().dialogs.shows_open_dialog);
  EXPECT_TRUE(session().traces.empty());
  (void)picture("open-folder-typed.png");
  press("Down");
  press("Enter");
  ASSERT_EQ(session().traces.size(), 1u);
  EXPECT_EQ(session().traces[0]->path().filename(), sample.filename());
}

// covers FS-11
TEST_F(Comfort, TheMenuOfAPanelWithoutATabOpensAtItsTopRight) {
  open_sample();
  const float x = kComfortWidth - 19;
  bool is_open = false;
  for (float y = 30; y < 300 && !is_open; y += 8) {
    for (const bool is_down : {false, true, true, true, false, false}) at(x, y, is_down);
    is_open = shown_text().contains(">Show its range in<");
  }
  EXPECT_TRUE(is_open);
  EXPECT_TRUE(shown_text().contains(">Split right<"));
}

// covers B-18
TEST_F(Comfort, EscapeEndsGoToWhileItIsTypedInto) {
  open_sample();
  ASSERT_TRUE(run("view.go.ask"));
  type("1");
  key(ImGuiKey_Escape);
  EXPECT_FALSE(session().dialogs.shows_go_to);
}

// covers B-18
TEST_F(Comfort, EscapeEndsGoToBeforeItCanBeTypedInto) {
  open_sample();
  Input keys;
  keys.chords = {"Ctrl+G"};
  host_->frame(keys);
  press_escape();
  host_->frame();
  EXPECT_FALSE(session().dialogs.shows_go_to);
}

// covers B-18
TEST_F(Comfort, TabLeadsThroughTheFieldsOfGoToToItsButton) {
  open_sample();
  ASSERT_TRUE(run("view.set", {{"from", 20'000}, {"to", 40'000}}));
  ASSERT_TRUE(run("view.go.ask"));
  ASSERT_TRUE(host_->settle());
  for (int i = 0; i < 4; ++i) key(ImGuiKey_Tab);
  (void)picture("go-to-tab.png");
  ASSERT_TRUE(session().dialogs.shows_go_to);
  key(ImGuiKey_Space);
  EXPECT_FALSE(session().dialogs.shows_go_to);
}

// covers FS-21
TEST_F(Comfort, GoToTakesALengthInPlaceOfAnEnd) {
  open_sample();
  ASSERT_TRUE(run("view.set", {{"from", 20'000}, {"to", 40'000}}));
  const auto go_for = [&](const char* length) {
    ASSERT_TRUE(run("view.go.ask"));
    ASSERT_TRUE(host_->settle());
    for (int i = 0; i < 3; ++i) key(ImGuiKey_Tab);
    type(length);
    key(ImGuiKey_Enter);
  };
  const auto shown = [&] { return session().trace()->view().window.range(); };
  go_for("2.5us");
  EXPECT_FALSE(session().dialogs.shows_go_to);
  EXPECT_EQ(shown(), (TimeRange{{20'000}, {22'500}}));
  go_for("1parsec");
  EXPECT_TRUE(session().dialogs.shows_go_to);
  EXPECT_EQ(shown(), (TimeRange{{20'000}, {22'500}}));
}

// covers B-27
TEST_F(Comfort, TheRangeToGoToIsSaidAsTheRulerSaysIt) {
  open_sample();
  ASSERT_TRUE(run("view.set", {{"from", 20'007}, {"to", 40'000}}));
  const TimeWindow before = session().trace()->view().window;
  ASSERT_TRUE(run("view.go.ask"));
  (void)picture("go-to.png");
  EXPECT_TRUE(shown_text().contains(">20.007 µs<")) << shown_text();
  const auto go = find_text("Go<");
  ASSERT_TRUE(go);
  at(go->x + 2, go->y - 4, false);
  at(go->x + 2, go->y - 4, true);
  at(go->x + 2, go->y - 4, false);
  host_->frame();
  EXPECT_FALSE(session().dialogs.shows_go_to);
  EXPECT_EQ(session().trace()->view().window, before);
}

// covers FS-11
TEST_F(Comfort, ThePaletteAsksInWhichPanelTheRangeIsToBeShown) {
  open_sample();
  press("Ctrl+Shift+P");
  type("show the range of a panel");
  press("Enter");
  ASSERT_TRUE(session().dialogs.shows_palette);
  type("events");
  press("Enter");
  EXPECT_FALSE(session().dialogs.shows_palette);
  EXPECT_TRUE(session().desk.layout.first_of("events"));
}

TEST_F(Comfort, ThePaletteBeginsWithWhatWasDoneLast) {
  open_sample();
  ASSERT_TRUE(run("lane.collapse_all"));
  ASSERT_TRUE(run("theme"));
  press("Ctrl+Shift+P");
  (void)picture("palette-recent.png");
  const auto theme = find_text("Dark or light"), fold = find_text("Fold all lanes");
  const auto first = find_text("Select an element");
  ASSERT_TRUE(theme && fold);
  EXPECT_LT(theme->y, fold->y);
  EXPECT_FALSE(first) << "what asks for arguments comes last";
}

// covers FS-18: as where the window has shrunk since
TEST_F(Comfort, ADialogThatLiesOffThePictureComesBack) {
  open_sample();
  const auto pixels = [&] { return picture("dialog.png").pixels; };
  const auto nothing = pixels();
  for (const auto& [command, title] :
       {std::pair("help.show", "Keys and mouse"), std::pair("view.go.ask", "Go to")}) {
    ASSERT_TRUE(run(command, {{"shown", true}}));
    host_->frame();
    ImGui::SetWindowPos(title, {5000, 5000});
    EXPECT_NE(pixels(), nothing) << command;
    ASSERT_TRUE(run(command, {{"shown", false}}));
  }
}

TEST_F(Comfort, TheFileDialogOpensSeveralFilesAtOnce) {
  for (const char* name : {"a.json", "b.json", "c.json", "d.json"})
    std::ofstream(folder_.path() / name) << "[]";
  ASSERT_TRUE(run("open.ask"));
  host_->frame();
  host_->frame();
  type((folder_.path().string() + "/").c_str());
  ASSERT_TRUE(host_->settle());
  const auto click = [&](const std::string& name, bool shift, bool control) {
    const std::string page = shown_text();
    const size_t found = page.find(">" + name + "<");
    ASSERT_NE(found, std::string::npos) << name;
    const size_t text = page.rfind("<text", found);
    const auto number = [&](const char* attribute) {
      return std::strtof(page.c_str() + page.find(attribute, text) + 3, nullptr);
    };
    Pointer pointer;
    pointer.x = number("x=\"") + 4;
    pointer.y = number("y=\"") - 3;  // its base line
    pointer.shift = shift;
    pointer.control = control;
    host_->frame({}, pointer);
    pointer.is_down = true;
    host_->frame({}, pointer);
    pointer.is_down = false;
    host_->frame({}, pointer);
    host_->frame({}, pointer);
  };
  click("b.json", false, false);
  click("d.json", /*shift=*/true, false);
  click("c.json", false, /*control=*/true);
  press("Enter");
  std::vector<std::string> opened;
  for (const auto& trace : session().traces) opened.push_back(trace->path().filename());
  EXPECT_THAT(opened, ::testing::ElementsAre("b.json", "d.json"));
}

TEST_F(Comfort, FoldersAreListedWithFoldersFirst) {
  std::filesystem::create_directory(folder_.path() / "z folder");
  std::ofstream(folder_.path() / "a file") << "12345";
  const FolderListing listing = list_folder(folder_.path());
  ASSERT_EQ(listing.entries.size(), 2u);
  EXPECT_TRUE(listing.entries[0].is_folder);
  EXPECT_EQ(listing.entries[1].size_bytes, 5u);
  EXPECT_FALSE(list_folder(folder_.path() / "missing").error.empty());
}

TEST_F(Comfort, EverythingGrowsAndShrinks) {
  open_sample();
  const render::Image before = host_->picture();
  press("Ctrl+=");
  EXPECT_GT(session().look.font_scale, 1);
  ASSERT_TRUE(host_->settle());
  EXPECT_NE(host_->picture().pixels, before.pixels);
  press("Ctrl+0");
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(host_->picture().pixels, before.pixels);
  for (const double scale : {0.5, 3.0}) {
    ASSERT_TRUE(run("set", {{"name", "font_scale"}, {"value", scale}}));
    (void)picture(scale < 1 ? "small.png" : "large.png");
  }
}

TEST_F(Comfort, TheNextStartLooksLikeTheLastEnd) {
  open_sample();
  ASSERT_TRUE(run("panel.duplicate", {{"panel", "gantt"}, {"side", "right"}}));
  ASSERT_TRUE(run("view.set", {{"from", 20'000}, {"to", 40'000}}));
  ASSERT_TRUE(run("lane.toggle", {{"lane", 0u}}));
  ASSERT_TRUE(host_->settle());
  const render::Image before = host_->picture();
  start();
  ASSERT_TRUE(host_->workbench().wait_until_loaded());
  ASSERT_TRUE(host_->settle());
  ASSERT_EQ(session().traces.size(), 1u);
  EXPECT_EQ(session().trace()->view().window.range(), (TimeRange{{20'000}, {40'000}}));
  EXPECT_EQ(host_->picture().pixels, before.pixels);
}

TEST_F(Comfort, WhatStandsAgainAndAgainIsMarkedInTheOverviewToo) {
  open_sample();
  host_->workbench().show_only("overview");
  ASSERT_TRUE(run("marker.add", {{"at", 5'000}, {"name", "period"}}));
  const render::Image once = picture("marker-once.png");
  const uint32_t id = session().trace()->markers.all()[0].id;
  const auto columns_changed = [&](const render::Image& now) {
    size_t columns = 0;
    const int y = now.height / 2;
    for (int x = 0; x < now.width; ++x) {
      const auto at = static_cast<size_t>(y * now.width + x);
      columns += now.pixels[at] != once.pixels[at] ? 1 : 0;
    }
    return columns;
  };
  ASSERT_TRUE(run("marker.change", {{"id", id}, {"every", 10'000}}));
  const size_t lines = columns_changed(picture("marker-again.png"));
  EXPECT_GE(lines, 8u);
  EXPECT_LE(lines, 20u);
  ASSERT_TRUE(run("marker.change", {{"id", id}, {"every", 100}}));
  EXPECT_EQ(columns_changed(picture("marker-dense.png")), 0u) << "a strip says so";
}

TEST_F(Comfort, TheWelcomeOffersRecentFiles) {
  open_sample();
  ASSERT_TRUE(run("close"));
  (void)picture("welcome.png");
  const auto line = find_text("sample");
  ASSERT_TRUE(line);
  for (const bool is_down : {false, true, false, false}) at(line->x + 3, line->y - 3, is_down);
  EXPECT_EQ(session().traces.size(), 1u);
}

}  // namespace
}  // namespace weft::app

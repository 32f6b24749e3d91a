// The program as somebody finds it who has never seen it: menus, titles and buttons that say what
// they do, driven by a mouse. covers B-25, FS-29
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <vector>

#include "core/store/builder.h"
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

constexpr float kFirstRow = 26 + 22 + 9;  // of the timeline: below the ruler and a process's name

class FirstUse : public testing::OffscreenTest {
 protected:
  void SetUp() override { start(sized(1240, 800)); }
  Area area_of(const char* panel) {
    EXPECT_TRUE(host_->settle());
    return host_->workbench().place_of(panel).value();
  }
  // The commands run by an entry of a menu opened by a right click.
  std::vector<std::string> commands_of(float x, float y, const std::string& entry) {
    click(x, y, /*is_right=*/true);
    const size_t before = session().journal.size();
    click_on(entry);
    std::vector<std::string> commands;
    for (size_t i = before; i < session().journal.size(); ++i)
      commands.push_back(session().journal[i].command);
    EXPECT_TRUE(host_->settle());
    return commands;
  }
};

// covers FS-48, C-09
TEST_F(FirstUse, WhatHappensAtTheEndsOfATraceIsSeen) {
  for (uint64_t begin = 1'000'001; begin < 1ull << 50; begin *= 19) {
    start(sized(700, 400));
    const auto file = folder_.path() / "ends.json";
    std::ofstream out(file);
    for (const uint64_t at : {begin, begin + 10, begin + 1'028'027'900, begin + 1'028'027'911})
      out << fmt::format(R"({}{{"ph":"i","name":"x","pid":1,"tid":1,"ts":{}.{:03}}})",
                         at == begin ? '[' : ',', at / 1000, at % 1000);
    out.close();
    ASSERT_TRUE(host_->open(file));
    host_->workbench().show_only("gantt");
    const Area area = area_of("gantt");
    const render::Image image = host_->picture();
    const auto is_coloured = [&](float from) {
      for (int x = static_cast<int>(from); x < static_cast<int>(from) + 12; ++x) {
        for (int y = 30; y < 200; ++y) {
          const render::Color c = image.at(x, y);
          const auto [least, most] = std::minmax({c & 0xFF, c >> 8 & 0xFF, c >> 16 & 0xFF});
          if (most - least > 60) return true;
        }
      }
      return false;
    };
    EXPECT_TRUE(is_coloured(area.x0 + static_cast<float>(session().look.gutter_px))) << begin;
    EXPECT_TRUE(is_coloured(area.x1 - 12)) << begin;
  }
}

// A window of a few ticks begins within one, whose mark would stand among the lanes' names.
TEST_F(FirstUse, TheRulerOfAShortTraceBeginsWhereItsAxisDoes) {
  const auto file = folder_.path() / "instant.json";
  std::ofstream(file) << R"([{"ph":"i","name":"x","pid":1,"tid":1,"ts":0}])";
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(find_text("-1 ns")) << shown_text();
  EXPECT_FALSE(find_text("-2 ns"));
}

TEST_F(FirstUse, AnEmptyWindowHasAButtonThatOpensFiles) {
  ASSERT_TRUE(host_->settle());
  click_on("Open…");
  EXPECT_TRUE(session().dialogs.shows_open_dialog);
}

TEST_F(FirstUse, AnEmptyWindowHasNoFramesOfPanelsAndSaysHowToBegin) {
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(host_->workbench().place_of("gantt"));
  EXPECT_TRUE(find_text("No trace is open"));
  EXPECT_TRUE(shown_text().contains("Ctrl+O: open a trace"));
  // A panel that needs no trace is shown, and so are the others.
  ASSERT_TRUE(run("panel.open", {{"panel", "console"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(host_->workbench().place_of("gantt"));
}

TEST_F(FirstUse, WhatSeparatesIsOnePixelWide) {
  open_sample();
  ASSERT_TRUE(host_->settle());
  const render::Image image = host_->picture();
  const auto row = [&](int y) { return image.at(620, y); };  // where nothing is written
  const int top = 800 - 26;                                  // of the status bar
  EXPECT_NE(row(top), row(top + 1));
  EXPECT_EQ(row(top + 1), row(top + 4));
}

TEST_F(FirstUse, DialogsOfAFewRowsStandInTheMiddleOfASmallWindow) {
  start(sized(400, 300));
  open_sample();
  ASSERT_TRUE(run("view.go.ask"));
  ASSERT_TRUE(host_->settle());
  const auto title = find_text("Go to");
  ASSERT_TRUE(title);
  EXPECT_LT(title->x, 20);  // 380 of 400 pixels, and a small margin at each side
}

TEST_F(FirstUse, SearchingHasAMenu) {
  open_sample();
  click_on("Find");
  click_on("Find and filter…");
  EXPECT_TRUE(session().dialogs.shows_find);
}

TEST_F(FirstUse, CursorsAndMarkersHaveAMenuThatTellsTheirKeys) {
  open_sample();
  ASSERT_TRUE(run("select.range", {{"from", 1'000}, {"to", 2'000}}));
  click_on("Mark");
  EXPECT_TRUE(find_text("Alt+A"));
  click_on("Cursors A and B around the selection");
  EXPECT_EQ(session().trace()->markers.a(), Time{1'000});
  EXPECT_EQ(session().trace()->markers.b(), Time{2'000});
}

// covers B-02
TEST_F(FirstUse, ViewsAreKeptAndFoundAgainByAMenu) {
  open_sample();
  ASSERT_TRUE(run("view.set", {{"from", 1'000}, {"to", 2'000}}));
  click_on("View");
  click_on("Kept views");
  click_on("Keep this view as 1");
  ASSERT_TRUE(run("view.fit"));
  click_on("View");
  click_on("Kept views");
  click_on("Back to view 1");
  EXPECT_EQ(session().trace()->view().window.range(), (TimeRange{{1'000}, {2'000}}));
}

// covers B-10, FS-59: of several lanes that are selected all are hidden; one comes back by its name
TEST_F(FirstUse, TheMenuOfALaneIsOfAllThatAreSelected) {
  open_sample();
  ASSERT_TRUE(run("select.toggle_lane", {{"lane", 1}}));
  ASSERT_TRUE(run("select.toggle_lane", {{"lane", 4}}));
  ASSERT_TRUE(run("panel.open", {{"panel", "selection"}}));
  ASSERT_TRUE(host_->settle());
  const auto lane = find_text("thread 0");
  ASSERT_TRUE(lane);
  EXPECT_THAT(commands_of(lane->x + 2, lane->y - 4, "Hide 2 selected lanes"),
              ::testing::Contains("lane.hide"));
  const auto hidden = [&] { return session().trace()->arrangement().hidden; };
  EXPECT_EQ(hidden().size(), 2u);
  (void)picture("lanes-hidden.png");
  EXPECT_TRUE(shown_text().contains("all lanes, also 2 hidden")) << shown_text();
  const auto other = find_text("thread 1");
  ASSERT_TRUE(other);
  click(other->x + 2, other->y - 4, /*is_right=*/true);
  click_on("Show again");
  click_on("process 1/thread 0");
  EXPECT_EQ(hidden(), std::unordered_set{LaneId(1)});
}

TEST_F(FirstUse, TheStatusBarSaysWhatIsSelectedAndLeadsToTheInspector) {
  open_sample();
  ASSERT_TRUE(run("element.select", {{"lane", 1},
                                     {"kind", "state"},
                                     {"type", 0},
                                     {"depth", 0},
                                     {"at", 1'000},
                                     {"duration", 2'000}}));
  ASSERT_TRUE(host_->settle());
  ASSERT_FALSE(session().desk.layout.first_of("inspector"));
  click_on("render · 2 µs");
  EXPECT_TRUE(session().desk.layout.first_of("inspector"));
}

TEST_F(FirstUse, TheRulerAndTheGroundOfTheTimelineHaveAMenu) {
  open_sample();
  ASSERT_TRUE(run("view.set", {{"from", 0}, {"to", 10'000}}));
  const Area area = area_of("gantt");
  const auto gutter = static_cast<float>(session().look.gutter_px);
  const float middle = area.x0 + gutter + (area.width() - gutter) / 2;
  using ::testing::ElementsAre;
  EXPECT_THAT(commands_of(middle, area.y0 + 12, "Set the cursor A here"), ElementsAre("marker.a"));
  const auto a = session().trace()->markers.a();
  ASSERT_TRUE(a);
  EXPECT_NEAR(static_cast<double>(a->ticks), 5'000, 30);
  // Beside the process's name nothing is drawn.
  EXPECT_THAT(commands_of(middle, area.y0 + 26 + 10, "Set a marker here"),
              ElementsAre("marker.add"));
  ASSERT_TRUE(run("select.range", {{"from", 2'000}, {"to", 4'000}}));
  EXPECT_THAT(commands_of(middle, area.y0 + 26 + 10, "Zoom to the selection"),
              ElementsAre("view.zoom_to_selection"));
  EXPECT_EQ(session().trace()->view().window.range(), (TimeRange{{2'000}, {4'000}}));
}

// A shape that stands for several events has a menu for all of them.
TEST_F(FirstUse, ABinOfDurationsHasAMenu) {
  using ::testing::ElementsAre;
  open_sample();
  ASSERT_TRUE(run("panel.open", {{"panel", "durations"}}));
  const auto set = [&](const char* option, const Json& value) {
    return run("panel.set", {{"panel", "durations"}, {"option", option}, {"value", value}});
  };
  ASSERT_TRUE(set("types", Json::array({"render"})));
  host_->workbench().show_only("durations");
  const Area area = area_of("durations");
  const float shortest = area.x0 + 260 + 32, y = area.y1 - 40;  // right of the heights
  EXPECT_THAT(commands_of(shortest, y, "List these here"), ElementsAre("panel.set"));
  EXPECT_TRUE(session().desk.layout.first_of("durations")->options.contains("bin"));
  // The listed bin is marked, even if the bins have changed since.
  ASSERT_TRUE(set("bin", {800, 900}));
  const render::Image short_ones = picture("bin_of_others.png");
  ASSERT_TRUE(set("bin", {1'500, 1'600}));
  EXPECT_NE(picture("bin_of_others_too.png").pixels, short_ones.pixels);
  ASSERT_TRUE(set("bin", Json()));
  // There is nothing to be listed of a bin that is empty.
  click((shortest + area.x1) / 2, area.y0 + 100);
  EXPECT_FALSE(session().desk.layout.first_of("durations")->options.contains("bin"));
  EXPECT_THAT(commands_of(shortest, y, "Filter to these"), ElementsAre("filter.set"));
  const auto text = [&] { return session().trace()->view().filter.text; };
  EXPECT_TRUE(text().starts_with(R"(category == state && type in [render] && dur >= 700 && dur <)"))
      << text();
  // The counted events pass that filter, which stays.
  EXPECT_THAT(commands_of(shortest, y, "List these in a table"),
              ElementsAre("filter.add", "panel.open"));
  EXPECT_TRUE(text().starts_with("category == state && ")) << text();
}

TEST_F(FirstUse, TrafficOfAPairHasAMenuInEachOfItsPictures) {
  using ::testing::ElementsAre;
  open_sample();
  ASSERT_TRUE(run("panel.open", {{"panel", "traffic"}}));
  host_->workbench().show_only("traffic");
  const Area area = area_of("traffic");
  // One lane sends to one other: the right half of the circle, beside the table, is where it
  // begins.
  const float x = area.x0 + 0.79F * area.width() + 70, y = (area.y0 + 34 + area.y1) / 2;
  const auto text = [&] { return session().trace()->view().filter.text; };
  EXPECT_THAT(commands_of(x, y, "Filter to these"), ElementsAre("filter.set"));
  const std::string pair = text();
  EXPECT_TRUE(pair.starts_with("category == \"link\" && source == ")) << pair;
  EXPECT_THAT(commands_of(x, y, "Draw these as"), ElementsAre("filter.add", "panel.open"));
  EXPECT_EQ(text(), pair);
  ASSERT_TRUE(run("filter.clear"));
  host_->workbench().show_only("traffic");
  ASSERT_TRUE(host_->settle());
  EXPECT_THAT(commands_of(area.x0 + 300, area.y1 - 40, "Filter to these"),
              ElementsAre("filter.set"));
  EXPECT_EQ(text().find("category == \"link\" && latency >= "), 0U) << text();
}

TEST_F(FirstUse, AStateLeadsToHowLongItsLikeTakeAndToWhoCallsIt) {
  open_sample();
  ASSERT_TRUE(run("view.set", {{"from", 0}, {"to", 10'000}}));
  const Area area = area_of("gantt");
  const float x = area.x0 + static_cast<float>(session().look.gutter_px) + 200;
  const float y = area.y0 + kFirstRow;
  ASSERT_FALSE(commands_of(x, y, "How long such states take").empty());
  const PanelInstance* durations = session().desk.layout.first_of("durations");
  ASSERT_TRUE(durations);
  EXPECT_EQ(durations->options.value("types", Json()), Json::array({"render"}));
  EXPECT_TRUE(find_text("render: ")) << "whose lengths they are";
  ASSERT_FALSE(commands_of(x, area_of("gantt").y0 + kFirstRow, "Who calls it").empty());
  const PanelInstance* flame = session().desk.layout.first_of("flame");
  ASSERT_TRUE(flame);
  EXPECT_EQ(flame->options.value("type", ""), "render");
  EXPECT_EQ(flame->options.value("view", ""), "sandwich");
}

// A keyboard tells ImGui of Escape, too: it has closed the menu before the frame begins.
TEST_F(FirstUse, EscapeInAMenuLeavesTheDialogBelowOpen) {
  ASSERT_TRUE(run("open.ask"));
  ASSERT_TRUE(host_->settle());
  click_on("By their content");
  const auto has_menu = [] { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); };
  ASSERT_TRUE(has_menu());
  host_->frame();
  press_escape();
  host_->frame();
  EXPECT_FALSE(has_menu());
  EXPECT_TRUE(session().dialogs.shows_open_dialog);
  press("Escape");
  EXPECT_FALSE(session().dialogs.shows_open_dialog);
}

TEST_F(FirstUse, PageDownInTheFileDialogGoesOnByWhatIsSeen) {
  for (int i = 0; i < 200; ++i) std::ofstream(folder_.path() / fmt::format("n{:03}", i)) << 'x';
  ASSERT_TRUE(run("open.ask"));
  host_->frame();
  host_->frame();
  type((folder_.path().string() + "/").c_str());
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(find_text("n000<"));
  const auto presses_until = [&](const char* key, const char* name) {
    int count = 0;
    for (; count < 200 && !find_text(name); ++count) press(key);
    return count;
  };
  const int down = presses_until("PageDown", "n199<");
  EXPECT_GT(down, 2);
  EXPECT_LT(down, 30);
  EXPECT_FALSE(find_text("n000<"));
  EXPECT_LE(presses_until("PageUp", "n000<"), down);
}

TEST_F(FirstUse, TheTitlesOfTheFileDialogSortTheFiles) {
  for (const auto& [name, size] : {std::pair("a.json", 20), {"b.json", 5}, {"c.json", 3000}})
    std::ofstream(folder_.path() / name) << std::string(static_cast<size_t>(size), ' ');
  ASSERT_TRUE(run("open.ask"));
  host_->frame();
  host_->frame();
  type((folder_.path().string() + "/").c_str());
  ASSERT_TRUE(host_->settle());
  const auto order = [&] {
    std::vector<std::pair<float, std::string>> lines;
    for (const char* name : {"a.json", "b.json", "c.json"})
      if (const auto at = find_text(name)) lines.emplace_back(at->y, std::string(1, name[0]));
    std::ranges::sort(lines);
    std::string names;
    for (const auto& [y, name] : lines) names += name;
    return names;
  };
  EXPECT_EQ(order(), "abc");
  click_on("Size");
  EXPECT_EQ(order(), "cab");
  click_on("Size");
  EXPECT_EQ(order(), "bac");
  click_on("Name");
  EXPECT_EQ(order(), "abc");
}

TEST_F(FirstUse, TheSheetOfKeysFillsColumnsAndNeedsNoScrolling) {
  start(sized(1600, 1000));
  if (!host_) return;
  ASSERT_TRUE(run("help.show"));
  (void)picture("sheet.png");
  std::set<float> columns;
  for (const char* title : {"Move and zoom", "Select and measure", "Cursors and markers",
                            "Where you look", "Elements", "Find and filter"}) {
    const auto at = find_text(title);
    ASSERT_TRUE(at) << title;
    columns.insert(at->x);
  }
  EXPECT_EQ(columns.size(), 3u);
  EXPECT_TRUE(find_text("Every command is in the palette"));
}

TEST_F(FirstUse, LanesThatDoNotFitHaveABarThatScrollsThem) {
  open_sample();
  ASSERT_TRUE(run("row_height", {{"px", 60}}));
  const Area area = area_of("gantt");
  ASSERT_EQ(session().trace()->view().scroll_px, 0);
  Pointer pointer{.x = area.x1 - 6, .y = area.y0 + 40};
  host_->frame({}, pointer);
  const TimeWindow window = session().trace()->view().window;
  pointer.is_down = true;
  host_->frame({}, pointer);
  for (int i = 0; i < 20; ++i, pointer.y += 40) host_->frame({}, pointer);
  const double lowest = session().trace()->view().scroll_px;
  EXPECT_GT(lowest, 100);
  pointer.is_down = false;
  host_->frame({}, pointer);
  host_->frame({}, pointer);
  EXPECT_EQ(session().trace()->view().scroll_px, lowest);
  EXPECT_EQ(session().trace()->view().window, window) << "nothing else was dragged";
  ASSERT_TRUE(run("view.undo"));
  EXPECT_EQ(session().trace()->view().scroll_px, 0) << "one step";
}

TEST_F(FirstUse, TheTableOfTheSelectionIsInLettersOfItsSize) {
  open_sample();
  const auto size_in = [&](const char* panel) {
    EXPECT_TRUE(run("panel.open", {{"panel", panel}}));
    host_->workbench().show_only(panel);
    EXPECT_TRUE(host_->settle());
    return find_text("render").value_or(testing::ShownText{}).size_px;
  };
  const float usual = size_in("statistics");
  ASSERT_GT(usual, 0);
  EXPECT_EQ(size_in("selection"), usual);
}

// covers C-08
TEST_F(FirstUse, AFileThatCannotBeOpenedIsToldOfWithWhatCanBeDone) {
  start(sized(1024, 700));
  if (!host_) return;
  const auto file = folder_.path() / "noise.bin";
  std::ofstream(file) << std::string("\0\1\2\3\xFE\xFF noise", 12);
  (void)host_->open(file);
  ASSERT_TRUE(host_->settle());
  (void)picture("refused.png");
  EXPECT_TRUE(find_text("noise.bin cannot be opened")) << shown_text();
  EXPECT_FALSE(shown_text().contains("weftscope formats")) << "a command line's word";
  EXPECT_FALSE(shown_text().contains("--format"));
  EXPECT_FALSE(find_text("Make a trace type for it<")) << "of what is no text";
  click_on("Open as…");
  EXPECT_TRUE(session().dialogs.shows_open_dialog);
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(find_text("noise.bin<")) << "the file is suggested";
  press("Escape");
  const auto words = folder_.path() / "words.txt";
  std::ofstream(words) << "only words\n";
  (void)host_->open(words);
  ASSERT_TRUE(host_->settle());
  (void)picture("refused-text.png");
  ASSERT_TRUE(find_text("Make a trace type for it<"));
  const std::string shown = shown_text();
  const size_t said = shown.find("only words");
  EXPECT_EQ(shown.find("only words", said + 1), std::string::npos) << "said twice: " << shown;
  // A trace that is opened is what matters then.
  open_sample();
  ASSERT_TRUE(run("close"));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(find_text("No trace is open"));
}

TEST_F(FirstUse, ADragOverBarsOfDurationsListsAllOfThemAndEscapeClosesTheList) {
  open_sample();
  ASSERT_TRUE(run("panel.open", {{"panel", "durations"}}));
  host_->workbench().show_only("durations");
  const Area area = area_of("durations");
  const float left = area.x0 + 260 + 60, y = area.y1 - 60;
  drag(left, y, area.x1 - 20, y);
  ASSERT_TRUE(host_->settle());
  (void)picture("bars-chosen.png");
  const PanelInstance* panel = session().desk.layout.first_of("durations");
  ASSERT_TRUE(panel->options.contains("bin"));
  const Json bin = panel->options["bin"];
  EXPECT_LT(bin[0].get<int64_t>() * 2, bin[1].get<int64_t>()) << "several bars";
  press("Escape");
  EXPECT_FALSE(session().desk.layout.first_of("durations")->options.contains("bin"));
}

TEST_F(FirstUse, ALowPanelOfDurationsHasItsListBesideTheBars) {
  open_sample();
  ASSERT_TRUE(run("panel.open", {{"panel", "durations"}}));
  const Area area = area_of("durations");
  ASSERT_LT(area.height(), 400);
  ASSERT_TRUE(
      run("panel.set", {{"panel", "durations"}, {"option", "bin"}, {"value", {1'900, 2'100}}}));
  (void)picture("bars-beside.png");
  const auto title = find_text("Lane<");
  ASSERT_TRUE(title) << shown_text();
  EXPECT_GT(title->x, (area.x0 + 260 + area.x1) / 2 - 10);
}

TEST_F(FirstUse, QuantilesThatAreAlikeShareALabel) {
  const auto file = folder_.path() / "alike.json";
  std::ofstream out(file);
  for (int i = 0; i < 50; ++i)
    out << (i == 0 ? '[' : ',')
        << fmt::format(R"({{"ph":"X","name":"x","pid":1,"tid":1,"ts":{},"dur":7}})", 10 * i);
  out << ']';
  out.close();
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(run("panel.open", {{"panel", "durations"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(find_text("p50, p90, p99, p99.9 7 µs")) << shown_text();
}

TEST_F(FirstUse, ASelectedRangeLeavesTheColoursOfItsStates) {
  open_sample();
  ASSERT_TRUE(run("view.set", {{"from", 0}, {"to", 10'000}}));
  const Area area = area_of("gantt");
  const auto gutter = static_cast<float>(session().look.gutter_px);
  const int x = static_cast<int>(area.x0 + gutter + 0.25F * (area.width() - gutter));
  const int beside = static_cast<int>(area.x0 + gutter + 0.6F * (area.width() - gutter));
  const int y = static_cast<int>(area.y0 + kFirstRow);
  const render::Image before = picture("unselected.png");
  ASSERT_TRUE(run("select.range", {{"from", 1'000}, {"to", 4'000}}));
  const render::Image after = picture("selected.png");
  EXPECT_EQ(after.at(x, y), before.at(x, y));
  EXPECT_NE(after.at(beside, y), before.at(beside, y)) << "what is beside it is dimmed";
}

TEST_F(FirstUse, TheHelpOfAButtonIsBelowItsBar) {
  open_sample();
  ASSERT_TRUE(run("panel.open", {{"panel", "flame"}}));
  host_->workbench().show_only("flame");
  ASSERT_TRUE(host_->settle());
  const auto button = find_text("Sandwich<");
  ASSERT_TRUE(button);
  at(button->x + 3, button->y - 3);
  at(button->x + 3, button->y - 3);
  const auto help = find_text("What calls a type above it");
  ASSERT_TRUE(help);
  EXPECT_GT(help->y - help->size_px, area_of("flame").y0 + 30);
}

TEST_F(FirstUse, TheScaleOfColoursByDurationIsBelowTheLanes) {
  open_sample();
  ASSERT_TRUE(run("states.by_duration", {{"shown", true}}));
  const Area area = area_of("gantt");
  (void)picture("by-duration.png");
  const auto title = find_text("Colour of states: how long they take");
  ASSERT_TRUE(title);
  EXPECT_GT(title->y, area.y1 - 22);
}

TEST_F(FirstUse, ATableThatCanHaveNoRowsSaysSo) {
  const auto file = folder_.path() / "unscheduled.weft";
  ThreadPool pool(1);
  auto builder = store::StoreBuilder::create({.path = file, .format = "ctf"}, pool).value();
  const LaneId lane = builder->add_lane({"lane", LaneId::none(), trace::LaneKind::kThread});
  const EventTypeId work = builder->type(trace::Category::kState, "work", "");
  builder->states({{{{0}, {100}, ParamsId::none(), lane, work}}});
  ASSERT_TRUE(builder->finish());
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(run("panel.open", {{"panel", "pages"}, {"options", {{"page", "tasks"}}}}));
  (void)picture("no-rows.png");
  EXPECT_TRUE(find_text("The trace holds nothing for this table") ||
              find_text("Nothing for this table lies here"))
      << shown_text();
}

TEST_F(FirstUse, TheOverviewOfABurstIsByTheSquareRoot) {
  const auto file = folder_.path() / "burst.json";
  std::ofstream out(file);
  out << '[';
  for (int i = 0; i < 4000; ++i)
    out << fmt::format(R"({{"ph":"i","name":"x","pid":1,"tid":1,"ts":{}}},)", i);
  for (int i = 1; i <= 100; ++i)
    out << fmt::format(R"({{"ph":"i","name":"x","pid":1,"tid":1,"ts":{}}}{})", i * 1'000'000,
                       i < 100 ? "," : "]");
  out.close();
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(host_->settle());
  (void)picture("burst.png");
  EXPECT_TRUE(find_text("square root scale"));
  ASSERT_TRUE(run("density.scale", {{"scale", "linear"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(find_text("square root scale"));
}

TEST_F(FirstUse, WhereNoViewIsEarlierNothingHasGoneWrong) {
  open_sample();
  ASSERT_TRUE(run("marker.add", {{"at", 5}}));
  EXPECT_TRUE(run("view.undo"));
  EXPECT_EQ(session().messages.last.text, "No earlier view");
  EXPECT_FALSE(session().messages.last.is_error);
}

}  // namespace
}  // namespace weft::app

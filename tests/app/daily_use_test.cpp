// Small things that are met every day, offscreen.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <vector>

#include "app/session/commands.h"
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

class DailyUse : public testing::OffscreenTest {
 protected:
  void SetUp() override { start(sized(1200, 700)); }
};

TEST_F(DailyUse, WhatKeysDoIsReadInSmallWindowsToo) {
  start(sized(400, 300));
  if (!host_) return;
  ASSERT_TRUE(run("help.show"));
  (void)picture("keys-narrow.png");
  EXPECT_TRUE(shown_text().contains("pointer is<")) << shown_text();
  ASSERT_TRUE(run("set", {{"name", "font_scale"}, {"value", 2}}));
  (void)picture("keys-narrow-large.png");
  EXPECT_TRUE(shown_text().contains("Zoom in and out,")) << shown_text();
}

TEST_F(DailyUse, ALaneThatIsGoneToIsMarkedUntilOneGoesOn) {
  open_sample();
  host_->workbench().show_only("gantt");
  const render::Image before = picture("lane-before.png");
  ASSERT_TRUE(run("lane.go", {{"lane", 0}}));
  EXPECT_NE(picture("lane-gone-to.png").pixels, before.pixels);
  const Area area = host_->workbench().place_of("gantt").value();
  at(area.x0 + 500, area.y1 - 30, false, -1);
  ASSERT_TRUE(run("view.fit"));
  EXPECT_EQ(picture("lane-after.png").pixels, before.pixels);
}

TEST_F(DailyUse, TheKeySheetHasArrowsForArrows) {
  ASSERT_TRUE(run("help.show"));
  (void)picture("keys-arrows.png");
  EXPECT_TRUE(shown_text().contains(">Ctrl+↑")) << shown_text();
  EXPECT_FALSE(shown_text().contains("Ctrl+Up"));
}

TEST_F(DailyUse, TheDensityHasANumberAtEveryGridLine) {
  const auto file = folder_.path() / "many.json";
  std::ofstream json(file);
  json << "[";
  for (int i = 0; i < 90; ++i)
    json << R"({"ph":"i","s":"t","name":"n","pid":1,"tid":1,"ts":)" << i / 45 * 100 << "},\n";
  json << R"({"ph":"i","s":"t","name":"n","pid":1,"tid":1,"ts":300}])";
  json.close();
  ASSERT_TRUE(host_->open(file));
  host_->workbench().show_only("density");
  (void)picture("density-grid.png");
  for (const char* value : {">20<", ">40<"}) EXPECT_TRUE(shown_text().contains(value)) << value;
}

// covers FS-08
TEST_F(DailyUse, TheDensitySaysWhatItsNumberIsOf) {
  open_sample();
  host_->workbench().show_only("density");
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains(" events by their begin<")) << shown_text();
  ASSERT_TRUE(run("view.set", {{"from", 20'007}, {"to", 40'000}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains(" events begin in these bins<")) << shown_text();
}

TEST_F(DailyUse, ARangeIsTypedIntoOneField) {
  open_sample();
  ASSERT_TRUE(run("view.go.ask"));
  (void)picture("go-to-range.png");
  type("20us..30us");
  const auto go = find_text("Go<");
  ASSERT_TRUE(go);
  click(go->x + 2, go->y - 4);
  EXPECT_FALSE(session().dialogs.shows_go_to);
  EXPECT_EQ(session().trace()->view().window.range(), (TimeRange{{20'000}, {30'000}}));
  ASSERT_TRUE(run("view.go", {{"at", "40us..50us"}}));
  EXPECT_EQ(session().trace()->view().window.range(), (TimeRange{{40'000}, {50'000}}));
}

// covers B-27
TEST_F(DailyUse, GoToSaysHowATimeIsReadAndStaysWhereThereIsNone) {
  open_sample();
  ASSERT_TRUE(run("view.set", {{"from", 20'000}, {"to", 40'000}}));
  const TimeWindow before = session().trace()->view().window;
  ASSERT_TRUE(run("view.go.ask"));
  (void)picture("go-to-reading.png");
  type("30us");
  (void)picture("go-to-reading.png");
  EXPECT_TRUE(shown_text().contains(">at 30.000 µs<")) << shown_text();
  type("ec");  // "30usec"
  (void)picture("go-to-reading.png");
  EXPECT_FALSE(shown_text().contains(">at 30.000 µs<")) << "it cannot be read";
  EXPECT_TRUE(shown_text().contains("30usec")) << shown_text();
  EXPECT_FALSE(shown_text().contains("as on the ruler;")) << "it says why";
  for (const bool is_shown : {false, true}) {
    ASSERT_TRUE(run("view.go.ask", {{"shown", is_shown}}));
    ASSERT_TRUE(host_->settle());
  }
  type("5s");
  key(ImGuiKey_Enter);
  (void)picture("go-to-outside.png");
  EXPECT_TRUE(session().dialogs.shows_go_to);
  EXPECT_TRUE(shown_text().contains("outside of the trace")) << shown_text();
  EXPECT_EQ(session().trace()->view().window, before);
  EXPECT_FALSE(run("view.go", {{"at", "5s"}}));
}

// covers TV-29: the time between two markers is measured exactly
TEST_F(DailyUse, CursorsSnapToMarkersAndAreSetAtThemByTheirMenu) {
  open_sample();
  ASSERT_TRUE(run("marker.add", {{"at", 20'300}, {"name", "one"}}));
  ASSERT_TRUE(run("marker.add", {{"from", 50'100}, {"to", 60'700}, {"name", "two"}}));
  ASSERT_TRUE(host_->settle());
  const float y = find_text("Filter lanes")->y;  // beside the ruler
  const Area area = host_->workbench().place_of("gantt").value();
  const double left = area.x0 + session().look.gutter_px;
  const auto x = [&](int64_t time) {
    const double place = session().trace()->view().window.fraction_from_time(Time{time});
    return static_cast<float>(left + place * (area.x1 - left));
  };
  at(x(60'700) + 3, y);
  at(x(60'700) + 3, y);
  press("Alt+B");
  EXPECT_EQ(session().trace()->markers.b(), Time{60'700});
  click(x(20'300) + 1, y, /*is_right=*/true);
  click_on("Set the cursor A here");
  EXPECT_EQ(session().trace()->markers.a(), Time{20'300});
  ASSERT_TRUE(run("panel.open", {{"panel", "markers"}}));
  (void)picture("markers-apart.png");
  EXPECT_TRUE(shown_text().contains("+29.8 µs")) << shown_text();
  EXPECT_TRUE(find_text("40.4 µs")) << "B - A";
}

TEST_F(DailyUse, CursorsSnapToWhereAMarkerStandsAgain) {
  open_sample();
  ASSERT_TRUE(host_->settle());
  const float y = find_text("Filter lanes")->y;  // beside the ruler
  const Area area = host_->workbench().place_of("gantt").value();
  const double left = area.x0 + session().look.gutter_px;
  const auto cursor_at = [&](int64_t time) {
    const double place = session().trace()->view().window.fraction_from_time(Time{time});
    const auto x = static_cast<float>(left + place * (area.x1 - left));
    for (int i = 0; i < 2; ++i) at(x + 3, y);
    press("Alt+A");
    return session().trace()->markers.a().value().ticks;
  };
  const int64_t without = cursor_at(52'000);
  ASSERT_TRUE(run("marker.add", {{"from", 30'000}, {"to", 31'300}, {"every", 11'000}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(cursor_at(52'000), 52'000) << "two periods later";
  EXPECT_EQ(cursor_at(53'300), 53'300) << "its end there";
  EXPECT_EQ(cursor_at(8'000), 8'000) << "two periods before";
  const uint32_t id = session().trace()->markers.all().front().id;
  ASSERT_TRUE(run("marker.change", {{"id", id}, {"every", 100}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(cursor_at(52'000), without) << "what stands too close to be seen attracts nothing";
}

// Zoomed to the selected range, what is drawn has its own colours.
TEST_F(DailyUse, ASelectionThatIsAllThatIsShownColoursTheRulerAlone) {
  open_sample();
  host_->workbench().show_only("gantt");
  const auto shown = [&](const char* name, int64_t from, int64_t to) {
    EXPECT_TRUE(run(name, {{"from", from}, {"to", to}}));
    return picture("selected.png");
  };
  const render::Image plain = shown("view.set", 1'500, 2'500);
  const render::Image all = shown("select.range", 1'500, 2'500);
  const int x = 720;
  EXPECT_EQ(all.at(x, 350), plain.at(x, 350));
  EXPECT_NE(all.at(x + 3, 4), plain.at(x + 3, 4));  // of the ruler
  const render::Image part = shown("select.range", 1'600, 2'400);
  EXPECT_EQ(part.at(x, 350), plain.at(x, 350)) << "what is beside it is dimmed instead";
  EXPECT_NE(part.pixels, all.pixels);
}

// The ruler says when, the rows of the selected lanes whose it is.
TEST_F(DailyUse, ARangeOfSomeLanesHasItsEdgesUponTheirRowsAlone) {
  open_sample();
  host_->workbench().show_only("gantt");
  ASSERT_TRUE(host_->settle());
  const Area area = host_->workbench().place_of("gantt").value();
  const auto gutter = static_cast<float>(session().look.gutter_px);
  const auto share =
      static_cast<float>(session().trace()->view().window.fraction_from_time(Time{40'000}));
  const int edge = static_cast<int>(area.x0 + gutter + share * (area.width() - gutter));
  const auto has_edge = [&](const render::Image& image, int y) {
    for (int x = edge - 2; x <= edge + 2; ++x) {
      if (image.at(x, y) == theme_of(layout::Theme::kDark).accent) return true;
    }
    return false;
  };
  using Shaded = std::vector<bool>;  // the ruler, the first process, its thread, the second process
  const auto shaded = [&](const std::vector<uint32_t>& lanes) {
    EXPECT_TRUE(run("select.clear"));
    const render::Image plain = picture("range-of-none.png");
    EXPECT_TRUE(run("select.range", {{"from", 40'000}, {"to", 60'000}, {"lanes", lanes}}));
    const render::Image image = picture("range-of-lanes.png");
    Shaded at = {image.at(720, 4) != plain.at(720, 4)};
    for (const char* name : {"process 0", "thread 0", "process 1"}) {
      const int y = static_cast<int>(find_text(name)->y) - 4;
      at.push_back(has_edge(image, y));
    }
    return at;
  };
  EXPECT_EQ(shaded({}), (Shaded{true, true, true, true}));
  EXPECT_EQ(shaded({1}), (Shaded{true, false, true, false}));
  EXPECT_EQ(shaded({0}), (Shaded{true, true, true, false})) << "with what lies below it";
  EXPECT_EQ(shaded({3}), (Shaded{true, false, false, true}));
  ASSERT_TRUE(run("lane.pin", {{"lane", 1}}));
  EXPECT_EQ(shaded({1}), (Shaded{true, false, true, false})) << "it is the first row now";
  ASSERT_TRUE(run("lane.unpin", {{"lane", 1}}));
  EXPECT_EQ(shaded({1}), (Shaded{true, false, true, false})) << "and no longer";
}

TEST_F(DailyUse, ARangeOfSomeLanesIsShadedInTheirColumnsOfASequenceDiagramAlone) {
  open_sample();
  ASSERT_TRUE(run("panel.open", {{"panel", "sequence"}}));
  host_->workbench().show_only("sequence");
  ASSERT_TRUE(host_->settle());
  const render::Image plain = picture("range-of-none.png");
  const int y = plain.height / 2;
  // How many pixels of a line across the middle differ.
  const auto shaded_px = [&](const std::vector<uint32_t>& lanes) {
    EXPECT_TRUE(run("select.range", {{"from", 30'000}, {"to", 70'000}, {"lanes", lanes}}));
    const render::Image image = picture("range-of-lanes.png");
    int count = 0;
    for (int x = 0; x < plain.width; ++x) count += image.at(x, y) != plain.at(x, y) ? 1 : 0;
    return count;
  };
  const int all = shaded_px({}), one = shaded_px({1}), none = shaded_px({2});
  EXPECT_GT(all, plain.width * 3 / 4);
  EXPECT_LT(one, all / 2);
  EXPECT_LT(none, one) << "it takes no part: the ruler alone";
  EXPECT_EQ(shaded_px({0}), one) << "with what lies below it";
}

// The labels of the ruler, from left to right: no part of a label is visible beside what covers it.
TEST_F(DailyUse, LabelsOfTheRulerGiveWayToWhatLiesOverThem) {
  open_sample();
  host_->workbench().show_only("gantt");
  struct Part {
    std::string text;
    float x0, x1;
  };
  const auto parts = [&] {
    EXPECT_TRUE(host_->settle());
    const std::string page = shown_text();
    const std::regex part(
        "<text x=\"([^\"]*)\" y=\"([0-9.]+)\" font-size=\"([0-9.]+)\"[^>]*>([^<]*)<");
    std::vector<Part> found;
    for (std::sregex_iterator at(page.begin(), page.end(), part), end; at != end; ++at) {
      std::istringstream xs((*at)[1]);
      const std::vector<float> all{std::istream_iterator<float>(xs), {}};
      if (std::stof((*at)[2]) > 24 || all.front() < 240) continue;
      found.push_back({(*at)[4], all.front(), all.back() + std::stof((*at)[3]) / 2});
    }
    std::ranges::sort(found, {}, &Part::x0);
    return found;
  };
  const auto expect_apart = [&](const char* text) {
    const std::vector<Part> all = parts();
    EXPECT_TRUE(std::ranges::any_of(all, [&](const Part& part) { return part.text == text; }))
        << text;
    for (size_t i = 0; i + 1 < all.size(); ++i) {
      EXPECT_LE(all[i].x1, all[i + 1].x0) << all[i].text << " and " << all[i + 1].text;
    }
    return all.size();
  };
  ASSERT_TRUE(run("select.range", {{"from", 13'000}, {"to", 41'000}}));
  EXPECT_GT(expect_apart("28 µs"), 6u);
  (void)picture("ruler-selection.png");
  ASSERT_TRUE(run("marker.a", {{"at", 20'100}}));
  ASSERT_TRUE(run("marker.b", {{"at", 70'100}}));
  EXPECT_GT(expect_apart("B − A = 50 µs"), 6u);
  (void)picture("ruler-cursors.png");
}

TEST_F(DailyUse, APanelThatWasClosedIsOpenedAgainByAClick) {
  open_sample();
  ASSERT_TRUE(run("panel.open", {{"panel", "statistics"}, {"options", {{"metric", "self"}}}}));
  ASSERT_TRUE(host_->settle());
  press("Ctrl+W");
  EXPECT_EQ(session().desk.layout.first_of("statistics"), nullptr);
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains(">Statistics closed<")) << shown_text();
  click_on("Open it again");
  const PanelInstance* panel = session().desk.layout.first_of("statistics");
  ASSERT_NE(panel, nullptr);
  EXPECT_EQ(panel->options.value("metric", ""), "self");
}

TEST_F(DailyUse, WithoutAFocusedPanelNoneIsClosed) {
  open_sample();
  ASSERT_TRUE(run("panel.focus", {{"panel", "density"}}));
  while (!session().desk.layout.focused().empty()) ASSERT_TRUE(run("panel.close"));
  const Status status = run("panel.close");
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().message.ends_with("no panel has the focus (click into one)"))
      << status.error().message;
}

// The palette's first answer to "reset" must not take away what nobody looks for.
TEST_F(DailyUse, KeysAreResetOnlyWhereSomeWereChanged) {
  EXPECT_EQ(obstacle_to("keys.reset", session()), "no key was changed");
  ASSERT_TRUE(run("keys.bind", {{"command", "theme"}, {"keys", "Ctrl+E"}}));
  EXPECT_EQ(obstacle_to("keys.reset", session()), "");
}

TEST_F(DailyUse, ShiftSelectsTheLanesFromTheLastThatWasSelected) {
  open_sample();
  host_->workbench().show_only("gantt");
  ASSERT_TRUE(host_->settle());
  const OpenTrace& trace = *session().trace();
  const auto click_name = [&](float y, bool has_shift) {
    Pointer pointer;
    pointer.x = 120;
    pointer.y = y;
    pointer.shift = has_shift;
    pointer.control = !has_shift;
    for (const bool is_down : {false, true, false}) {
      pointer.is_down = is_down;
      host_->frame({}, pointer);
    }
  };
  const auto y_of = [&](const char* name) { return find_text(name)->y - 4; };
  click_name(y_of("thread 1"), false);
  ASSERT_EQ(trace.selected_lanes.size(), 1u);
  const LaneId anchor = trace.selected_lanes[0];
  click_name(y_of("thread 0"), true);
  ASSERT_EQ(trace.selected_lanes.size(), 2u);
  EXPECT_EQ(trace.selected_lanes[1], anchor);
  click_name(y_of("process 1"), true);
  EXPECT_EQ(trace.selected_lanes, std::vector{anchor}) << "what holds lanes has no events itself";
  click_name(y_of("process 1") + 30, true);
  ASSERT_EQ(trace.selected_lanes.size(), 2u);
  EXPECT_EQ(trace.selected_lanes[1], anchor);
}

// A handle that is dragged past the other one changes places with it.
TEST_F(DailyUse, HandlesOfTheOverviewPassEachOther) {
  open_sample();
  host_->workbench().show_only("overview");
  const auto gutter = static_cast<float>(session().look.gutter_px);
  const float axis = static_cast<float>(host_->width()) - gutter;
  const auto window = [&]() -> const TimeWindow& { return session().trace()->view().window; };
  const TimeWindow whole = session().trace()->whole();
  const auto drag_handle = [&](int64_t from, int64_t to) {
    ASSERT_TRUE(run("view.set", {{"from", 40'000}, {"to", 60'000}}));
    ASSERT_TRUE(host_->settle());
    const auto x = [&](int64_t ticks) {
      return gutter + static_cast<float>(whole.fraction_from_time({ticks})) * axis;
    };
    at(x(from), 30);
    for (const int64_t ticks : {from, (from + to) / 2, to}) at(x(ticks), 30, true);
    at(x(to), 30);
  };
  const double px = whole.length / static_cast<double>(axis);
  drag_handle(60'000, 10'000);
  EXPECT_NEAR(static_cast<double>(window().begin.ticks), 10'000, 2 * px);
  EXPECT_NEAR(window().length, 30'000, 3 * px);
  drag_handle(40'000, 80'000);
  EXPECT_NEAR(static_cast<double>(window().begin.ticks), 60'000, 2 * px);
  EXPECT_NEAR(window().length, 20'000, 3 * px);
}

// covers B-11
TEST_F(DailyUse, AMarkedRangeBeforeTheWindowIsNotDrawnBesideIt) {
  open_sample();
  host_->workbench().show_only("density");
  ASSERT_TRUE(run("view.set", {{"from", 40'000}, {"to", 60'000}}));
  const int x = static_cast<int>(session().look.gutter_px) - 20;
  const uint32_t before = picture("density-unmarked.png").at(x, 1);
  ASSERT_TRUE(run("select.range", {{"from", 20'000}, {"to", 50'000}}));
  ASSERT_TRUE(run("marker.add_selection"));
  const render::Image marked = picture("density-marked.png");
  EXPECT_EQ(marked.at(x, 1), before);
  EXPECT_NE(marked.at(x + 40, 1), before);
}

// covers B-03
TEST_F(DailyUse, TheKeyOfTheFindBarLeadsBackIntoItAndSelectsItsText) {
  open_sample();
  const auto filter = [&] { return session().trace()->view().filter.text; };
  press("Ctrl+F");
  type("render");
  click(600, 350);
  press("Ctrl+F");
  ASSERT_TRUE(session().dialogs.shows_find);
  type("tick");
  EXPECT_EQ(filter(), "tick");
  // What is typed in the same moment is text, too.
  click(600, 350);
  Input keys;
  keys.chords = {"/", "F"};
  ImGui::GetIO().AddInputCharactersUTF8("/fr");
  host_->frame(keys);
  ImGui::GetIO().AddInputCharactersUTF8("ame");
  for (int i = 0; i < 8; ++i) host_->frame();
  EXPECT_EQ(filter(), "frame");
  // Where the bar was closed over a filter that stays.
  ASSERT_TRUE(run("find.show", {{"shown", false}}));
  host_->frame();
  ASSERT_EQ(filter(), "frame");
  press("Ctrl+F");
  type("tick");
  EXPECT_EQ(filter(), "tick");
  for (int i = 0; i < 2; ++i) press_escape();  // out of the field, and away
  EXPECT_FALSE(session().dialogs.shows_find);
}

TEST_F(DailyUse, HiddenTypesAreNotMarkedAsWhatWasFound) {
  open_sample();
  host_->workbench().show_only("gantt");
  const render::Image plain = picture("hits-none.png");
  ASSERT_TRUE(run("filter.set", {{"text", "type != wait"}, {"mode", "off"}}));
  EXPECT_EQ(picture("hits-of-types.png").pixels, plain.pixels);
  ASSERT_TRUE(run("filter.set", {{"text", "type == wait"}}));
  EXPECT_NE(picture("hits.png").pixels, plain.pixels);
  host_->workbench().show_only("overview");
  const render::Image marked = picture("hits-overview.png");
  ASSERT_TRUE(run("filter.set", {{"text", "type != wait"}}));
  EXPECT_NE(picture("hits-overview-none.png").pixels, marked.pixels);
}

// covers XC-29
TEST_F(DailyUse, EscapeAndACrossClearTheFilterOfLanes) {
  open_sample();
  const auto filter = [&] {
    EXPECT_TRUE(host_->settle());
    return session().trace()->arrangement().filter;
  };
  const auto leave = [&] {
    press_escape();
    host_->frame();
    EXPECT_FALSE(ImGui::IsAnyItemActive());
  };
  click_on("Filter lanes");
  type("process 1");
  EXPECT_EQ(filter(), "process 1");
  (void)picture("lanes-filtered.png");
  key(ImGuiKey_Enter);
  click_on("process 1<");  // in the field
  for (int i = 0; i < 9; ++i) key(ImGuiKey_Backspace);
  for (int i = 0; i < 9; ++i) key(ImGuiKey_Delete);
  EXPECT_EQ(filter(), "");
  leave();
  EXPECT_EQ(filter(), "");
  click_on("Filter lanes");
  type("thread");
  EXPECT_EQ(filter(), "thread");
  leave();
  EXPECT_EQ(filter(), "");
  ASSERT_TRUE(run("lane.filter", {{"text", "thread 1"}}));
  ASSERT_TRUE(host_->settle());
  click_on("×<");
  EXPECT_EQ(filter(), "");
}

TEST_F(DailyUse, TheMenuOfMarksSetsThemAtTheTimePointedAtLast) {
  open_sample();
  ASSERT_TRUE(run("view.set", {{"from", 20'000}, {"to", 40'000}}));
  ASSERT_TRUE(host_->settle());
  const Markers& markers = session().trace()->markers;
  click_on("Mark");
  EXPECT_TRUE(shown_text().contains(", in the middle:")) << shown_text();
  click_on("Set the cursor A here");
  EXPECT_EQ(markers.a(), Time{30'000});
  const Area area = host_->workbench().place_of("gantt").value();
  at(area.x1 - 200, area.y1 - 60);
  const std::optional<Hover> hover = session().hover;
  ASSERT_TRUE(hover);
  click_on("Mark");
  EXPECT_TRUE(shown_text().contains(", pointed at last:")) << shown_text();
  (void)picture("menu-of-marks.png");
  click_on("Set the cursor B here");
  ASSERT_TRUE(markers.b());
  EXPECT_GT(*markers.b(), Time{30'000});
}

TEST_F(DailyUse, APanelWithoutATabShowsThatKeysGaveItTheFocus) {
  open_sample();
  const Area area = host_->workbench().place_of("gantt").value();
  const auto top = [&] {
    const render::Image image = picture("focus.png");
    return image.at(static_cast<int>(area.x0) + 40, static_cast<int>(area.y0));
  };
  ASSERT_TRUE(run("panel.focus", {{"panel", "density"}}));
  const render::Color plain = top();
  ASSERT_TRUE(run("panel.focus", {{"panel", "gantt"}}));
  EXPECT_EQ(top(), plain) << "no key has moved it";
  for (int i = 0; i < 9; ++i) {
    press("F6");
    if (session().desk.layout.focused() == "gantt") break;
  }
  EXPECT_NE(top(), plain);
  click(area.x1 - 100, area.y1 - 40);
  EXPECT_EQ(top(), plain) << "the mouse needs no mark";
}

// covers FS-59
TEST_F(DailyUse, AFilterOfStatesIsNotToldThatLinksHaveALatency) {
  open_sample();
  ASSERT_TRUE(run("find.show"));
  const auto is_told = [&](const char* text) {
    EXPECT_TRUE(run("filter.set", {{"text", text}}));
    EXPECT_TRUE(host_->settle());
    return shown_text().contains("(links have latency, not dur)");
  };
  for (const char* text : {"type == render && dur > 1s", "category == state && dur > 100",
                           "(type == wait || type in [wait, render]) && dur > 1s"})
    EXPECT_FALSE(is_told(text)) << text;
  for (const char* text :
       {"type == message && dur > 100", "type == render || dur > 1s", "type != render && dur > 1s"})
    EXPECT_TRUE(is_told(text)) << text;
}

TEST_F(DailyUse, AFilterThatHasNoEffectSaysSo) {
  if (!host_) return;
  open_sample();
  ASSERT_TRUE(run("lane.hide_empty"));
  EXPECT_TRUE(session().messages.last.text.starts_with("No filter is set"))
      << session().messages.last.text;
  ASSERT_TRUE(run("panel.open", {{"panel", "pages"}}));
  host_->workbench().show_only("pages");
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(shown_text().contains("the filter has no effect"));
  ASSERT_TRUE(run("filter.set", {{"text", "category == state"}, {"mode", "hide"}}));
  (void)picture("pages-filter.png");
  EXPECT_TRUE(shown_text().contains("the filter has no effect on these tables<")) << shown_text();
}

}  // namespace
}  // namespace weft::app

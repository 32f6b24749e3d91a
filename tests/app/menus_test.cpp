// The menus of right clicks, and keys within panels, driven by a mouse and keys as a user would.
// covers FS-59, B-28, B-10
#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

class Menus : public testing::OffscreenTest {
 protected:
  void SetUp() override {
    start(sized(1240, 700));
    if (host_) open_sample();
  }
  void show(const std::string& panel) {
    ASSERT_TRUE(run("panel.open", {{"panel", panel}}));
    host_->workbench().show_only(panel);
    ASSERT_TRUE(host_->settle());
  }
  void click(float x, float y, bool is_right = false, bool control = false) {
    Pointer pointer{.x = x, .y = y, .control = control};
    for (const bool is_down : {false, true, false}) {
      (is_right ? pointer.is_right_down : pointer.is_down) = is_down;
      host_->frame({}, pointer);
    }
    host_->frame({}, pointer);
  }
  // Presses a key as ImGui gets it from a keyboard, which text boxes read.
  void press_key(ImGuiKey key, bool control = false) {
    ImGuiIO& io = ImGui::GetIO();
    Pointer pointer;
    pointer.control = control;
    host_->frame({}, pointer);  // who holds a key pressed it first
#if IMGUI_VERSION_NUM >= 18700
    io.AddKeyEvent(key, true);
#else
    io.KeyMap[key] = 100 + static_cast<int>(key);
    io.KeysDown[io.KeyMap[key]] = true;
#endif
    host_->frame({}, pointer);
#if IMGUI_VERSION_NUM >= 18700
    io.AddKeyEvent(key, false);
#else
    io.KeysDown[io.KeyMap[key]] = false;
#endif
    host_->frame();
    host_->frame();
  }
  // Opens the menu at a place again and again and clicks a little lower each time; the commands
  // that its entries ran.
  std::set<std::string> commands_of_menu_at(float x, float y) {
    std::set<std::string> commands;
    for (float down = 10; down < 420; down += 9) {
      const size_t before = session().journal.size();
      click(x, y, /*is_right=*/true);
      click(x + 24, y + down);
      press("Escape");
      for (size_t i = before; i < session().journal.size(); ++i) {
        commands.insert(session().journal[i].command);
      }
      while (undo()) continue;
      EXPECT_TRUE(run("select.clear"));
      EXPECT_TRUE(host_->settle());
    }
    return commands;
  }
};

// covers B-10
TEST_F(Menus, WhatIsKeptAtTheTopIsReorderedByDragging) {
  show("gantt");
  ASSERT_TRUE(run("lane.pin", {{"lanes", {2, 4}}}));
  ASSERT_TRUE(host_->settle());
  const auto drag_down = [&](float from, float to) {
    for (const auto& [y, is_down] :
         {std::pair{from, false}, {from, true}, {(from + to) / 2, true}, {to, true}, {to, false}})
      host_->frame({}, {.x = 120, .y = y, .is_down = is_down});
    ASSERT_TRUE(host_->settle());
  };
  const auto y_of = [&](const char* name) { return find_text(name)->y - 4; };
  const float upper = y_of("thread 1"), lower = y_of("thread 0");  // those at the top come first
  ASSERT_LT(upper, lower);
  drag_down(upper, lower + 36);  // its lower half
  EXPECT_EQ(session().trace()->arrangement().pinned, (std::vector{LaneId(4), LaneId(2)}));
  EXPECT_TRUE(session().trace()->arrangement().moves.empty());
  ASSERT_TRUE(run("view.undo"));
  ASSERT_TRUE(host_->settle());
  drag_down(upper, lower + 260);  // there is nothing at the top to be before
  EXPECT_EQ(session().trace()->arrangement().pinned, (std::vector{LaneId(2), LaneId(4)}));
}

// covers FS-13: a filter to a slice is to no other type of its name
TEST_F(Menus, ASliceIsFilteredToByAllThatTellsItApart) {
  const auto file = folder_.path() / "namesakes.json";
  std::ofstream(file) << R"([
    {"name":"run","cat":"net","ph":"X","pid":1,"tid":1,"ts":0,"dur":500},
    {"name":"run","cat":"disk","ph":"X","pid":1,"tid":1,"ts":500,"dur":300},
    {"name":"other","ph":"X","pid":1,"tid":1,"ts":900,"dur":100}])";
  ASSERT_TRUE(host_->open(file));
  show("statistics");
  const auto filtered_to = [&](const char* slice) {
    const auto at = find_text(slice);
    if (!at) return "no such slice: " + shown_text();
    click(at->x + 3, at->y - 3, /*is_right=*/true);
    click_on("Filter the timeline to it<");
    EXPECT_TRUE(host_->settle());
    const std::string text = session().trace()->view().filter.text;
    EXPECT_TRUE(run("filter.clear"));
    EXPECT_TRUE(host_->settle());
    return text;
  };
  EXPECT_EQ(filtered_to("run · disk<"), "type == run && category == state && group == disk");
  EXPECT_EQ(filtered_to("other<"), "type in [other]");
}

TEST_F(Menus, AnElementOffersFiltersToItsLike) {
  show("gantt");
  ASSERT_TRUE(run("view.set", {{"from", 0}, {"to", 10'000}}));
  ASSERT_TRUE(host_->settle());
  std::set<std::string> filters;
  for (float down = 10; down < 140; down += 9) {
    click(240 + 270, 26 + 22 + 12, /*is_right=*/true);
    click(240 + 294, 26 + 22 + 12 + down);
    filters.insert(session().trace()->view().filter.text);
    ASSERT_TRUE(run("filter.clear"));
    press("Escape");
    ASSERT_TRUE(host_->settle());
  }
  EXPECT_TRUE(filters.contains("type == render"));
  EXPECT_TRUE(filters.contains("lane == \"process 0/thread 0\""));
  EXPECT_TRUE(filters.contains("dur >= 2000"));
}

// covers B-25
TEST_F(Menus, AnElementNamesTheKeysOfWhatItOffers) {
  show("gantt");
  ASSERT_TRUE(run("view.set", {{"from", 0}, {"to", 10'000}}));
  ASSERT_TRUE(run("filter.set", {{"text", "type == render"}}));
  ASSERT_TRUE(run("keys.bind", {{"command", "filter.clear"}, {"keys", "Ctrl+K"}}));
  ASSERT_TRUE(host_->settle());
  click(240 + 270, 26 + 22 + 12, /*is_right=*/true);
  host_->frame();
  for (const char* key : {">M<", ">Alt+A<", ">Alt+B<", ">Ctrl+C<", ">Ctrl+K<"})
    EXPECT_THAT(shown_text(), ::testing::HasSubstr(key));
  const auto entry = find_text("Set the cursor A here");
  ASSERT_TRUE(entry);
  click(entry->x + 4, entry->y - 4);
  EXPECT_TRUE(session().trace()->markers.a());
}

TEST_F(Menus, ALaneIsGivenAColour) {
  show("gantt");
  click(60, 26 + 22 + 10, /*is_right=*/true);
  const auto entry = find_text("Its colour");
  ASSERT_TRUE(entry) << shown_text();
  click(entry->x + 4, entry->y - 4);
  ASSERT_TRUE(host_->settle());
  const auto own = find_text("Its own again");
  ASSERT_TRUE(own);
  click(own->x, own->y - 120);  // into the field of colours above the buttons
  EXPECT_EQ(session().look.lane_colors->size(), 1u);
  EXPECT_TRUE(session().look.lane_colors->begin()->first.contains("process 0"));
  click(own->x + 4, own->y - 4);
  EXPECT_TRUE(session().look.lane_colors->empty());
}

TEST_F(Menus, AMessageOffersFiltersToItsPairOfLanes) {
  show("gantt");
  ASSERT_TRUE(run("view.set", {{"from", 2'000}, {"to", 2'900}}));  // where its arrow leads across
  ASSERT_TRUE(host_->settle());
  const float x = static_cast<float>(host_->width()) / 2 + 120;
  std::set<std::string> filters;
  for (float y = 60; y < 400 && filters.size() < 2; y += 3) {
    click(x, y, /*is_right=*/true);
    const bool is_found = shown_text().contains("Filter to this pair of lanes");
    press("Escape");
    for (float down = 30; is_found && down < 140; down += 9) {
      click(x, y, /*is_right=*/true);
      click(x + 24, y + down);
      filters.insert(session().trace()->view().filter.text);
      ASSERT_TRUE(run("filter.clear"));
      press("Escape");
      ASSERT_TRUE(host_->settle());
    }
  }
  EXPECT_TRUE(
      filters.contains("category == \"link\" && source == \"process 0/thread 0\" && "
                       "target == \"process 1/thread 1\""))
      << filters.size();
}

TEST_F(Menus, ALaneOffersWhatCanBeDoneToIt) {
  show("gantt");
  const std::set<std::string> commands = commands_of_menu_at(60, 26 + 22 + 10);
  for (const char* name :
       {"lane.pin", "lane.hide", "lane.show_only", "lane.toggle", "select.toggle_lane",
        "lane.hide_empty", "lane.flat", "lane.levels", "filter.add"}) {
    EXPECT_TRUE(commands.contains(name)) << name;
  }
  for (const char* name : {"lane.show_all", "lane.unpin_all", "lane.reset"})
    EXPECT_FALSE(commands.contains(name)) << name << " can do nothing: no lane was arranged";
  ASSERT_TRUE(run("lane.pin", {{"lane", 2}}));
  ASSERT_TRUE(host_->settle());
  const auto process = find_text("process 1");
  ASSERT_TRUE(process);
  click(process->x + 3, process->y - 3, /*is_right=*/true);
  click_on("Put all lanes back from the top");
  EXPECT_TRUE(session().trace()->arrangement().pinned.empty());
}

TEST_F(Menus, EscapeClosesTheMenuAlone) {
  show("gantt");
  ASSERT_TRUE(run("select.range", {{"from", 1'000}, {"to", 2'000}}));
  click(60, 26 + 22 + 10, /*is_right=*/true);
  const auto has_menu = [] { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); };
  ASSERT_TRUE(has_menu());
  press("Escape");
  EXPECT_FALSE(has_menu());
  EXPECT_TRUE(session().trace()->selection);
  press("Escape");
  EXPECT_FALSE(session().trace()->selection);
}

// The first arrow chooses the first entry, and Enter takes nothing that is not seen to be chosen.
TEST_F(Menus, BeginWithTheirFirstEntry) {
  show("gantt");
  const size_t before = session().journal.size();
  const auto last = [&] { return session().journal.back().command; };
  const auto open = [&] {
    click(60, 26 + 22 + 10, /*is_right=*/true);
    for (int i = 0; i < 3; ++i) host_->frame();
  };
  open();
  press("Enter");
  EXPECT_TRUE(session().journal.size() == before || last() == "panel.focus") << last();
  press("Escape");
  open();
  press_key(ImGuiKey_DownArrow);
  press("Enter");
  EXPECT_EQ(last(), "lane.pin");
  open();
  press_key(ImGuiKey_DownArrow);
  press_key(ImGuiKey_DownArrow);
  press("Enter");
  EXPECT_EQ(last(), "lane.hide");
}

// covers B-25
TEST_F(Menus, AreReachedAndWalkedThroughByKeys) {
  const auto has_menu = [] { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); };
  const auto says = [&](const char* text) {
    for (int i = 0; i < 3; ++i) host_->frame();  // it is measured before it is seen
    return shown_text().contains(text);
  };
  const TimeWindow before = session().trace()->view().window;
  press("F10");
  ASSERT_TRUE(has_menu());
  EXPECT_TRUE(says(">Open recent<")) << shown_text();
  press_key(ImGuiKey_RightArrow);
  EXPECT_TRUE(says(">Next hit of the filter<"));
  press_key(ImGuiKey_LeftArrow);
  press_key(ImGuiKey_LeftArrow);
  EXPECT_TRUE(says(">Keys and mouse<")) << "the last one is before the first";
  EXPECT_EQ(session().trace()->view().window, before);
  press("Escape");
  EXPECT_FALSE(has_menu());
  EXPECT_FALSE(session().dialogs.shows_menus);
  ASSERT_TRUE(run("menu.show"));
  host_->frame();
  EXPECT_TRUE(has_menu());
  ASSERT_TRUE(run("menu.show"));
  host_->frame();
  EXPECT_FALSE(has_menu());
}

// The letters of names are there, without being loaded at every start.
TEST_F(Menus, ARowOfTheEventTableOffersWhatAnElementDoes) {
  show("events");
  const auto choose = [&](const char* title) {
    const auto row = find_text("render<");
    ASSERT_TRUE(row) << shown_text();
    click(row->x + 4, row->y - 4, /*is_right=*/true);
    host_->frame();
    const auto entry = find_text(title);
    ASSERT_TRUE(entry) << shown_text();
    click(entry->x + 4, entry->y - 4);
    ASSERT_TRUE(host_->settle());
  };
  choose("Set a marker here");
  ASSERT_EQ(session().trace()->markers.all().size(), 1u);
  EXPECT_TRUE(session().trace()->markers.all()[0].element);
  choose("Show it in the inspector");
  EXPECT_TRUE(session().trace()->element());
  EXPECT_NE(session().desk.layout.first_of("inspector"), nullptr);
  show("events");
  choose("Filter to this lane");
  EXPECT_TRUE(session().trace()->view().filter.text.starts_with("lane == "));
}

TEST_F(Menus, ASliceOfThePieHasTheMenuOfItsRow) {
  show("statistics");
  const Area area = host_->workbench().place_of("statistics").value();
  std::optional<testing::ShownText> entry;
  for (float y = area.y0 + 60; y < area.y1 && !entry; y += 12) {
    click(area.x0 + 120, y, /*is_right=*/true);
    host_->frame();
    entry = find_text("Exclude");
  }
  ASSERT_TRUE(entry) << shown_text();
  click(entry->x + 4, entry->y - 4);
  const auto& journal = session().journal;
  EXPECT_TRUE(std::ranges::count(journal, "slice.exclude", &JournalEntry::command) == 1);
}

// Entries that cannot be used now are dimmed, and say why when pointed at.
TEST_F(Menus, EntriesThatCanDoNothingSaySo) {
  show("statistics");
  const auto at = find_text("render");
  ASSERT_TRUE(at) << shown_text();
  const auto point_at = [&](const char* entry) {
    click(at->x + 3, at->y - 3, /*is_right=*/true);
    const auto found = find_text(entry);
    EXPECT_TRUE(found) << entry;
    click(found->x + 4, found->y - 4);
    return shown_text();
  };
  const auto count_of = [&](const char* command) {
    return std::ranges::count(session().journal, command, &JournalEntry::command);
  };
  for (const auto& [entry, why, command] :
       {std::tuple("Bring all excluded back", "no slice is excluded", "slice.restore"),
        std::tuple("Unmerge", "it is not a merged slice", "slice.unmerge")}) {
    EXPECT_TRUE(point_at(entry).contains(why)) << entry << shown_text();
    EXPECT_EQ(count_of(command), 0) << entry;
    press("Escape");
  }
  ASSERT_TRUE(run("slice.exclude", {{"panel", "statistics"}, {"names", {"wait"}}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(point_at("Bring all excluded back").contains("no slice is excluded"));
  EXPECT_EQ(count_of("slice.restore"), 1);
}

TEST_F(Menus, AnInstantHasAMenuWhereverTimeRunsAlongAPanel) {
  ASSERT_TRUE(run("panel.open", {{"panel", "flame"}}));
  ASSERT_TRUE(run("panel.set", {{"panel", "flame"}, {"option", "view"}, {"value", "chart"}}));
  size_t markers = 0;
  for (const char* panel : {"overview", "density", "flame"}) {
    show(panel);
    const Area area = host_->workbench().place_of(panel).value();
    click((area.x0 + area.x1) / 2, panel == std::string("flame") ? area.y1 - 8 : area.y0 + 40,
          /*is_right=*/true);
    host_->frame();
    const auto entry = find_text("Set a marker here");
    ASSERT_TRUE(entry) << panel << shown_text();
    click(entry->x + 4, entry->y - 4);
    EXPECT_EQ(session().trace()->markers.all().size(), ++markers) << panel;
  }
}

TEST_F(Menus, LettersOfOtherScriptsAreFetchedWhenTheyAreDrawn) {
  show("gantt");
  const auto has = [](ImWchar letter) {
    return ImGui::GetIO().Fonts->Fonts[0]->FindGlyphNoFallback(letter) != nullptr;
  };
  EXPECT_FALSE(has(0x0416));
  EXPECT_FALSE(has(0x05D0));
  EXPECT_FALSE(has(0x6F22));
  ASSERT_TRUE(run("marker.add", {{"at", 50'000}, {"name", "\u0416 \u05d0 \u6f22"}}));
  (void)picture("letters.png");
  EXPECT_TRUE(has(0x0416));
  EXPECT_TRUE(has(0x05D0));
  const bool has_wide_font =
      std::filesystem::exists("/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf");
  EXPECT_EQ(has(0x6F22), has_wide_font);
}

// covers FS-18: titles and cells are seen whole, and the rest can be scrolled to
TEST_F(Menus, ColumnsAreFittedToWhatTheyShow) {
  start(sized(420, 300));
  if (!host_) return;
  open_sample();
  show("events");
  const size_t before = session().journal.size();
  (void)commands_of_menu_at(100, 150);
  size_t fitted_at_once = 0;  // by an entry of the menu
  for (size_t i = before; i < session().journal.size(); ++i) {
    const Json& args = session().journal[i].args;
    if (args.value("option", "") == "widths" && args["value"].is_object()) {
      fitted_at_once = args["value"].size();
    }
  }
  EXPECT_EQ(fitted_at_once, 6u);
  const Json wide = {{"time", 300.0}};
  ASSERT_TRUE(run("panel.set", {{"panel", "events"}, {"option", "widths"}, {"value", wide}}));
  (void)picture("columns_aside.png");
  const auto width_of_time = [&] {
    return session().desk.layout.find("events")->options["widths"].value("time", 0.0);
  };
  ASSERT_EQ(width_of_time(), 300);
  for (int i = 0; i < 2; ++i) click(300, 43);  // a double click on the border of its title
  host_->frame();
  EXPECT_GT(width_of_time(), 30);
  EXPECT_LT(width_of_time(), 120);
}

TEST_F(Menus, NumbersStandNearToWhatTheyAreOfAndColumnsStayAsTheyAreSet) {
  start(sized(3000, 600));
  if (!host_) return;
  open_sample();
  show("selection");
  ASSERT_TRUE(run("select.range", {{"from", 0}, {"to", 50'000}}));
  ASSERT_TRUE(host_->settle());
  const auto count_x = [&] { return find_text("Count")->x; };
  ASSERT_TRUE(find_text("Count"));
  const float at_first = count_x();
  EXPECT_LT(at_first, 800);
  // The beginning of a path names the process.
  show("events");
  ASSERT_TRUE(host_->settle());
  EXPECT_GE(find_text("Category")->x - find_text("Lane")->x, 290);
  show("selection");
  ASSERT_TRUE(host_->settle());
  // The name is what takes the room that is left, but not what was given to others.
  ASSERT_TRUE(run("panel.set",
                  {{"panel", "selection"}, {"option", "widths"}, {"value", {{"name", 200.0}}}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_LT(count_x(), at_first - 200);
}

TEST_F(Menus, LanesAreGroupedUnderANameThatIsTyped) {
  show("gantt");
  ASSERT_TRUE(run("select.toggle_lane", {{"lane", 1}}));
  ASSERT_TRUE(run("select.toggle_lane", {{"lane", 2}}));
  const auto groups = [&] { return session().trace()->arrangement().groups; };
  for (float down = 10; down < 300 && groups().empty(); down += 9) {
    const size_t before = session().journal.size();
    click(60, 26 + 22 + 10, /*is_right=*/true);
    click(84, 26 + 22 + 10 + down);
    const bool has_run = session().journal.size() > before;  // of another entry
    if (!has_run) {
      type("mine %s");
      press_key(ImGuiKey_Enter);
    }
    for (; groups().empty() && session().journal.size() > before;) {
      if (!undo()) break;
    }
    press("Escape");
    ASSERT_TRUE(run("select.range", {{"from", 0}, {"to", 10}, {"lanes", {1, 2}}}));
    ASSERT_TRUE(host_->settle());
  }
  ASSERT_EQ(groups().size(), 1u);
  EXPECT_EQ(groups()[0].name, "mine %s");
  EXPECT_EQ(groups()[0].lanes, (std::vector{LaneId(1), LaneId(2)}));
  (void)picture("group.png");
  ASSERT_TRUE(run("lane.collapse", {{"lane", layout::id_of(groups()[0]).value()}}));
  (void)picture("group-folded.png");
}

TEST_F(Menus, AnEyeInTheLegendHidesItsType) {
  show("legend");
  const render::Image before = picture("legend-eyes.png");
  for (float y = 40; y < 200 && !session().trace()->view().filter.is_set(); y += 6) click(13, y);
  ASSERT_TRUE(session().trace()->view().filter.is_set());
  EXPECT_EQ(session().trace()->view().filter.mode, FilterMode::kHide);
  EXPECT_NE(picture("legend-hidden.png").pixels, before.pixels);
}

// covers B-09
TEST_F(Menus, TheInspectorsButtonsStepFromElementToElement) {
  show("inspector");
  ASSERT_TRUE(run("element.select",
                  {{"lane", 1}, {"kind", "state"}, {"type", 0}, {"depth", 0}, {"at", 1'000}}));
  ASSERT_TRUE(host_->settle());
  (void)picture("inspector-steps.png");
  const size_t before = session().journal.size();
  const Area area = host_->workbench().place_of("inspector").value();
  for (float x = area.x0; x < area.x0 + 640; x += 9) {
    click(x, area.y0 + 18);
    ASSERT_TRUE(host_->settle());
  }
  std::set<std::string> commands;
  for (size_t i = before; i < session().journal.size(); ++i)
    commands.insert(session().journal[i].command);
  for (const char* command :
       {"element.next", "element.next_of_type", "element.previous_of_type", "element.along_link",
        "element.child", "element.parent", "element.lane_below", "element.reveal"})
    EXPECT_TRUE(commands.contains(command)) << command;
}

TEST_F(Menus, SqlIsAskedByKeysAndGivesMoreRowsOnDemand) {
  show("sql");
  click(300, 60);
  press_key(ImGuiKey_A, /*control=*/true);
  type(
      "with recursive n(i) as (select 1 union all select i + 1 from n limit 30000) select i from "
      "n");
  const auto runs = [&] {
    return std::ranges::count(session().journal, "sql.run", &JournalEntry::command);
  };
  press_key(ImGuiKey_Enter);
  EXPECT_EQ(runs(), 0) << "Enter alone begins a line";
  press_key(ImGuiKey_Enter, /*control=*/true);
  ASSERT_EQ(runs(), 1);
  ASSERT_TRUE(host_->settle());
  const auto limit = [&] { return session().desk.layout.find("sql")->options.value("limit", 0); };
  EXPECT_EQ(limit(), 0);
  for (float down = 10; down < 200 && limit() == 0; down += 9) {
    click(100, 400, /*is_right=*/true);
    click(124, 400 + down);
    press("Escape");
    ASSERT_TRUE(host_->settle());
  }
  EXPECT_EQ(limit(), 100'000);
  (void)picture("sql-more.png");
}

}  // namespace
}  // namespace weft::app

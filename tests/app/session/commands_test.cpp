// covers the table of commands: every row, by name, with its arguments, and back from a journal
#include "app/session/commands.h"
#include "app/session/panel_kinds.h"

#include <gtest/gtest.h>

#include <set>

#include "app/panels/panels.h"
#include "app/session/element_args.h"
#include "tests/app/session/commands_fixture.h"

namespace weft::app {
namespace {

TEST_F(Commands, EachHasATitleAndItsOwnNameAndKeys) {
  std::set<std::string_view> names;
  std::set<std::string_view> shortcuts;
  for (const CommandRow& row : command_table()) {
    EXPECT_FALSE(row.title.empty()) << row.name;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    if (!row.shortcut.empty()) {
      EXPECT_TRUE(shortcuts.insert(row.shortcut).second) << row.name;
    }
    EXPECT_EQ(find_command(row.name), &row);
  }
  EXPECT_EQ(KeyMap().find("Home")->name, "view.fit");
  EXPECT_EQ(KeyMap().find("F")->name, "view.fit");
  EXPECT_EQ(KeyMap().find("Ctrl+Alt+X"), nullptr);
}

TEST_F(Commands, ComeBackFromTheJournalAsTheyWere) {
  for (const CommandRow& row : command_table()) {
    const Command command = {std::string(row.name), {{"from", -5}, {"to", "40%"}, {"at", 1.5}}};
    const auto back = command_from_json(json_from_command(command));
    ASSERT_TRUE(back) << row.name;
    EXPECT_EQ(back->name, command.name);
    EXPECT_EQ(back->args, command.args);
  }
}

TEST_F(Commands, SelectAnElementByWhatItIs) {
  const Json args = {{"lane", 2}, {"kind", "link_out"}, {"type", 1}, {"at", 2'000},
                     {"peer", 1}, {"duration", 900},    {"nth", 3}};
  ASSERT_TRUE(run("element.select", args));
  const query::ElementRef ref = *session_.trace()->element();
  EXPECT_EQ(ref.kind, store::RowKind::kLinkOut);
  EXPECT_EQ(ref.peer, LaneId(1));
  EXPECT_EQ(ref.duration.ticks, 900);
  EXPECT_EQ(args_from_element(ref), args);
  for (const char* missing : {"lane", "kind", "type", "at"}) {
    Json less = args;
    less.erase(missing);
    EXPECT_FALSE(run("element.select", less)) << missing;
  }
  EXPECT_FALSE(run("element.select", {{"lane", 2}, {"kind", "x"}, {"type", 1}, {"at", 0}}));
  EXPECT_FALSE(run("element.select", {{"lane", 2}, {"kind", "state"}, {"type", 999}, {"at", 0}}));
  ASSERT_TRUE(run("element.clear"));
  EXPECT_FALSE(session_.trace()->element());
  EXPECT_FALSE(run("element.next"));
}

// covers B-11, TV-29
TEST_F(Commands, SetChangeAndRemoveMarkers) {
  ASSERT_TRUE(run("marker.add", {{"at", 5'000}, {"name", "later"}, {"color", 2}}));
  ASSERT_TRUE(run("marker.add", {{"from", 1'000}, {"to", 2'000}, {"note", "warm"}}));
  const Markers& markers = session_.trace()->markers;
  ASSERT_EQ(markers.all().size(), 2u);
  EXPECT_EQ(markers.all()[0].note, "warm");
  EXPECT_EQ(markers.all()[1].color, 2);
  const uint32_t id = markers.all()[1].id;
  ASSERT_TRUE(run("marker.change", {{"id", id}, {"at", 500}, {"name", "first"}}));
  EXPECT_EQ(markers.all()[0].name, "first");
  EXPECT_FALSE(run("marker.change", {{"id", id}, {"color", 99}}));
  ASSERT_TRUE(run("marker.change", {{"id", id}, {"every", "2us"}}));
  EXPECT_EQ(markers.all()[0].every, Duration{2'000});
  EXPECT_FALSE(run("marker.change", {{"id", id}, {"every", -1}}));
  EXPECT_FALSE(run("marker.remove", {{"id", 77}}));
  ASSERT_TRUE(run("view.set", {{"from", 40'000}, {"to", 41'000}}));
  ASSERT_TRUE(run("marker.previous"));
  EXPECT_TRUE(view().window.range().contains({1'000}));
  ASSERT_TRUE(run("marker.previous"));
  EXPECT_TRUE(view().window.range().contains({500}));
  EXPECT_FALSE(run("marker.previous"));
  Marker removed = markers.all()[0];
  ASSERT_EQ(removed.id, id);
  ASSERT_TRUE(run("marker.remove", {{"id", id}}));
  EXPECT_EQ(markers.all().size(), 1u);
  // A click restores what was written to it.
  const Message said = session_.messages.last;
  EXPECT_EQ(said.text, "Marker 'first' removed");
  ASSERT_TRUE(said.offer);
  ASSERT_TRUE(run(said.offer->command.c_str(), said.offer->args));
  removed.id = markers.all()[0].id;
  EXPECT_EQ(markers.all()[0], removed);
  ASSERT_TRUE(run("marker.remove", {{"id", removed.id}}));
  EXPECT_FALSE(run("marker.add_selection"));
  ASSERT_TRUE(run("select.range", {{"from", 10}, {"to", 20}}));
  ASSERT_TRUE(run("marker.add_selection"));
  EXPECT_EQ(markers.all().front().range, (TimeRange{{10}, {20}}));
  ASSERT_TRUE(run("marker.around_selection"));
  EXPECT_EQ(markers.b(), Time{20});
}

// covers TM-24
TEST_F(Commands, AMarkerOfAMessageLeadsBackToIt) {
  const Json message = {{"lane", 1},   {"kind", "link_out"}, {"type", 3},
                        {"at", 2'000}, {"duration", 900},    {"peer", 5}};
  ASSERT_TRUE(run("element.select", message));
  const auto selected = session_.trace()->element();
  ASSERT_TRUE(run("marker.add_selection"));
  const Markers& markers = session_.trace()->markers;
  ASSERT_EQ(markers.all().size(), 1u);
  const Marker& marker = markers.all().front();
  EXPECT_EQ(marker.name, session_.trace()->trace()->dictionary().type(EventTypeId(3)).name);
  EXPECT_EQ(marker.range.begin, Time{2'000});
  const Json show = {{"id", marker.id}};
  ASSERT_TRUE(run("element.clear"));
  ASSERT_TRUE(run("view.set", {{"from", 40'000}, {"to", 41'000}}));
  ASSERT_TRUE(run("marker.show", show));
  EXPECT_EQ(session_.trace()->element(), selected);
  EXPECT_TRUE(view().window.range().contains({2'000}));
  // There is no message where it is moved to.
  ASSERT_TRUE(run("marker.change", {{"id", marker.id}, {"at", 30'000}}));
  ASSERT_TRUE(run("element.clear"));
  ASSERT_TRUE(run("marker.show", show));
  EXPECT_FALSE(session_.trace()->element());
  EXPECT_TRUE(view().window.range().contains({30'000}));
  EXPECT_FALSE(run("marker.add", {{"at", 1}, {"element", 7}}));
  ASSERT_TRUE(run("marker.add", {{"at", 2'000}, {"element", message}, {"name", "mine"}}));
  EXPECT_EQ(markers.all().front().element, selected);
  EXPECT_EQ(markers.all().front().name, "mine");
  // Kept markers may speak of lanes that another trace of that name had.
  Marker stranger;
  stranger.range = {{50'000}, {50'000}};
  stranger.element = selected;
  stranger.element->lane = LaneId(1'000'000);
  ASSERT_TRUE(run("element.clear"));
  const auto id = session_.trace()->markers.add(stranger);
  ASSERT_TRUE(run("marker.show", {{"id", *id}}));
  EXPECT_FALSE(session_.trace()->element());
  EXPECT_TRUE(view().window.range().contains({50'000}));
}

// covers B-10, FS-59
TEST_F(Commands, ArrangeTheLanes) {
  const auto lanes = [&] { return session_.trace()->arrangement(); };
  ASSERT_TRUE(run("lane.hide", {{"lane", 2}}));
  ASSERT_TRUE(run("lane.pin", {{"lane", 1}}));
  ASSERT_TRUE(run("lane.move", {{"lane", 3}, {"before", 0}}));
  ASSERT_TRUE(run("lane.move", {{"lane", 3}}));
  ASSERT_TRUE(run("lane.filter", {{"text", "thread"}}));
  ASSERT_TRUE(run("lane.hide_empty"));
  EXPECT_EQ(lanes().hidden.size(), 1u);
  EXPECT_EQ(lanes().pinned, std::vector{LaneId(1)});
  EXPECT_EQ(lanes().moves, (std::vector{layout::LaneMove{LaneId(3), LaneId::none()}}));
  ASSERT_TRUE(run("lane.show_all"));
  EXPECT_TRUE(lanes().hidden.empty() && lanes().filter.empty() && !lanes().hides_empty);
  EXPECT_TRUE(lanes().shows_eventless);
  ASSERT_TRUE(run("lane.show_only", {{"lane", 0}}));
  EXPECT_EQ(lanes().hidden, std::unordered_set{LaneId(3)});
  ASSERT_TRUE(run("lane.show_all"));
  ASSERT_TRUE(run("lane.show_only", {{"lane", 1}}));
  EXPECT_EQ(lanes().hidden, (std::unordered_set{LaneId(2), LaneId(3)})) << "of other parents, too";
  ASSERT_TRUE(run("lane.show_only", {{"lane", 4}}));
  EXPECT_EQ(lanes().hidden, (std::unordered_set{LaneId(0), LaneId(2), LaneId(5)}));
  ASSERT_TRUE(run("lane.sort", {{"by", "activity"}}));
  EXPECT_TRUE(lanes().moves.empty());
  EXPECT_FALSE(run("lane.sort", {{"by", "size"}}));
  EXPECT_FALSE(run("lane.move", {{"lane", 1}, {"before", 99}}));
  ASSERT_TRUE(run("lane.reset"));
  EXPECT_EQ(lanes(), layout::LaneArrangement{});
}

// covers FS-20, B-02, FS-21
TEST_F(Commands, StepByWindowsAndComeBackToKeptViews) {
  ASSERT_TRUE(run("view.set", {{"from", 20'000}, {"to", 30'000}}));
  ASSERT_TRUE(run("bookmark.set", {{"slot", 3}}));
  EXPECT_EQ(session_.messages.last.text, "The view is kept as 3: 3 goes back to it");
  ASSERT_TRUE(run("view.next"));
  EXPECT_EQ(view().window.range(), (TimeRange{{30'000}, {40'000}}));
  ASSERT_TRUE(run("view.previous"));
  EXPECT_EQ(view().window.range(), (TimeRange{{20'000}, {30'000}}));
  ASSERT_TRUE(run("view.fit"));
  EXPECT_FALSE(run("view.next")) << "the trace ends with this window";
  EXPECT_FALSE(run("view.previous"));
  ASSERT_TRUE(run("bookmark.show_3"));
  ASSERT_TRUE(run("view.go", {{"at", "+50us"}}));
  EXPECT_EQ(view().window.range(), (TimeRange{{45'000}, {55'000}}));
  ASSERT_TRUE(run("bookmark.show_3"));
  EXPECT_EQ(view().window.range(), (TimeRange{{20'000}, {30'000}}));
  EXPECT_FALSE(run("bookmark.show", {{"slot", 4}}));
  EXPECT_FALSE(run("bookmark.set", {{"slot", 1.5}}));
  EXPECT_FALSE(run("mouse.mode", {{"mode", "fly"}}));
}

TEST_F(Commands, SetTheViewByTicksAndByText) {
  ASSERT_TRUE(run("view.set", {{"from", 20'000}, {"to", 60'000}}));
  EXPECT_EQ(view().window.range(), (TimeRange{{20'000}, {60'000}}));
  ASSERT_TRUE(run("view.set", {{"from", "+10us"}, {"to", "+20us"}}));
  EXPECT_EQ(view().window.range().length().ticks, 10'000);
  EXPECT_FALSE(run("view.set", {{"from", 10}, {"to", 10}}));
  EXPECT_FALSE(run("view.set", {{"from", 10}, {"to", "ten"}}));
}

TEST_F(Commands, ThatSetTheViewAreExact) {
  const TimeWindow window = TimeWindow::from_range({{5'000}, {5'020}}).panned(0.375);
  ASSERT_TRUE(run("view.set", view_set_command(window).args));
  EXPECT_EQ(view().window, window);
}

TEST_F(Commands, ZoomAroundATime) {
  ASSERT_TRUE(run("view.fit"));
  const Time at = {30'000};
  const double before = view().window.fraction_from_time(at);
  ASSERT_TRUE(run("view.zoom", {{"factor", 4}, {"at", at.ticks}}));
  EXPECT_NEAR(view().window.fraction_from_time(at), before, 1e-4);
  EXPECT_FALSE(run("view.zoom", {{"factor", 0}}));
}

TEST_F(Commands, PanByAShareOfTheWindow) {
  ASSERT_TRUE(run("view.set", {{"from", 20'000}, {"to", 40'000}}));
  ASSERT_TRUE(run("view.pan", {{"fraction", 0.5}}));
  EXPECT_EQ(view().window.begin.ticks, 30'000);
  ASSERT_TRUE(run("view.pan", {{"ticks", -1'000}}));
  EXPECT_EQ(view().window.begin.ticks, 29'000);
}

TEST_F(Commands, TenStepsAndTenStepsBackLookTheSame) {
  std::vector<View> views = {view()};
  for (int i = 0; i < 10; ++i) {
    switch (i % 3) {
      case 0:
        ASSERT_TRUE(run("view.zoom", {{"factor", 1.7}, {"at", 30'000 + i}}));
        break;
      case 1:
        ASSERT_TRUE(run("view.pan", {{"fraction", 0.13}}));
        break;
      case 2:
        ASSERT_TRUE(run("scroll", {{"rows", 2}}));
        break;
    }
    views.push_back(view());
  }
  for (int i = 9; i >= 0; --i) {
    ASSERT_TRUE(run("view.undo"));
    EXPECT_EQ(view(), views[static_cast<size_t>(i)]) << i;
  }
  EXPECT_NE(obstacle_to("view.undo", session_), "");
  for (int i = 1; i <= 10; ++i) {
    ASSERT_TRUE(run("view.redo"));
    EXPECT_EQ(view(), views[static_cast<size_t>(i)]) << i;
  }
}

// The same keys as everywhere else, besides those of browsers.
TEST_F(Commands, UndoHasTheKeysThatFingersKnow) {
  const KeyMap keys;
  const auto command = [&](const char* chord) {
    const CommandRow* row = keys.find(chord);
    return row ? row->name : std::string_view();
  };
  for (const char* chord : {"Alt+Left", "Ctrl+Z"}) EXPECT_EQ(command(chord), "view.undo") << chord;
  for (const char* chord : {"Alt+Right", "Ctrl+Y", "Ctrl+Shift+Z"})
    EXPECT_EQ(command(chord), "view.redo") << chord;
}

TEST_F(Commands, OfOneGestureAreOneStepBack) {
  ASSERT_TRUE(run("view.set", {{"from", 10'000}, {"to", 50'000}}));
  const View before = view();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(run("view.pan", {{"ticks", 100}}, 7));
  ASSERT_TRUE(run("view.undo"));
  EXPECT_EQ(view(), before);
}

// Lanes are called by their names or paths, as one reads them: their numbers stand nowhere.
TEST_F(Commands, TakeLanesByTheirNames) {
  const auto lanes = [&] { return session_.trace()->arrangement(); };
  ASSERT_TRUE(run("lane.hide", {{"lane", "process 1"}}));
  EXPECT_EQ(lanes().hidden, std::unordered_set{LaneId(3)});
  ASSERT_TRUE(run("lane.pin", {{"lane", "process 0/thread 0"}}));
  EXPECT_EQ(lanes().pinned, std::vector{LaneId(1)});
  ASSERT_TRUE(run("lane.group", {{"name", "mine"}, {"lanes", {"process 0/thread 1"}}}));
  ASSERT_TRUE(run("lane.rename_group", {{"lane", "mine"}, {"name", "ours"}}));
  EXPECT_EQ(lanes().groups.at(0).name, "ours");
  const Status several = run("lane.hide", {{"lane", "thread 1"}});
  ASSERT_FALSE(several);
  EXPECT_TRUE(several.error().message.contains("process 0/thread 1")) << several.error().message;
  EXPECT_FALSE(run("lane.hide", {{"lane", "nobody"}}));
}

// covers B-10, FS-59
TEST_F(Commands, TakeSeveralLanesAtOnce) {
  const auto lanes = [&] { return session_.trace()->arrangement(); };
  using Lanes = std::unordered_set<LaneId>;
  ASSERT_TRUE(run("select.toggle_lane", {{"lane", 1}}));
  ASSERT_TRUE(run("select.toggle_lane", {{"lane", 2}}));
  ASSERT_TRUE(run("lane.hide", {{"lanes", {1, "process 1/thread 0"}}}));
  EXPECT_EQ(lanes().hidden, (Lanes{LaneId(1), LaneId(4)}));
  EXPECT_EQ(session_.trace()->selected_lanes, std::vector{LaneId(2)}) << "what is hidden is not";
  ASSERT_TRUE(run("lane.show", {{"lanes", {4}}}));
  EXPECT_EQ(lanes().hidden, Lanes{LaneId(1)});
  ASSERT_TRUE(run("lane.show_only", {{"lanes", {1, 5}}}));
  EXPECT_EQ(lanes().hidden, (Lanes{LaneId(2), LaneId(4)}));
  ASSERT_TRUE(run("view.undo"));
  EXPECT_EQ(lanes().hidden, Lanes{LaneId(1)}) << "one step";
  ASSERT_TRUE(run("lane.show_all"));
  ASSERT_TRUE(run("lane.show_only", {{"lanes", {0, 1}}}));
  EXPECT_EQ(lanes().hidden, Lanes{LaneId(3)}) << "of a lane all that lies below it";
  ASSERT_TRUE(run("lane.pin", {{"lanes", {5, 2}}}));
  EXPECT_EQ(lanes().pinned, (std::vector{LaneId(5), LaneId(2)}));
  ASSERT_TRUE(run("lane.pin", {{"lane", 2}, {"before", 5}}));
  EXPECT_EQ(lanes().pinned, (std::vector{LaneId(2), LaneId(5)}));
  ASSERT_TRUE(run("lane.pin", {{"lane", 1}, {"before", 4}}));
  EXPECT_EQ(lanes().pinned, (std::vector{LaneId(2), LaneId(5), LaneId(1)})) << "4 is not there";
  EXPECT_FALSE(run("lane.pin", {{"lane", 1}, {"before", 99}}));
  ASSERT_TRUE(run("lane.unpin", {{"lane", 1}}));
  ASSERT_TRUE(run("lane.unpin", {{"lanes", {2, 5}}}));
  EXPECT_TRUE(lanes().pinned.empty());
  EXPECT_FALSE(run("lane.hide", {{"lanes", {1, "nobody"}}}));
  ASSERT_TRUE(run("select.lanes", {{"lanes", {5, 1, 5, "process 0/thread 0", 2}}}));
  EXPECT_EQ(session_.trace()->selected_lanes, (std::vector{LaneId(5), LaneId(1), LaneId(2)}));
}

// covers FS-54
TEST_F(Commands, AGroupThatThereIsNotIsAnsweredByThoseThatThereAre) {
  const Status none = run("group.delete", {{"group", "boot"}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "group.delete: there is no group of views: group.add makes one");
  ASSERT_TRUE(run("panel.open", {{"panel", "events"}}));
  ASSERT_TRUE(run("group.add", {{"panel", "events"}, {"group", "start"}}));
  const Status other = run("group.delete", {{"group", "boot"}});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "group.delete: there is no group 'boot', but start");
}

// Whatever else leaves lanes out stays in force.
TEST_F(Commands, ALaneIsBroughtBackAlone) {
  const auto lanes = [&] { return session_.trace()->arrangement(); };
  ASSERT_TRUE(run("lane.filter", {{"text", "process 0"}}));
  ASSERT_TRUE(run("lane.hide", {{"lanes", {1, 2}}}));
  ASSERT_TRUE(run("lane.go", {{"lane", 1}}));
  EXPECT_EQ(lanes().hidden, std::unordered_set{LaneId(2)});
  EXPECT_EQ(lanes().filter, "process 0");
  EXPECT_FALSE(lanes().shows_eventless);
  ASSERT_TRUE(run("lane.hide_empty", {{"on", true}}));
  ASSERT_TRUE(run("lane.reveal", {{"lane", 5}}));
  EXPECT_EQ(lanes().filter, "") << "it was in the way";
  EXPECT_TRUE(lanes().hides_empty);
  EXPECT_FALSE(lanes().shows_eventless);
}

TEST_F(Commands, GoToALaneWhereverItIs) {
  const OpenTrace& trace = *session_.trace();
  ASSERT_TRUE(run("lane.collapse", {{"lane", 3}}));
  ASSERT_TRUE(run("lane.hide", {{"lane", 0}}));
  const uint64_t reveals = trace.last_reveal().serial;
  ASSERT_TRUE(run("lane.go", {{"lane", "process 1/thread 1"}}));
  EXPECT_TRUE(trace.lanes()->collapsed.empty());
  EXPECT_FALSE(trace.arrangement().hidden.empty()) << "what it does not need stays as it is";
  EXPECT_GT(trace.last_reveal().serial, reveals);
  EXPECT_EQ(trace.last_reveal().lane, LaneId(5));
  ASSERT_TRUE(run("lane.go", {{"lane", "process 0/thread 1"}}));
  EXPECT_TRUE(trace.arrangement().hidden.empty());
}

// covers B-02, B-10: what was done to lanes and to the height of rows is taken back in its order
TEST_F(Commands, LanesAndHeightsAreUndone) {
  const auto hidden = [&] { return session_.trace()->arrangement().hidden.size(); };
  const double px = session_.look.row_height_px;
  ASSERT_TRUE(run("lane.hide", {{"lane", 2}}));
  ASSERT_TRUE(run("view.set", {{"from", 10'000}, {"to", 50'000}}));
  const View there = view();
  ASSERT_TRUE(run("row_height", {{"px", px + 6}}));
  ASSERT_TRUE(run("row_height", {{"px", px + 8}}, 9));
  ASSERT_TRUE(run("row_height", {{"px", px + 9}}, 9));
  ASSERT_TRUE(run("lane.collapse", {{"lane", 0}}));
  ASSERT_TRUE(run("view.undo"));
  EXPECT_TRUE(session_.trace()->collapsed().empty());
  ASSERT_TRUE(run("view.undo"));
  EXPECT_EQ(session_.look.row_height_px, px + 6) << "a gesture is one step";
  ASSERT_TRUE(run("view.undo"));
  EXPECT_EQ(session_.look.row_height_px, px);
  EXPECT_EQ(view(), there);
  ASSERT_TRUE(run("view.undo"));
  EXPECT_EQ(hidden(), 1u);
  ASSERT_TRUE(run("view.undo"));
  EXPECT_EQ(hidden(), 0u);
  EXPECT_NE(obstacle_to("view.undo", session_), "");
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(run("view.redo"));
  EXPECT_EQ(hidden(), 1u);
  EXPECT_EQ(view(), there);
  EXPECT_EQ(session_.look.row_height_px, px + 9);
  ASSERT_TRUE(run("lane.show_all"));  // a new step: nothing is left to do again
  EXPECT_NE(obstacle_to("view.redo", session_), "");
}

// covers B-10
TEST_F(Commands, GroupLanes) {
  const auto groups = [&] { return session_.trace()->arrangement().groups; };
  EXPECT_FALSE(run("lane.group", {{"name", "mine"}})) << "nothing is selected";
  ASSERT_TRUE(run("select.toggle_lane", {{"lane", 1}}));
  ASSERT_TRUE(run("select.toggle_lane", {{"lane", 4}}));
  ASSERT_TRUE(run("lane.group", {{"name", "mine"}}));
  ASSERT_EQ(groups().size(), 1u);
  EXPECT_EQ(groups()[0].lanes, (std::vector{LaneId(1), LaneId(4)}));
  ASSERT_TRUE(run("lane.group", {{"name", "yours"}, {"lanes", {4, 5}}}));
  EXPECT_EQ(groups()[0].lanes, std::vector{LaneId(1)}) << "a lane is in one group";
  const uint32_t mine = layout::id_of(groups()[0]).value();
  const uint32_t yours = layout::id_of(groups()[1]).value();
  ASSERT_TRUE(run("lane.rename_group", {{"lane", mine}, {"name", "all mine"}}));
  EXPECT_EQ(groups()[0].name, "all mine");
  EXPECT_FALSE(run("lane.rename_group", {{"lane", mine}, {"name", "yours"}}));
  EXPECT_FALSE(run("lane.rename_group", {{"lane", 1}, {"name", "x"}}));
  // A group is folded, pinned and hidden as a lane is.
  ASSERT_TRUE(run("lane.toggle", {{"lane", yours}}));
  ASSERT_TRUE(run("lane.pin", {{"lane", yours}}));
  ASSERT_TRUE(run("lane.hide", {{"lane", mine}}));
  EXPECT_TRUE(session_.trace()->collapsed().contains(LaneId(yours)));
  // A group that lost its last lane is gone, with all that was said of it.
  ASSERT_TRUE(run("lane.ungroup", {{"lane", 1}}));
  EXPECT_EQ(groups().size(), 1u);
  EXPECT_TRUE(session_.trace()->arrangement().hidden.empty());
  EXPECT_FALSE(run("lane.toggle", {{"lane", mine}}));
  ASSERT_TRUE(run("lane.ungroup", {{"lane", yours}}));
  EXPECT_TRUE(groups().empty());
  EXPECT_TRUE(session_.trace()->collapsed().empty());
  EXPECT_FALSE(run("lane.ungroup", {{"lane", 1}}));
  ASSERT_TRUE(run("view.undo"));
  EXPECT_EQ(groups().size(), 1u);
  EXPECT_EQ(session_.trace()->arrangement().pinned, std::vector{LaneId(yours)});
}

TEST_F(Commands, FoldLanes) {
  ASSERT_TRUE(run("lane.toggle", {{"lane", 0u}}));
  EXPECT_EQ(session_.trace()->collapsed().size(), 1u);
  ASSERT_TRUE(run("lane.toggle", {{"lane", 0u}}));
  EXPECT_TRUE(session_.trace()->collapsed().empty());
  ASSERT_TRUE(run("lane.collapse_all"));
  EXPECT_EQ(session_.trace()->collapsed().size(), 2u);  // the processes: threads have nothing below
  ASSERT_TRUE(run("lane.expand_all"));
  EXPECT_TRUE(session_.trace()->collapsed().empty());
  EXPECT_FALSE(run("lane.toggle", {{"lane", 4'000'000'000u}}));
}

TEST_F(Commands, ZoomToTheSelection) {
  EXPECT_FALSE(run("view.zoom_to_selection"));
  ASSERT_TRUE(run("select.range", {{"from", 1'000}, {"to", 3'000}}));
  ASSERT_TRUE(run("view.zoom_to_selection"));
  EXPECT_EQ(view().window.range(), (TimeRange{{1'000}, {3'000}}));
  ASSERT_TRUE(run("escape"));
  EXPECT_FALSE(session_.trace()->selection);
}

TEST_F(Commands, WithoutATraceSaySo) {
  Session empty;
  for (const char* name : {"view.fit", "view.undo", "lane.collapse_all", "close", "load.cancel"}) {
    const Status status = apply_command(empty, {name});
    ASSERT_FALSE(status) << name;
    EXPECT_EQ(status.error().message, std::string(name) + ": no trace is open");
  }
}

TEST_F(Commands, ThatGoToATimeGoCloserWhereItIsShownAlready) {
  const auto go = [&](const char* at) {
    EXPECT_TRUE(run("view.go", {{"at", at}}));
    return session_.trace()->view().window;
  };
  const auto middle = [&](const char* at) {
    return session_.trace()->view().window.fraction_from_time(
        parse_time(at, session_.trace()->range(), session_.trace()->time_base()).value());
  };
  ASSERT_TRUE(run("view.fit"));
  const double all = view().window.length;
  EXPECT_NEAR(go("40%").length, all / 10, all / 1000) << "nothing can move while all is shown";
  EXPECT_NEAR(middle("40%"), 0.5, 0.01);
  EXPECT_NEAR(go("70%").length, all / 10, all / 1000) << "at the same zoom";
  EXPECT_NEAR(middle("70%"), 0.5, 0.01);
  EXPECT_NEAR(go("70%").length, all / 100, all / 1000) << "and again";
  EXPECT_NEAR(middle("70%"), 0.5, 0.01);
  ASSERT_TRUE(run("view.fit"));
  const TimeWindow end = go("100%");
  EXPECT_NEAR(end.length, all / 10, all / 1000);
  EXPECT_LE(end.range().end, session_.trace()->range().end + Duration{1}) << "nothing lies beyond";
  EXPECT_TRUE(run("view.undo"));
  EXPECT_EQ(view().window.length, all);
}

TEST_F(Commands, ThatFailLeaveTheViewAsItWas) {
  const View before = view();
  EXPECT_FALSE(run("view.zoom", {{"factor", 2}, {"at", "nonsense"}}));
  EXPECT_FALSE(run("view.set", {{"from", 0}, {"to", 50}, {"fraction", 7}}));
  EXPECT_FALSE(run("theme", {{"name", "purple"}}));
  EXPECT_EQ(view(), before);
  EXPECT_EQ(session_.look.theme, layout::Theme::kDark);
}

TEST_F(Commands, RefuseOddSnapshots) {
  EXPECT_FALSE(run("snapshot", {{"output", "x.png"}, {"size", "0x0"}}));
  EXPECT_FALSE(run("snapshot", {{"output", "x.png"}, {"size", "99999x99999"}}));
  EXPECT_FALSE(run("snapshot", {{"output", "x.png"}, {"panel", "nothing"}}));
  EXPECT_TRUE(session_.orders.snapshots.empty());
  EXPECT_TRUE(run("snapshot", {{"output", "x.png"}, {"panel", "gantt"}, {"size", "640x480"}}));
  ASSERT_EQ(session_.orders.snapshots.size(), 1u);
  EXPECT_EQ(session_.orders.snapshots[0].height_px, 480);
}

// covers C-22
TEST_F(Commands, PanelsAreWalkedThroughAsTheyLieAndClosedByKeys) {
  arrange_as_at_first(session_);
  const std::vector<std::string> places = session_.desk.layout.in_places();
  ASSERT_GE(places.size(), 3u);
  EXPECT_EQ(places.front(), "overview");
  ASSERT_TRUE(run("panel.focus", {{"panel", places.front()}}));
  for (size_t i = 1; i <= places.size(); ++i) {
    ASSERT_TRUE(run("panel.next"));
    EXPECT_EQ(session_.desk.layout.focused(), places[i % places.size()]);
  }
  ASSERT_TRUE(run("panel.previous"));
  EXPECT_EQ(session_.desk.layout.focused(), places.back());
  ASSERT_TRUE(run("panel.close"));
  EXPECT_EQ(session_.desk.layout.in_places().size(), places.size() - 1);
  EXPECT_EQ(find_command("panel.close")->shortcut, "Ctrl+W");
}

// covers B-28
TEST_F(Commands, APictureThatIsSavedByAKeyLeavesTheOneBefore) {
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(run("snapshot"));
  ASSERT_EQ(session_.orders.snapshots.size(), 3u);
  EXPECT_EQ(session_.orders.snapshots[0].output, "weftscope-snapshot.png");
  EXPECT_EQ(session_.orders.snapshots[1].output, "weftscope-snapshot-2.png");
  EXPECT_EQ(session_.orders.snapshots[2].output, "weftscope-snapshot-3.png");
}

// The sample's states lie two deep.
TEST_F(Commands, TheKeyOfLevelsLeadsOnlyToWhatLooksDifferent) {
  const auto levels = [&] { return session_.trace()->arrangement().levels; };
  ASSERT_TRUE(run("lane.levels"));
  EXPECT_EQ(levels(), 1u) << "four are all there are";
  ASSERT_TRUE(run("lane.levels"));
  EXPECT_EQ(levels(), 0u);
  session_.traces.clear();
  const auto flat = testing::write_one_event(folder_.path());
  session_.traces.push_back(std::make_unique<OpenTrace>(flat, testing::opened(flat)));
  ASSERT_TRUE(run("lane.levels"));
  EXPECT_EQ(levels(), 0u);
  EXPECT_TRUE(session_.messages.last.text.starts_with("No lane has states within states"))
      << session_.messages.last.text;
}

}  // namespace
}  // namespace weft::app

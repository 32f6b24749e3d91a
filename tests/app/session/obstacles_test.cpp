// Why commands can do nothing now: on a trace at which nothing was done yet, and after that.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "app/session/commands.h"
#include "app/session/panel_kinds.h"
#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

// covers CommandRow::obstacle
TEST(Obstacles, SayWhatIsInTheWayOfCommands) {
  const testing::ScratchFolder folder;
  const auto path = testing::write_sample(folder.path());
  Session session;
  session.traces.push_back(std::make_unique<OpenTrace>(path, testing::opened(path)));
  const auto run = [&](const std::string& name, Json args = Json::object()) {
    return apply_command(session, {name, std::move(args)});
  };
  const auto obstacle = [&](const char* name) { return obstacle_to(name, session); };
  EXPECT_EQ(obstacle("view.zoom"), "");
  const std::pair<const char*, const char*> in_the_way[] = {
      {"view.fit", "all of the trace is shown"},
      {"bookmark.show", "no view is kept"},
      {"lane.show_all", "all lanes are shown"},
      {"lane.unpin_all", "no lane is kept at the top"},
      {"lane.expand_all", "no lane is folded"},
      {"lane.ungroup", "there is no group of lanes"},
      {"lane.reset", "the lanes are as in the trace"},
      {"trace.align", "no other trace is open"},
      {"colors.use", "no colour was changed"},
      {"classes.use", "there are no classes of messages"},
      {"font.reset", "everything has its usual size"},
      {"report.clear", "no panel is in the report"},
      {"group.close", "there is no group of views"},
      {"slice.restore", "it needs a statistics panel (click one)"},
      {"sql.stop", "it needs an SQL panel (open one)"},
      {"view.undo", "no earlier view"},
      {"view.redo", "no later view"},
      {"view.next", "nothing is after this"},
      {"view.zoom_to_selection", "nothing is selected (drag on the ruler, or click)"},
      {"element.next", "no element is selected (click one)"},
      {"bookmark.show_1", "no view is kept as 1"},
      {"find.list", "no filter is set"},
      {"table.sort", "no table is open"},
      {"marker.next", "no marker is set"},
      {"marker.clear_cursors", "neither cursor A nor B is set"},
      {"trace.next", "no other trace is open"},
      {"load.cancel", "nothing is being loaded"},
      {"job.cancel", "nothing is being written"}};
  for (const auto& [name, words] : in_the_way) EXPECT_EQ(obstacle(name), words) << name;
  ASSERT_TRUE(run("bookmark.set_1"));
  ASSERT_TRUE(run("view.zoom", {{"factor", 4}}));
  ASSERT_TRUE(run("select.range", {{"from", 0}, {"to", 50}}));
  ASSERT_TRUE(run("filter.set", {{"text", "dur > 5ms"}}));
  ASSERT_TRUE(run("marker.add", {{"at", 5}}));
  ASSERT_TRUE(run("marker.a", {{"at", 5}}));
  ASSERT_TRUE(run("lane.hide", {{"lane", 1}}));
  ASSERT_TRUE(run("lane.pin", {{"lane", 2}}));
  ASSERT_TRUE(run("lane.collapse", {{"lane", 3}}));
  ASSERT_TRUE(run("type.color", {{"type", "wait"}, {"color", "#123456"}}));
  ASSERT_TRUE(run("font.larger"));
  for (const char* name : {"view.fit", "bookmark.show", "lane.show_all", "lane.unpin_all",
                           "lane.expand_all", "lane.reset", "colors.use", "font.reset"}) {
    EXPECT_EQ(obstacle(name), "") << name;
  }
  for (const char* name : {"view.undo", "view.next", "view.zoom_to_selection", "bookmark.show_1",
                           "find.list", "marker.next", "marker.clear_cursors"}) {
    EXPECT_EQ(obstacle(name), "") << name;
  }
  ASSERT_TRUE(run("view.undo"));
  EXPECT_EQ(obstacle("view.redo"), "");
  (void)open_panel(session.desk.layout, *find_panel_kind("density"));
  EXPECT_EQ(obstacle("table.sort"), "no table is open");
  (void)open_panel(session.desk.layout, *find_panel_kind("legend"));
  EXPECT_EQ(obstacle("table.sort"), "");
}

// covers CommandRow::obstacle
TEST(Obstacles, WithoutATraceNothingIsDoneToPanelsThatNobodySees) {
  Session session;
  session.desk.layout = default_layout();
  const size_t count = session.desk.layout.panels().size();
  for (const char* command :
       {"panel.close", "panel.duplicate", "panel.next", "table.copy", "report.add"}) {
    EXPECT_EQ(obstacle_to(command, session), "no trace is open") << command;
    EXPECT_FALSE(apply_command(session, {command})) << command;
  }
  EXPECT_EQ(session.desk.layout.panels().size(), count);
  (void)open_panel(session.desk.layout, *find_panel_kind("journal"));
  EXPECT_EQ(obstacle_to("panel.close", session), "");
  EXPECT_TRUE(apply_command(session, {"panel.close"}));
  EXPECT_EQ(session.desk.layout.panels().size(), count);
}

}  // namespace
}  // namespace weft::app

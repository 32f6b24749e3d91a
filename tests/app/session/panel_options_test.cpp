// Options that belong to the trace that a panel shows. covers FS-15, FS-16, FS-17, FS-18
#include "app/session/panel_options.h"

#include <gtest/gtest.h>

#include "tests/app/session/commands_fixture.h"

namespace weft::app {
namespace {

class PanelOptions : public Commands {
 protected:
  PanelOptions() {
    open_sample();
    EXPECT_TRUE(run("panel.open", {{"panel", "events"}}));
  }
  Status filter(const char* lane, const char* panel = "events") {
    return run("panel.set", {{"panel", panel}, {"option", "filters"}, {"value", {{"lane", lane}}}});
  }
  Json filters(const char* panel = "events") const {
    const Json options = options_in(*session_.desk.layout.find(panel), session_.trace());
    return options.value("filters", Json());
  }
};

TEST_F(PanelOptions, FiltersOfATableStayWithTheTraceThatItShows) {
  ASSERT_TRUE(filter("of the first"));
  session_.select_trace(session_.traces[1]->id());
  EXPECT_TRUE(filters().is_null());
  ASSERT_TRUE(filter("of the second"));
  session_.select_trace(session_.traces[0]->id());
  EXPECT_EQ(filters(), Json({{"lane", "of the first"}}));
  EXPECT_FALSE(session_.desk.layout.find("events")->options.contains("filters"));
  ASSERT_TRUE(run("panel.set", {{"panel", "events"}, {"option", "filters"}}));
  EXPECT_TRUE(filters().is_null());
  EXPECT_TRUE(session_.trace()->panel_options.empty());
  session_.select_trace(session_.traces[1]->id());
  EXPECT_EQ(filters(), Json({{"lane", "of the second"}}));
}

// covers FS-12
TEST_F(PanelOptions, WhatStatisticsHavePlayedIsOfOneTrace) {
  const Json played = {{"metric", "count"}, {"by", "type"}, {"from", 0}, {"to", 9}};
  ASSERT_TRUE(run("panel.open", {{"panel", "statistics"}}));
  ASSERT_TRUE(run("panel.set", {{"panel", "statistics"}, {"option", "played"}, {"value", played}}));
  const PanelInstance& panel = *session_.desk.layout.find("statistics");
  EXPECT_EQ(options_in(panel, session_.trace()).value("played", Json()), played);
  session_.select_trace(session_.traces[1]->id());
  EXPECT_FALSE(options_in(panel, session_.trace()).contains("played"));
}

TEST_F(PanelOptions, APinnedTableFiltersItsOwnTrace) {
  ASSERT_TRUE(run("panel.pin", {{"panel", "events"}, {"to", "trace"}}));
  session_.select_trace(session_.traces[1]->id());
  ASSERT_TRUE(filter("x"));
  EXPECT_TRUE(session_.traces[1]->panel_options.empty());
  EXPECT_EQ(session_.traces[0]->panel_options["events"]["filters"], Json({{"lane", "x"}}));
}

TEST_F(PanelOptions, ACopyHasTheFiltersAndAClosedPanelTakesThemAlong) {
  ASSERT_TRUE(filter("x"));
  ASSERT_TRUE(run("panel.duplicate", {{"panel", "events"}}));
  EXPECT_EQ(filters("events-2"), Json({{"lane", "x"}}));
  ASSERT_TRUE(filter("y", "events-2"));
  EXPECT_EQ(filters(), Json({{"lane", "x"}}));
  ASSERT_TRUE(run("panel.close", {{"panel", "events-2"}}));
  ASSERT_TRUE(run("panel.close", {{"panel", "events"}}));
  EXPECT_TRUE(session_.trace()->panel_options.empty());
  const Offer offer = session_.messages.last.offer.value();
  ASSERT_TRUE(run(offer.command, offer.args));
  EXPECT_EQ(filters(), Json({{"lane", "x"}}));
}

TEST_F(PanelOptions, WithoutATraceNothingIsFiltered) {
  session_.traces.clear();
  const Status status = filter("x");
  ASSERT_FALSE(status);
  EXPECT_TRUE(
      status.error().message.ends_with("'filters' is of the trace that is shown: open one first"))
      << status.error().message;
  EXPECT_FALSE(run("panel.open", {{"panel", "events"}, {"options", {{"filters", {{"a", "b"}}}}}}));
}

}  // namespace
}  // namespace weft::app

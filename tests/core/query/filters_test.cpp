#include "core/query/filter/filters.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;

class FiltersTest : public testing::Test {
 protected:
  // Lanes "lane 0" … "lane 11", types "type 0" … "type 11", [100, 200).
  FiltersTest() {
    Events events;
    events.lanes = 12;
    events.types = 12;
    for (uint32_t i = 0; i < 12; ++i) {
      events.states.push_back({{100}, {100}, ParamsId::none(), LaneId(i), EventTypeId(i)});
    }
    trace_ = build(events, folder_ / "t.weft");
  }

  Result<Selection> select(std::vector<FilterUse> uses) const {
    return query::select(*trace_, uses);
  }

  // The lanes whose event is selected.
  std::string taken(std::vector<FilterUse> uses) const {
    const auto selection = select(std::move(uses));
    if (!selection) return selection.error().message;
    std::string lanes;
    for (const FlatEvent& event : flat_events(*trace_)) {
      if (!selection->of(*trace_, *event.row).takes(event.record)) continue;
      lanes += (lanes.empty() ? "" : " ") + std::to_string(event.row->lane.value());
    }
    return lanes;
  }

  ScratchFolder folder_;
  store::TracePtr trace_;
};

TEST_F(FiltersTest, WithoutOneEverythingIsSelected) {
  const auto selection = select({});
  ASSERT_TRUE(selection);
  EXPECT_EQ(selection->range, trace_->range());
  EXPECT_TRUE(selection->filter->passes_all());
}

TEST_F(FiltersTest, MatchAnywhereAndNarrowEachOther) {
  EXPECT_EQ(taken({{"lane", "1$"}}), "1 11");
  EXPECT_EQ(taken({{"type", "^type 1"}}), "1 10 11");
  EXPECT_EQ(taken({{"lane", "1$"}, {"type", "^type 1"}, {"lane", "11"}}), "11");
  EXPECT_EQ(taken({{"where", "type == \"type 3\" || lane contains 10"}, {"lane", "1"}}), "10");
}

TEST_F(FiltersTest, TakeTimesAsUsersWriteThem) {
  const auto selection = select({{"from", "+25"}, {"to", "50%"}});
  ASSERT_TRUE(selection);
  EXPECT_EQ(selection->range, (TimeRange{{125}, {150}}));
}

TEST_F(FiltersTest, OfARangeBesideTheTraceSelectNothing) {
  EXPECT_EQ(select({{"from", "500"}})->range, (TimeRange{{500}, {500}}));
  EXPECT_EQ(select({{"to", "50"}})->range, (TimeRange{{50}, {50}}));
  EXPECT_TRUE(taken({{"from", "500"}, {"to", "400"}}).contains("before it begins"));
}

TEST_F(FiltersTest, KeepOneCategory) {
  EXPECT_EQ(taken({{"category", "link"}}), "");
  EXPECT_EQ(taken({{"category", "state"}, {"lane", "[12]$"}}), "1 2 11");
}

TEST_F(FiltersTest, SayWhatIsWrongAndWhichFilterItWas) {
  const FilterUse wrong[] = {{"lane", "a(b"},
                             {"type", "*"},
                             {"category", "states"},
                             {"where", "dur >"},
                             {"where", "dur > 3 parsecs"},
                             {"where", "type =~ /(/"},
                             {"from", "noon"},
                             {"to", "5 parsecs"}};
  for (const FilterUse& use : wrong) {
    const auto selection = select({use});
    ASSERT_FALSE(selection) << use.id;
    EXPECT_TRUE(selection.error().message.starts_with(use.id + ": ")) << selection.error().message;
  }
  EXPECT_FALSE(select({{"colour", "red"}}));
  EXPECT_FALSE(select({{"from", "150"}, {"to", "149"}}));
  EXPECT_TRUE(select({{"from", "150"}, {"to", "150"}}));
}

TEST(Filters, AreDescribedAndDiffer) {
  std::set<std::string_view> ids;
  for (const FilterOption& filter : filter_options()) {
    EXPECT_TRUE(ids.insert(filter.id).second) << filter.id;
    EXPECT_FALSE(filter.parameter.empty() || filter.help.empty()) << filter.id;
  }
}

TEST(WholeRange, HoldsAnEventAtTheVeryEnd) {
  Events events;
  events.punctuals = {{{5}, ParamsId::none(), LaneId(0), EventTypeId(0)},
                      {{9}, ParamsId::none(), LaneId(0), EventTypeId(0)}};
  const ScratchFolder folder;
  const auto trace = build(events, folder / "t.weft");
  EXPECT_TRUE(whole_range(*trace).contains({9}));
  EXPECT_LE(whole_range(*trace).end.ticks, 10);
}

}  // namespace
}  // namespace weft::query

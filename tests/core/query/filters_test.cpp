#include "core/query/filters.h"

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

  ScratchFolder folder_;
  std::shared_ptr<const store::Trace> trace_;
};

TEST_F(FiltersTest, WithoutOneEverythingIsSelected) {
  const auto selection = select({});
  ASSERT_TRUE(selection);
  EXPECT_EQ(selection->range, trace_->range());
  EXPECT_EQ(std::ranges::count(selection->lanes, true), 12);
  EXPECT_TRUE(selection->has_all_types);
}

TEST_F(FiltersTest, MatchAnywhereAndNarrowEachOther) {
  const auto selection = select({{"lane", "1$"}, {"type", "^type 1"}, {"lane", "11"}});
  ASSERT_TRUE(selection);
  EXPECT_EQ(std::ranges::count(selection->lanes, true), 1);
  EXPECT_TRUE(selection->lanes[11]);
  EXPECT_EQ(std::ranges::count(selection->types, true), 3);  // 1, 10, 11
  EXPECT_FALSE(selection->has_all_types);
}

TEST_F(FiltersTest, TakeTimesAsUsersWriteThem) {
  const auto selection = select({{"from", "+25"}, {"to", "50%"}});
  ASSERT_TRUE(selection);
  EXPECT_EQ(selection->range, (TimeRange{{125}, {150}}));
}

TEST_F(FiltersTest, KeepOneCategory) {
  const auto selection = select({{"category", "link"}});
  ASSERT_TRUE(selection);
  EXPECT_FALSE(selection->allows(trace_->rows()[0]));
  EXPECT_TRUE(select({{"category", "state"}})->allows(trace_->rows()[0]));
}

TEST_F(FiltersTest, SayWhatIsWrongAndWhichFilterItWas) {
  const FilterUse wrong[] = {{"lane", "a(b"},
                             {"type", "*"},
                             {"category", "states"},
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
  for (const Filter& filter : filters()) {
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

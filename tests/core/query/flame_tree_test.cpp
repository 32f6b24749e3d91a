// covers XC-12, B-08
#include "core/query/metrics/flame_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/base/large_vector.h"
#include "core/base/thread_pool.h"
#include "core/query/metrics/metrics.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;

// "0>1: 2 × 30 (5)": types of the path, count, total, self.
std::vector<std::string> shown(const FlameTree& tree) {
  std::vector<std::string> lines;
  for (uint32_t i = 1; i < tree.nodes().size(); ++i) {
    std::string path;
    for (uint32_t at = i; at != 0; at = tree[at].parent) {
      path = std::to_string(tree[at].type.value()) + (path.empty() ? "" : ">") + path;
    }
    lines.push_back(path + ": " + std::to_string(tree[i].count) + " x " +
                    std::to_string(tree[i].total) + " (" + std::to_string(tree[i].self) + ")");
  }
  std::ranges::sort(lines);
  return lines;
}

// Begin, end, type; nested as they lie.
store::TracePtr stacks(const ScratchFolder& folder,
                       const std::vector<std::tuple<int64_t, int64_t, uint32_t>>& states) {
  Events events;
  events.types = 4;
  for (const auto& [begin, end, type] : states) {
    events.states.push_back(
        {{begin}, {end - begin}, ParamsId::none(), LaneId(0), EventTypeId(type)});
  }
  return build(events, folder / "t.weft");
}

using Lines = std::vector<std::string>;

TEST(FlameTree, AddsUpEqualPaths) {
  const ScratchFolder folder;
  const auto trace = stacks(
      folder, {{0, 100, 0}, {10, 30, 1}, {15, 20, 2}, {40, 60, 1}, {70, 80, 2}, {200, 250, 0}});
  ThreadPool pool(2);
  const auto tree = flame_tree(*trace, Selection::all(*trace), pool);
  ASSERT_TRUE(tree);
  EXPECT_EQ(shown(*tree), (Lines{"0: 2 x 150 (100)", "0>1: 2 x 40 (35)", "0>1>2: 1 x 5 (5)",
                                 "0>2: 1 x 10 (10)"}));
  EXPECT_EQ((*tree)[0].total, 150);
  const FlameNode& outer = (*tree)[tree->children(0)[0]];
  EXPECT_EQ(std::pair(outer.min, outer.max), std::pair(int64_t{50}, int64_t{100}));
}

TEST(FlameTree, WorkThatOverlapsIsNotCalled) {
  const ScratchFolder folder;
  // 1 and 2 overlap within 0, and 3 lies in 2 alone; the last two overlap in no other.
  const auto trace =
      stacks(folder, {{0, 20, 0}, {2, 10, 1}, {5, 15, 2}, {11, 14, 3}, {30, 40, 1}, {35, 45, 2}});
  ThreadPool pool(2);
  const auto tree = flame_tree(*trace, Selection::all(*trace), pool);
  ASSERT_TRUE(tree);
  EXPECT_EQ(shown(*tree), (Lines{"0: 1 x 20 (7)", "0>1: 1 x 8 (8)", "0>2: 1 x 10 (7)",
                                 "0>2>3: 1 x 3 (3)", "1: 1 x 10 (10)", "2: 1 x 10 (10)"}));
}

// Callers and callees must not depend on where a scan cuts time.
TEST(FlameTree, WorkThatOverlapsIsTheSameInEveryWindow) {
  const ScratchFolder folder;
  std::mt19937_64 random(31);
  std::vector<std::tuple<int64_t, int64_t, uint32_t>> states;
  for (int64_t i = 0; i < 100'000; ++i) {
    const auto length = static_cast<int64_t>(random() % (i % 1000 == 0 ? 5'000 : 40));
    states.emplace_back(10 * i, 10 * i + length, static_cast<uint32_t>(random() % 4));
  }
  const auto trace = stacks(folder, states);
  ThreadPool pool(2);
  const auto tree = flame_tree(*trace, Selection::all(*trace), pool);
  ASSERT_TRUE(tree);
  std::map<std::string, uint64_t> expected;  // the longest that ends here is in front
  std::vector<std::tuple<int64_t, int64_t, std::string>> open;
  std::ranges::sort(states, [](const auto& a, const auto& b) {
    return std::pair(get<0>(a), -get<1>(a)) < std::pair(get<0>(b), -get<1>(b));
  });
  for (const auto& [begin, end, type] : states) {
    std::erase_if(open, [&](const auto& each) { return get<1>(each) <= begin; });
    std::string path = std::to_string(type);
    const auto around = std::ranges::find_if(open.rbegin(), open.rend(),
                                             [&](const auto& each) { return get<1>(each) >= end; });
    if (around != open.rend()) path = get<2>(*around) + ">" + path;
    ++expected[path];
    open.emplace_back(begin, end, path);
  }
  std::map<std::string, uint64_t> found;
  for (uint32_t i = 1; i < tree->nodes().size(); ++i) {
    std::string path;
    for (uint32_t at = i; at != 0; at = (*tree)[at].parent)
      path = std::to_string((*tree)[at].type.value()) + (path.empty() ? "" : ">") + path;
    found[path] = (*tree)[i].count;
  }
  EXPECT_EQ(found, expected);
}

TEST(FlameTree, IsTurnedAroundAType) {
  const ScratchFolder folder;
  const auto trace = stacks(
      folder, {{0, 100, 0}, {10, 30, 1}, {15, 20, 2}, {40, 60, 2}, {200, 250, 3}, {210, 240, 2}});
  ThreadPool pool(2);
  const auto tree = flame_tree(*trace, Selection::all(*trace), pool);
  ASSERT_TRUE(tree);
  const EventTypeId zero[] = {EventTypeId(0), EventTypeId(3)}, one[] = {EventTypeId(1)},
                    two[] = {EventTypeId(2)};
  EXPECT_EQ(shown(callers_of(*tree, two)),
            (Lines{"2: 3 x 55 (55)", "2>0: 1 x 20 (20)", "2>1: 1 x 5 (5)", "2>1>0: 1 x 5 (5)",
                   "2>3: 1 x 30 (30)"}));
  EXPECT_EQ(shown(callees_of(*tree, one)), (Lines{"1: 1 x 20 (15)", "1>2: 1 x 5 (5)"}));
  EXPECT_EQ(shown(callees_of(*tree, zero)).size(), 6u) << "each with what it calls";
}

TEST(FlameTree, AddsUpToTheTableOfStatesInAnyRange) {
  const ScratchFolder folder;
  const auto trace = build(random_events(21, 3, 2'000), folder / "t.weft");
  std::mt19937_64 random(22);
  ThreadPool pool(2);
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    Selection selection = Selection::all(*trace);
    if (i > 0) selection.range = random_selection(*trace, random).range;
    const auto tree = flame_tree(*trace, selection, pool);
    ASSERT_TRUE(tree);
    std::map<uint32_t, Group> sums;
    for (uint32_t n = 1; n < tree->nodes().size(); ++n) {
      const FlameNode& node = (*tree)[n];
      Group& sum = sums.try_emplace(node.type.value(), Group{.min = node.min}).first->second;
      sum.count += node.count;
      sum.total += node.total;
      sum.self += node.self;
      sum.min = std::min(sum.min, node.min);
      sum.max = std::max(sum.max, node.max);
    }
    const Statistics table =
        metric_from_id("duration")->measure(*trace, selection, GroupBy::kType, pool);
    ASSERT_EQ(sums.size(), table.groups.size());
    for (const Group& group : table.groups) {
      const Group& sum = sums.at(group.id);
      EXPECT_EQ(std::tuple(sum.count, sum.total, sum.self, sum.min, sum.max),
                std::tuple(group.count, group.total, group.self, group.min, group.max));
    }
  }
}

// covers B-20: what does not fit a limit of memory lies in files, and is the same
TEST(FlameTree, KeepsToTheMemoryOfAnswers) {
  constexpr uint64_t kMost = uint64_t{1} << 20;
  const ScratchFolder folder;
  Events events = random_events(23, 8, 60'000);
  events.types = 500;
  std::mt19937_64 random(24);
  for (trace::StateEvent& state : events.states)
    state.type = EventTypeId(static_cast<uint32_t>(random() % events.types));
  const auto trace = build(events, folder / "t.weft");
  ThreadPool pool(2);
  const auto free = flame_tree(*trace, Selection::all(*trace), pool);
  ASSERT_TRUE(free);
  ASSERT_GT(free->size_bytes(), 2 * kMost);
  const uint64_t before = large_arrays_use().memory_bytes;
  limit_large_arrays(before + kMost, folder.path());
  {
    const auto bounded = flame_tree(*trace, Selection::all(*trace), pool);
    EXPECT_LE(large_arrays_use().memory_bytes, before + kMost);
    EXPECT_GE(large_arrays_use().file_bytes + kMost, bounded->size_bytes());
    EXPECT_EQ(shown(*bounded), shown(*free));
  }
  limit_large_arrays(kNoLimit, {});
  EXPECT_EQ(large_arrays_use().file_bytes, 0u);
}

// covers B-08, XC-12
TEST(FlameTree, MarksWhatAnotherFilterTakes) {
  const ScratchFolder folder;
  const auto trace =
      stacks(folder, {{0, 100, 0}, {10, 40, 1}, {15, 20, 1}, {50, 60, 2}, {200, 230, 1}});
  ThreadPool pool(2);
  aggregate::Condition condition;
  condition.on = aggregate::Condition::On::kType;
  condition.ids = {false, true};
  Selection marks = Selection::all(*trace);
  marks.narrow(*trace, aggregate::where(std::move(condition)));
  const auto tree = flame_tree(*trace, Selection::all(*trace), pool, &marks);
  ASSERT_TRUE(tree);
  std::map<std::vector<uint32_t>, int64_t> marked;
  for (uint32_t i = 1; i < tree->nodes().size(); ++i) {
    std::vector<uint32_t> path;
    for (uint32_t at = i; at != 0; at = (*tree)[at].parent)
      path.insert(path.begin(), (*tree)[at].type.value());
    marked[path] = (*tree)[i].marked;
  }
  EXPECT_EQ(marked, (std::map<std::vector<uint32_t>, int64_t>{
                        {{0}, 0}, {{0, 1}, 30}, {{0, 1, 1}, 5}, {{0, 2}, 0}, {{1}, 30}}));
  EXPECT_EQ((*tree)[0].marked, 60);  // a call of itself counts once
  EXPECT_EQ((*tree)[0].total, 130);
  const EventTypeId one[] = {EventTypeId(1)};
  const FlameTree callers = callers_of(*tree, one);
  EXPECT_EQ(callers[callers.children(0).front()].marked, 65);
  const auto unmarked = flame_tree(*trace, Selection::all(*trace), pool);
  ASSERT_TRUE(unmarked);
  EXPECT_EQ((*unmarked)[0].marked, 0);
}

TEST(FlameTree, GivesUpWhereItIsStopped) {
  const ScratchFolder folder;
  const auto trace = build(random_events(23, 2, 500), folder / "t.weft");
  ThreadPool pool(1);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(flame_tree(*trace, Selection::all(*trace), {pool, stop.get_token()}));
}

}  // namespace
}  // namespace weft::query

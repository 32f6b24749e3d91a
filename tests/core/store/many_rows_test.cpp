// What a store keeps of very many names, lanes and rows lies in large arrays, and beyond their
// limit in files.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <thread>

#include "core/base/large_vector.h"
#include "core/base/thread_pool.h"
#include "core/store/builder.h"
#include "tests/core/store/random_trace.h"

namespace weft::store {
namespace {

using testing_traces::ScratchFolder;

// Removes the limit when the test is over.
struct LimitedArrays {
  LimitedArrays(uint64_t most_bytes, const std::filesystem::path& folder) {
    limit_large_arrays(most_bytes, folder);
  }
  ~LimitedArrays() { limit_large_arrays(kNoLimit, {}); }
  LimitedArrays(const LimitedArrays&) = delete;
  LimitedArrays& operator=(const LimitedArrays&) = delete;
};

TEST(StoreBuilder, OfManyNamesMostLieInFiles) {
  constexpr uint32_t kNames = 300'000;
  constexpr uint64_t kMost = 4 << 20;
  ScratchFolder folder;
  const LimitedArrays limited(kMost, folder.path());
  ThreadPool pool(2);
  auto builder = StoreBuilder::create({folder / "t.weft", "test", 16 << 20, true}, pool);
  ASSERT_TRUE(builder);
  const auto name_at = [](uint32_t i) { return "request " + std::to_string(i); };
  const LaneId lane = (*builder)->add_lane({.name = "lane"});
  for (uint32_t i = 0; i < kNames; ++i) {
    const EventTypeId type = (*builder)->type(trace::Category::kPunctual, name_at(i), "net");
    (*builder)->give(trace::PunctualEvent{{i}, ParamsId::none(), lane, type});
    ASSERT_EQ((*builder)->type(trace::Category::kPunctual, name_at(i / 2), "net").value(), i / 2);
  }
  EXPECT_LE(large_arrays_use().memory_bytes, kMost);
  EXPECT_GE(large_arrays_use().file_bytes, uint64_t{kNames} * sizeof(trace::EventType) - kMost);
  const auto trace = (*builder)->finish();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_LE(large_arrays_use().memory_bytes, kMost);
  const trace::EventTypes& types = (*trace)->dictionary().types;
  ASSERT_EQ(types.size(), kNames);
  for (uint32_t i = 0; i < kNames; ++i) ASSERT_EQ(types[i].name, name_at(i));
}

TEST(StoreBuilder, OfManyLanesMostLieInFiles) {
  constexpr uint32_t kLanes = 200'000;
  constexpr uint64_t kMost = 4 << 20;
  ScratchFolder folder;
  const LimitedArrays limited(kMost, folder.path());
  ThreadPool pool(2);
  auto builder = StoreBuilder::create({folder / "t.weft", "test", 16 << 20, false}, pool);
  ASSERT_TRUE(builder);
  const LaneId machine = (*builder)->add_lane({.name = "machine"});
  const EventTypeId type = (*builder)->type(trace::Category::kPunctual, "tick", "");
  const auto name_at = [](uint32_t i) { return "task " + std::to_string(i); };
  for (uint32_t i = 0; i < kLanes; ++i) {
    const LaneId lane = (*builder)->add_lane({.name = name_at(i), .parent = machine});
    (*builder)->give(trace::PunctualEvent{{i}, ParamsId::none(), lane, type});
  }
  EXPECT_LE(large_arrays_use().memory_bytes, kMost);
  EXPECT_GE(large_arrays_use().file_bytes, uint64_t{kLanes} * sizeof(trace::Lane));
  const auto trace = (*builder)->finish();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_LE(large_arrays_use().memory_bytes, kMost);
  EXPECT_GE(large_arrays_use().file_bytes, uint64_t{kLanes} * sizeof(Row));
  ASSERT_EQ((*trace)->rows().size(), kLanes);
  for (uint32_t i = 0; i < kLanes; ++i) {
    const Row& row = (*trace)->rows()[i];
    ASSERT_EQ((*trace)->dictionary().lane(row.lane).name, name_at(i));
    ASSERT_EQ((*trace)->record(row, 0).begin, Time{i});
  }
}

// The most that is on the heap while the work is done, beyond what was there before.
template <class Work>
uint64_t heap_peak_of(const Work& work) {
  const auto heap_bytes = [] {
    const struct mallinfo2 info = ::mallinfo2();
    return uint64_t{info.uordblks} + info.hblkhd;
  };
  const uint64_t before = heap_bytes();
  std::atomic<uint64_t> most = before;
  {
    const std::jthread watcher([&](const std::stop_token& stop) {
      for (; !stop.stop_requested(); std::this_thread::sleep_for(std::chrono::milliseconds(1)))
        most = std::max(most.load(), heap_bytes());
    });
    work();
  }
  return most - before;
}

TEST(StoreBuilder, OfManyRowsThatLieInSlicesFewAreHeld) {
  constexpr uint32_t kVariables = 200'000;
  constexpr uint64_t kMostHeap = 48 << 20;
  ScratchFolder folder;
  const LimitedArrays limited(4 << 20, folder.path());
  ThreadPool pool(1);
  auto builder = StoreBuilder::create({folder / "t.weft", "test", 8 << 20, false}, pool);
  ASSERT_TRUE(builder);
  const LaneId lane = (*builder)->add_lane({.name = "lane"});
  for (uint32_t turn = 0; turn < 2; ++turn) {
    for (uint32_t i = 0; i < kVariables; ++i) {
      const EventTypeId type = (*builder)->type(trace::Category::kVariable, std::to_string(i), "");
      (*builder)->give(trace::VariableSample{.time = {turn * kVariables + i},
                                             .value = static_cast<double>(i + turn),
                                             .lane = lane,
                                             .type = type});
    }
  }
  decltype((*builder)->finish()) trace;
  EXPECT_LE(heap_peak_of([&] { trace = (*builder)->finish(); }), kMostHeap);
  ASSERT_TRUE(trace) << trace.error().message;
  ASSERT_EQ((*trace)->rows().size(), kVariables);
  for (const Row& row : (*trace)->rows()) {
    ASSERT_EQ(row.count, 2u);
    ASSERT_EQ((*trace)->record(row, 0).value + 1, (*trace)->record(row, 1).value);
  }
  EXPECT_TRUE((*trace)->verify());
}

TEST(StoreBuilder, ZonesOfManyLanesLieInFiles) {
  constexpr uint32_t kLanes = 200'000;
  constexpr uint64_t kMostHeap = 32 << 20;
  ScratchFolder folder;
  const LimitedArrays limited(4 << 20, folder.path());
  ThreadPool pool(1);
  auto builder = StoreBuilder::create({folder / "t.weft", "test", 8 << 20, false}, pool);
  ASSERT_TRUE(builder);
  const EventTypeId type = (*builder)->type(trace::Category::kLink, "message", "");
  LaneId last = (*builder)->add_lane({.name = "lane"});
  for (uint32_t i = 0; i < kLanes; ++i) {
    const LaneId next = (*builder)->add_lane({.name = std::to_string(i)});
    (*builder)->give(
        trace::LinkEvent{.send = {i},
                         .receive = {i + 1},
                         .params = (*builder)->params(R"({"uid":)" + std::to_string(i) + '}'),
                         .source = last,
                         .target = next,
                         .type = type});
    last = next;
  }
  decltype((*builder)->finish()) trace;
  EXPECT_LE(heap_peak_of([&] { trace = (*builder)->finish(); }), kMostHeap);
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ((*trace)->rows().size(), 2 * size_t{kLanes});
  EXPECT_TRUE((*trace)->verify());
}

}  // namespace
}  // namespace weft::store

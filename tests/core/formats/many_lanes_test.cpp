// What readers keep of millions of lanes, names and open states lies in large arrays
// (core/base/large_vector.h), not on the heap, which no limit of memory reaches.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "core/base/large_vector.h"
#include "core/base/thread_pool.h"
#include "core/formats/formats.h"
#include "core/io/memory_source.h"
#include "core/trace/event_counter.h"
#include "tests/core/formats/cuts.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats {
namespace {

constexpr uint32_t kMany = 100'000;

uint64_t heap_bytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Asks how much is on the heap whenever some more lanes, types or events have come.
class HeapWatcher final : public trace::EventCounter {
 public:
  LaneId add_lane(const trace::Lane& lane) override {
    look();
    return EventCounter::add_lane(lane);
  }
  EventTypeId type(trace::Category category, std::string_view name,
                   std::string_view group) override {
    look();
    return EventCounter::type(category, name, group);
  }
  void states(std::span<const trace::StateEvent> all) override {
    look();
    EventCounter::states(all);
  }
  uint64_t most_bytes() const { return std::max(most_bytes_, first_bytes_) - first_bytes_; }

 private:
  void look() {
    if (++looks_ % 1000 == 0) most_bytes_ = std::max(most_bytes_, heap_bytes());
  }

  uint64_t first_bytes_ = heap_bytes(), most_bytes_ = 0;
  uint64_t looks_ = 0;
};

struct ManyCase {
  std::string_view name, format, head;
  std::string (*line)(uint32_t);  // and what else belongs to it
};
void PrintTo(const ManyCase& many, std::ostream* out) { *out << many.name; }

constexpr ManyCase kCases[] = {
    {"tlv_resources", "tlv", "",
     [](uint32_t i) { return fmt::format("[{}]TASK{}.state=RUNNING\n", i, i); }},
    {"tlv_attributes", "tlv", "",
     [](uint32_t i) { return fmt::format("[{}]TASK.attribute{}=RUNNING\n", i, i); }},
    {"tlv_behaviours", "tlv", "",
     [](uint32_t i) { return fmt::format("[{}]TASK{}.behave{}()\n", i, i, i); }},
    {"tlv_calls", "tlv", "",
     [](uint32_t i) { return fmt::format("[{}]TASK{}.enterSVC(dly_tsk,10)\n", i, i); }},
    {"tlv_kernel", "tlv", "",
     [](uint32_t i) { return fmt::format("[{}] dispatch to task {}.\n", i, i); }},
    {"ftrace_tasks", "ftrace", "# tracer: nop\n#\n",
     [](uint32_t i) {
       return fmt::format(
           "  bash-{} [000] d..2. 1.{:06}: sched_wakeup: comm=sh pid={} prio=120 target_cpu=000\n",
           2 * i + 10, i, 2 * i + 11);
     }},
    {"ftrace_tracks", "ftrace", "# tracer: nop\n#\n",
     [](uint32_t i) {
       return fmt::format("  bash-10 [000] d..2. 1.{:06}: tracing_mark_write: S|10|work to do|{}\n",
                          i, i);
     }},
    {"pj_dump_containers", "pj-dump", "Container, 0, 0, 0, 99, 99, 0\n",
     [](uint32_t i) {
       return fmt::format(
           "Container, 0, Thread, 0.0, 99.0, 99.0, thread{}\n"
           "State, thread{}, Function, 0.{:06}, 1.0, 0.5, 0.0, work\n",
           i, i, i);
     }},
    {"open_with_params", "tool-output", "",
     [](uint32_t i) {
       return fmt::format(
           "{} 10:00:00.{:09} 0 httpd ({}) > read fd=3(<4t>10.0.2.2:42210->10.0.2.15:80) "
           "size=8000\n",
           i, i, 100 + i);
     }},
    {"strace_calls", "strace", "",
     [](uint32_t i) {
       return fmt::format(
           "{} 10:00:00.{:06} openat(AT_FDCWD, \"/etc/ld.so.cache\",  <unfinished ...>\n", 100 + i,
           i);
     }},
    {"perf_threads", "perf-script", "",
     [](uint32_t i) {
       return fmt::format(
           "worker {}/{} [000] 10.{:06}: 250000 cycles: \n\tffffffff81000000 work+0x1 "
           "(/lib/w.so)\n\n",
           i, i, i);
     }},
    {"message_queues", "btrace", "# time_base: us\n",
     [](uint32_t i) {
       return fmt::format(
           "{}\tMESSAGE_SEND\tUid:{}\tSender:0x1\tReceiver:0x{:X}\n"
           "{}\tMESSAGE_RECEIVE\tUid:{}\tSender:0x1\tReceiver:0x{:X}\n",
           10 * i, i, i + 2, 10 * i + 5, i, i + 2);
     }},
};

class ManyLanes : public testing::TestWithParam<ManyCase> {};

TEST_P(ManyLanes, LieInLargeArrays) {
  if (test::kLooksForRaces) GTEST_SKIP() << "much, and read by one thread";
  test::ScratchFolder folder;
  std::string text(GetParam().head);
  for (uint32_t i = 0; i < kMany; ++i) text += GetParam().line(i);
  limit_large_arrays(1 << 20, folder.path());
  ThreadPool pool(1);
  io::MemorySource source(std::as_bytes(std::span(text)));
  HeapWatcher sink;
  const Status status =
      format_from_id(GetParam().format)->read(source, sink, {.pool = pool, .options = {}});
  limit_large_arrays(kNoLimit, {});
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(sink.damaged, 0u);
  EXPECT_GE(sink.events, kMany);
  constexpr uint64_t kMostOfEach = 60, kBuffers = 4 << 20;
  EXPECT_LE(sink.most_bytes(), kBuffers + kMostOfEach * kMany);
}

INSTANTIATE_TEST_SUITE_P(Readers, ManyLanes, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace weft::formats

// Measures what a sequence diagram of very many messages costs its workers, at each zoom.
//
//   message_bench [messages=10000000] [FILE]     (FILE: where the .weft is kept between runs)
//
// 200 lanes; each sends most to a few others, at random times with latencies over four orders of
// magnitude, one message in a thousand is lost, and all have ids, so that `weftscope chain` can be
// timed with FILE. Prints one line a zoom, from the whole trace
// down: the messages touched, the arrows and bars that are left of them, and the processor time of
// all threads that it took, and that the outline took before it, so that other programs on the
// machine do not count.
#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/layout/messages.h"
#include "core/layout/sequence_order.h"
#include "core/query/messages/traffic.h"
#include "core/store/builder.h"
#include "tests/bench/cpu_time.h"

namespace weft {
namespace {

constexpr uint32_t kLanes = 200;
constexpr double kHeightPx = 1000;
constexpr int kZooms = 12;  // each four times as close

double cpu_seconds() { return bench::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID); }

void fill(store::StoreBuilder& builder, uint64_t messages) {
  for (uint32_t i = 0; i < kLanes; ++i)
    builder.add_lane({fmt::format("queue {}", i), LaneId::none(), trace::LaneKind::kQueue, 0});
  const EventTypeId type = builder.type(trace::Category::kLink, "message", "");
  std::mt19937_64 random(1);
  const auto below = [&](uint64_t n) { return random() % n; };
  std::vector<trace::LinkEvent> batch;
  int64_t now = 0;
  for (uint64_t i = 0; i < messages; ++i) {
    now += static_cast<int64_t>(below(32) == 0 ? below(4000) : below(40));
    const auto source = static_cast<uint32_t>(below(kLanes));
    const uint64_t step = below(10) == 0 ? below(kLanes) : 1 + below(3);
    const auto target = static_cast<uint32_t>((source + step) % kLanes);
    const int64_t latency = int64_t{100} << below(13);
    const bool is_lost = below(1000) == 0;
    batch.push_back({{now},
                     {now + latency},
                     builder.params(fmt::format(R"({{"uid":{}}})", i), {}),
                     LaneId(source),
                     is_lost ? LaneId::none() : LaneId(target),
                     type});
    if (batch.size() < 4096 && i + 1 < messages) continue;
    builder.links(batch);
    batch.clear();
  }
}

store::TracePtr opened(uint64_t messages, const std::filesystem::path& path, ThreadPool& pool) {
  if (!std::filesystem::exists(path)) {
    const auto start = cpu_seconds();
    auto builder = store::StoreBuilder::create({path, "messages", 400ull << 20, false}, pool);
    if (!builder) fmt::print(stderr, "{}\n", builder.error().message), std::exit(1);
    fill(**builder, messages);
    const auto finished = (*builder)->finish();
    if (!finished) fmt::print(stderr, "{}\n", finished.error().message), std::exit(1);
    fmt::print(
        "built in {:.1f} s of processor time, {:.1f} bytes a message\n", (cpu_seconds() - start),
        static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(messages));
  }
  auto trace = store::Trace::open(path);
  if (!trace) fmt::print(stderr, "{}\n", trace.error().message), std::exit(1);
  return *trace;
}

void measure(const store::Trace& trace, ThreadPool& pool) {
  auto start = cpu_seconds();
  const auto traffic = query::measure_traffic(trace, query::Selection::all(trace), pool);
  fmt::print("who talks to whom: {:.0f} ms\n", (cpu_seconds() - start) * 1e3);
  const layout::ShownLanes shown = layout::all_shown(trace.dictionary());
  start = cpu_seconds();
  (void)layout::order_lanes(traffic, shown, layout::MessageOrder::kShort);
  fmt::print("lanes for short arrows: {:.0f} ms\n\n", (cpu_seconds() - start) * 1e3);
  fmt::print("{:>12} {:>8} {:>8} {:>9} {:>9}\n", "messages", "arrows", "bars", "ms", "outline");
  const TimeRange all = query::whole_range(trace);
  for (int zoom = 0; zoom < kZooms; ++zoom) {
    const int64_t length = std::max<int64_t>(1, all.length().ticks >> 2 * zoom);
    const Time begin = all.begin + Duration{(all.length().ticks - length) / 2};
    const auto grid = layout::message_grid({{begin, begin + Duration{length}}, kHeightPx});
    start = cpu_seconds();
    const auto messages = layout::messages_in(trace, grid, shown, {}, pool);
    const double ms = (cpu_seconds() - start) * 1e3;
    start = cpu_seconds();
    (void)layout::outline_of_messages(trace, grid, shown, {}, {});
    fmt::print("{:>12} {:>8} {:>8} {:>9.2f} {:>9.2f}\n", messages->total(), messages->arrows.size(),
               messages->bars.size(), ms, (cpu_seconds() - start) * 1e3);
  }
}

}  // namespace
}  // namespace weft

int main(int argc, char** argv) {
  const uint64_t messages = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  const bool is_kept = argc > 2;
  const std::filesystem::path path =
      is_kept ? std::filesystem::path(argv[2])
              : std::filesystem::temp_directory_path() / "message_bench.weft";
  weft::ThreadPool pool;
  weft::measure(*weft::opened(messages, path, pool), pool);
  if (!is_kept) std::filesystem::remove(path);
  return 0;
}

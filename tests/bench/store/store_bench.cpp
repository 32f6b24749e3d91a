// Measures the store and its tree: building, bytes for each state, and the sweep over 24 zooms.
//
//   store_bench [states=10000000] [FILE]     (FILE: where the .weft is kept between runs)
//
// Prints one line a figure. The sweep asks every row for 2 000 columns at 24 zooms, from the whole
// trace to one event, on one thread, and counts the nodes that it reads.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "core/aggregate/columns.h"
#include "core/base/thread_pool.h"
#include "core/store/builder.h"
#include "core/trace/workload.h"
#include "tests/bench/cpu_time.h"

namespace weft {
namespace {

constexpr uint32_t kColumns = 2000;
constexpr int kZooms = 24;
constexpr uint64_t kWideColumns = 8;

double cpu_seconds() { return bench::cpu_seconds(CLOCK_THREAD_CPUTIME_ID); }

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

store::TracePtr build(uint64_t states, const std::filesystem::path& path) {
  trace::Workload::Options options;
  options.states = states;
  ThreadPool pool;
  const auto start = std::chrono::steady_clock::now();
  auto builder = store::StoreBuilder::create({path, "workload", 400ull << 20, false}, pool);
  if (!builder) fmt::print(stderr, "{}\n", builder.error().message), std::exit(1);
  for (uint32_t i = 0; i < options.lanes; ++i)
    (*builder)->add_lane({fmt::format("lane {}", i), LaneId::none(), trace::LaneKind::kThread, 0});
  for (uint32_t i = 0; i < options.names; ++i)
    (*builder)->type(trace::Category::kState, trace::Workload::name_of(i), "");
  // Made as they are given: 10⁹ of them have no room in memory.
  trace::Workload workload(options);
  std::vector<trace::StateEvent> events;
  double making = 0;
  do {
    events.clear();
    const double begin = cpu_seconds();
    trace::Workload::State s;
    while (events.size() < 4096 && workload.next(s)) {
      events.push_back(
          {{s.begin}, {s.end - s.begin}, ParamsId::none(), LaneId(s.lane), EventTypeId(s.name), 0});
    }
    making += cpu_seconds() - begin;
    (*builder)->states(events);
  } while (!events.empty());
  const double fed = seconds_since(start);
  auto trace = (*builder)->finish();
  if (!trace) fmt::print(stderr, "{}\n", trace.error().message), std::exit(1);
  const double whole = seconds_since(start);
  fmt::print(
      "build: {:.2f} s ({:.2f} s until all was given, {:.2f} s of it to make them), {:.2f} B a "
      "state\n",
      whole, fed, making,
      static_cast<double>((*trace)->size_bytes()) / static_cast<double>(states));
  return *trace;
}

struct Zoom {
  double milliseconds;
  double nodes;    // a column
  double records;  // a column
};

Zoom sweep_at(const store::Trace& trace, int zoom) {
  const auto length = static_cast<uint64_t>(trace.range().length().ticks) >> zoom;
  int level = 0;
  while ((uint64_t{kColumns} << level) < length) ++level;
  const int64_t begin =
      trace.range().begin.ticks + (trace.range().length().ticks - static_cast<int64_t>(length)) / 3;
  const aggregate::GridSpan span{
      level, begin >> level,
      std::min<uint32_t>(kColumns, static_cast<uint32_t>(length >> level) + 1)};
  std::vector<aggregate::Cell> cells(span.count);
  std::vector<aggregate::Wide> wides;
  aggregate::ReadCount reads;
  uint64_t rows = 0;
  const double start = cpu_seconds();
  for (const store::Row& row : trace.rows()) {
    if (row.kind != store::RowKind::kState) continue;
    wides.clear();
    aggregate::cells(row, span, {static_cast<int64_t>(kWideColumns << level)}, cells, wides,
                     &reads);
    ++rows;
  }
  const double pixels = static_cast<double>(rows) * span.count;
  return {(cpu_seconds() - start) * 1e3, static_cast<double>(reads.nodes) / pixels,
          static_cast<double>(reads.records) / pixels};
}

void sweep(const store::Trace& trace) {
  double worst_ms = 0;
  double worst_nodes = 0;
  for (int zoom = 0; zoom < kZooms; ++zoom) {
    sweep_at(trace, zoom);  // brings the pages in
    Zoom best = sweep_at(trace, zoom);
    for (int i = 0; i < 4; ++i) {
      const Zoom again = sweep_at(trace, zoom);
      if (again.milliseconds < best.milliseconds) best = again;
    }
    fmt::print("zoom 2^-{:<2} {:8.2f} ms  {:5.2f} nodes  {:5.2f} records a column\n", zoom,
               best.milliseconds, best.nodes, best.records);
    worst_ms = std::max(worst_ms, best.milliseconds);
    worst_nodes = std::max(worst_nodes, best.nodes);
  }
  fmt::print("worst zoom: {:.2f} ms for {} rows of {} columns, {:.2f} nodes a column\n", worst_ms,
             trace.rows().size(), kColumns, worst_nodes);
}

}  // namespace
}  // namespace weft

int main(int argc, char** argv) {
  const uint64_t states = argc > 1 ? static_cast<uint64_t>(std::atof(argv[1])) : 10'000'000;
  const std::string path = argc > 2 ? argv[2] : "store_bench.weft";
  auto trace = weft::store::Trace::open(path);
  const bool is_kept = trace && (*trace)->counts()[weft::trace::Category::kState] == states;
  weft::sweep(is_kept ? **trace : *weft::build(states, path));
}

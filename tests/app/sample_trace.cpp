#include "tests/app/sample_trace.h"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>

#include "app/opening/open.h"
#include "core/base/thread_pool.h"
#include "core/store/builder.h"

namespace weft::app::testing {
namespace {

using trace::Category;
using trace::LaneKind;

std::filesystem::path build(const std::filesystem::path& path,
                            const std::function<void(store::StoreBuilder&)>& fill,
                            const std::string& format = "test") {
  ThreadPool pool(1);
  store::BuilderOptions options;
  options.path = path;
  options.format = format;
  auto builder = store::StoreBuilder::create(std::move(options), pool).value();
  fill(*builder);
  (void)builder->finish().value();
  return path;
}

void add_state(store::StoreBuilder& sink, LaneId lane, EventTypeId type, int64_t begin,
               int64_t duration, ParamsId params = ParamsId::none()) {
  const trace::StateEvent event = {{begin}, {duration}, params, lane, type, 0};
  sink.states({&event, 1});
}

void fill_thread(store::StoreBuilder& sink, LaneId lane, int seed) {
  const std::array types = {sink.type(Category::kState, "render", "frame"),
                            sink.type(Category::kState, "wait", "idle"),
                            sink.type(Category::kState, "100% done %s%n ##x", ""),
                            sink.type(Category::kState, "\x1b[31mred\x1b[0m", "")};
  const ParamsId params = sink.params(R"({"frame": 7, "name": "%s ##y \u001b[0m"})", {});
  for (int i = 0; i < 40; ++i) {
    const int64_t begin = 1000 + i * 2400 + seed * 130;
    add_state(sink, lane, types[static_cast<size_t>(i + seed) % 4], begin, 2000, params);
    add_state(sink, lane, types[static_cast<size_t>(i + seed + 1) % 4], begin + 200, 700);
    add_state(sink, lane, types[1], begin + 1000, 3);
    const trace::PunctualEvent tick = {
        {begin + 50}, ParamsId::none(), lane, sink.type(Category::kPunctual, "tick", "")};
    sink.punctuals({&tick, 1});
  }
}

void fill_sample(store::StoreBuilder& sink) {
  std::array<LaneId, 4> threads;
  for (int p = 0; p < 2; ++p) {
    const LaneId process =
        sink.add_lane({"process " + std::to_string(p), LaneId::none(), LaneKind::kProcess, p});
    for (int t = 0; t < 2; ++t) {
      LaneId& thread = threads[static_cast<size_t>(2 * p + t)];
      thread = sink.add_lane({"thread " + std::to_string(t), process, LaneKind::kThread, t});
      fill_thread(sink, thread, 2 * p + t);
    }
  }
  const EventTypeId message = sink.type(Category::kLink, "message", "");
  for (int i = 0; i < 12; ++i) {
    const int64_t send = 2000 + i * 8000;
    const trace::LinkEvent link = {
        {send}, {send + 900}, ParamsId::none(), threads[0], i == 5 ? LaneId::none() : threads[3],
        message};
    sink.links({&link, 1});
  }
  const EventTypeId memory = sink.type(Category::kVariable, "memory", "");
  for (int i = 0; i < 100; ++i) {
    const trace::VariableSample sample = {
        {i * 1000}, std::sin(i * 0.2) * 50 + 60, ParamsId::none(), threads[1], memory};
    sink.variables({&sample, 1});
  }
  sink.loss("end without a begin", 1234, 3, true);
}

}  // namespace

std::filesystem::path write_empty_trace(const std::filesystem::path& folder) {
  return build(folder / "empty.weft", [](store::StoreBuilder& sink) {
    sink.add_lane({"nothing here", LaneId::none(), LaneKind::kThread, 0});
  });
}

std::filesystem::path write_one_event(const std::filesystem::path& folder) {
  return build(folder / "one.weft", [](store::StoreBuilder& sink) {
    const LaneId lane = sink.add_lane({"only", LaneId::none(), LaneKind::kThread, 0});
    add_state(sink, lane, sink.type(Category::kState, "work", ""), 100, 10);
  });
}

std::filesystem::path write_one_link(const std::filesystem::path& folder, int64_t latency) {
  return build(folder / ("link-" + std::to_string(latency) + ".weft"),
               [latency](store::StoreBuilder& sink) {
                 const LaneId a = sink.add_lane({"a", LaneId::none(), LaneKind::kThread, 0});
                 const LaneId b = sink.add_lane({"b", LaneId::none(), LaneKind::kThread, 1});
                 const EventTypeId type = sink.type(Category::kLink, "message", "");
                 const trace::LinkEvent link = {{3}, {3 + latency}, ParamsId::none(), a, b, type};
                 sink.links({&link, 1});
               });
}

std::filesystem::path write_twins(const std::filesystem::path& folder) {
  return build(folder / "twins.weft", [](store::StoreBuilder& sink) {
    const LaneId lane = sink.add_lane({"a", LaneId::none(), LaneKind::kThread, 1});
    add_state(sink, lane, sink.type(Category::kState, "run", ""), 0, 1'000);
    const EventTypeId tick = sink.type(Category::kPunctual, "tick", "");
    const ParamsId one = sink.params(R"({"n": 1})", {}), two = sink.params(R"({"n": 2})", {});
    const trace::PunctualEvent ticks[] = {{{150}, one, lane, tick},
                                          {{150}, two, lane, tick},
                                          {{150}, two, lane, tick},
                                          {{900}, one, lane, tick}};
    sink.punctuals(ticks);
  });
}

std::filesystem::path write_sample(const std::filesystem::path& folder) {
  return build(folder / "sample.weft", fill_sample);
}

std::filesystem::path write_sample_of(const std::filesystem::path& folder,
                                      const std::string& format) {
  return build(folder / "sample.weft", fill_sample, format);
}

store::TracePtr opened(const std::filesystem::path& path) {
  return store::Trace::open(path).value();
}

uint64_t events_of(const Opening& opening) {
  const auto trace = opening.trace();
  return trace ? trace->counts().total() : 0;
}

std::string marks(int from, int to) {
  std::string lines;
  for (int i = from; i < to; ++i) {
    lines += fmt::format("  app-7  [000] ....  {}.000000: tracing_mark_write: {}\n", 100 + i,
                         i % 2 == 0 ? "B|7|work" : "E|7");
  }
  return lines;
}

std::string schedule_of_three() {
  std::string text = "# tracer: nop\n#\n";
  const std::array names = {"swapper/0-0", "bash-100", "make-200", "cc-300"};
  for (const auto& [at, previous, next, state] :
       {std::tuple(0, 0, 1, "R"), {1, 1, 2, "R"}, {4, 2, 3, "S"}, {5, 3, 1, "S"}, {6, 1, 0, "S"}}) {
    const std::string_view from = names[static_cast<size_t>(previous)];
    const std::string_view to = names[static_cast<size_t>(next)];
    const size_t from_name = from.rfind('-'), to_name = to.rfind('-');
    text += fmt::format(
        "{:>16} [000] d..2. 10.00{}000: sched_switch: prev_comm={} prev_pid={} prev_prio=120 "
        "prev_state={} ==> next_comm={} next_pid={} next_prio=120\n",
        from, at, from.substr(0, from_name), from.substr(from_name + 1), state,
        to.substr(0, to_name), to.substr(to_name + 1));
    if (at == 1)
      text += "        make-200 [000] d..2. 10.003000: sched_waking: comm=cc pid=300 prio=120\n";
  }
  return text;
}

}  // namespace weft::app::testing

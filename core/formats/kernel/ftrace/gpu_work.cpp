#include "core/formats/kernel/ftrace/gpu_work.h"

#include <fmt/core.h>

#include <cmath>
#include <string>

#include "core/formats/base/args_text.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/json_text.h"

namespace weft::formats::ftrace {

bool give_gpu_work(trace::EventSink& sink, Lanes& lanes, std::string_view fields, Time time) {
  json::Document document;
  if (fields.empty() || !document.parse_next(fields)) return false;
  const auto number = [&](std::string_view name) {
    return json::integer(json::member(document.root(), name));
  };
  const auto begin = number("start_time_ns"), end = number("end_time_ns");
  const auto active = number("total_active_duration_ns");
  if (!begin || !end || *begin < 0 || *end <= *begin) return false;
  const Duration took{*end - *begin};
  // Its times are of CLOCK_MONOTONIC_RAW: if the trace has another clock, it ends where it is told.
  constexpr Duration kMostApart{1'000'000'000};
  const Time said{*end};
  const bool is_same_clock = time - kMostApart < said && said - kMostApart < time;
  ArgsText share;
  if (active) {
    constexpr double kPercent = 100, kHundredths = 100;
    const double percent =
        kPercent * static_cast<double>(*active) / static_cast<double>(took.ticks);
    share.name("active_percent");
    share.number(std::round(percent * kHundredths) / kHundredths);
  }
  const LaneId gpu =
      lanes.below(lanes.root(), fmt::format("GPU {} work", number("gpu_id").value_or(0)));
  sink.give(trace::StateEvent{
      .begin = (is_same_clock ? said : time) - took,
      .duration = took,
      .params = sink.params(share.is_empty() ? std::string(fields)
                                             : json::merge_objects(fields, share.whole())),
      .lane = lanes.below(gpu, fmt::format("uid {}", number("uid").value_or(0))),
      .type = sink.type(trace::Category::kState, "GPU work", "GPU")});
  return true;
}

}  // namespace weft::formats::ftrace

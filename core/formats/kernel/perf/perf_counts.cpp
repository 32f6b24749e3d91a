#include "core/formats/kernel/perf/perf_counts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

#include "core/base/text.h"
#include "core/formats/base/binary.h"
#include "core/formats/kernel/perf/perf_record.h"

namespace weft::formats::perf {
namespace {

using trace::Category;

// The aggregation of counts: enum aggr_mode.
enum Aggregation : uint64_t { kByCpu = 0, kByThread = 5 };
constexpr size_t kCountBytes = 40, kIntervalBytes = 16;

}  // namespace

void Counts::configure(std::string_view body) {
  constexpr uint64_t kAggregation = 0;
  take_little<uint64_t>(body);  // how many
  while (const auto key = take_little<uint64_t>(body)) {
    const auto value = take_little<uint64_t>(body);
    if (value && *key == kAggregation) aggregation_ = *value;
  }
}

uint64_t Counts::id_of(std::string_view body) { return value_at<uint64_t>(body, 0); }

std::string Counts::group_of(uint32_t cpu, uint32_t thread) const {
  if (aggregation_ == kByCpu && cpu != UINT32_MAX) return fmt::format("CPU{}", cpu);
  if (aggregation_ == kByThread) return fmt::format("thread {}", thread);
  return "all";
}

// The event, CPU and thread; how often, and how long it was wanted and could be counted.
void Counts::add(std::string_view body, const std::string& event, uint64_t offset) {
  if (body.size() < kCountBytes) return sink_.loss("count that is cut", offset);
  const auto cpu = value_at<uint32_t>(body, 8), thread = value_at<uint32_t>(body, 12);
  const Count now{value_at<uint64_t>(body, 16), value_at<uint64_t>(body, 24),
                  value_at<uint64_t>(body, 32)};
  Count& before = counts_[{id_of(body), cpu, thread}];
  if (now.value < before.value) before = {};
  Sum& sum = sums_[{group_of(cpu, thread), event}];
  sum.value += static_cast<double>(now.value - before.value);
  sum.enabled += static_cast<double>(now.enabled - std::min(before.enabled, now.enabled));
  sum.running += static_cast<double>(now.running - std::min(before.running, now.running));
  before = now;
}

void Counts::end_interval(std::string_view body, uint64_t offset) {
  if (body.size() < kIntervalBytes) return sink_.loss("interval that is cut", offset);
  const Time end{value_at<int64_t>(body, 8)};
  if (end < begin_) return sink_.loss("time runs backwards", offset);
  if (intervals_.is_none()) intervals_ = sink_.add_lane({.name = "intervals"});
  sink_.give(trace::StateEvent{.begin = begin_,
                               .duration = end - begin_,
                               .lane = intervals_,
                               .type = sink_.type(Category::kState, "interval")});
  for (const auto& [key, sum] : sums_) {
    const auto& [group, event] = key;
    const auto [lane, is_new] = lanes_.try_emplace(group, LaneId::none());
    if (is_new) lane->second = sink_.add_lane({.name = group, .kind = trace::LaneKind::kCounter});
    if (sum.running > 0) {
      give(lane->second, event, sum);
    } else {
      sink_.note("event that was not counted, or is not supported", offset);
    }
  }
  sums_.clear();
  begin_ = end;
}

// One that could be counted for a share of the time only is scaled, as perf does it.
void Counts::give(LaneId lane, const std::string& event, const Sum& sum) {
  const bool is_scaled = sum.running < sum.enabled;
  const double share = is_scaled ? sum.running / sum.enabled : 1;
  sink_.give(trace::VariableSample{
      .time = begin_,
      .value = sum.value / share,
      .params = is_scaled
                    ? sink_.params(fmt::format(R"({{"running_percent":{:.4g}}})", share * 100))
                    : ParamsId::none(),
      .lane = lane,
      .type = sink_.type(Category::kVariable, valid_utf8(event))});
}

}  // namespace weft::formats::perf

#include "core/formats/kernel/perf/perf_stat_reader.h"

#include <fmt/core.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/kernel/perf/perf_stat_line.h"

namespace weft::formats {
namespace {

using trace::Category;

constexpr std::string_view kStarted = "# started on ";

class PerfStatReader {
 public:
  explicit PerfStatReader(trace::EventSink& sink)
      : sink_(sink),
        intervals_(sink.add_lane({.name = "intervals"})),
        interval_(sink.type(Category::kState, "interval")) {
    sink_.set_time_base(TimeBase::kNanoseconds);
  }

  void add(const io::Line& line) {
    std::string_view text = trimmed(line.text);
    if (take_prefix(text, kStarted)) return sink_.set_metadata("started", valid_utf8(text));
    // The sums of all, at the end, say nothing new.
    is_over_ |= text.starts_with("Performance counter stats");
    if (is_over_ || text.starts_with('#') || text.starts_with("summary")) return;
    perf::StatLine stat;
    if (!perf::parse_stat_line(line.text, stat))
      return sink_.loss("line that is no count", line.offset);
    if (end_ && stat.time < *end_) return sink_.loss("time runs backwards", line.offset);
    if (end_ != stat.time) begin_interval(stat.time);
    play(stat, line.offset);
  }

  void finish() { end_interval(); }

 private:
  struct Variable {
    LaneId lane;
    EventTypeId type;
    double last = 0;
    Time counted{-1};  // the begin of the interval that it was counted in
  };

  void begin_interval(Time end) {
    end_interval();
    begin_ = end_.value_or(Time{});
    end_ = end;
  }

  // What perf does not print again was not seen: threads that did nothing, say.
  void end_interval() {
    if (!end_) return;
    const trace::StateEvent state{
        .begin = begin_, .duration = *end_ - begin_, .lane = intervals_, .type = interval_};
    sink_.states({&state, 1});
    for (auto& [name, variable] : variables_) {
      if (variable.counted == begin_ || variable.last == 0) continue;
      give(variable, 0, ParamsId::none());
    }
  }

  void play(const perf::StatLine& stat, uint64_t offset) {
    const LaneId lane = lane_of(stat);
    if (!stat.event.empty()) event_ = stat.event;
    if (stat.value) {
      const std::string name =
          stat.unit.empty() ? stat.event : fmt::format("{} ({})", stat.event, stat.unit);
      constexpr double kWhole = 100;
      const bool is_scaled = stat.running && *stat.running < kWhole;
      give(variable(lane, name), *stat.value,
           is_scaled ? sink_.params(fmt::format(R"({{"running_percent":{}}})", *stat.running))
                     : ParamsId::none());
    } else if (!stat.event.empty()) {
      sink_.loss("event that was not counted, or is not supported", {offset, lane, begin_}, 1,
                 false);
      return;
    }
    if (stat.metric.empty() || !stat.metric_value) return;
    give(variable(lane, fmt::format("{}: {}", event_, stat.metric)), *stat.metric_value,
         ParamsId::none());
  }

  void give(Variable& variable, double value, ParamsId params) {
    const trace::VariableSample sample{.time = begin_,
                                       .value = value,
                                       .params = params,
                                       .lane = variable.lane,
                                       .type = variable.type};
    sink_.variables({&sample, 1});
    variable.last = value;
    variable.counted = begin_;
  }

  Variable& variable(LaneId lane, const std::string& name) {
    const auto [it, is_new] = variables_.try_emplace(std::pair(lane.value(), name));
    if (is_new) it->second = {lane, sink_.type(Category::kVariable, valid_utf8(name)), 0, Time{-1}};
    return it->second;
  }

  LaneId lane_of(const perf::StatLine& stat) {
    const LaneId group = lane(LaneId::none(), stat.group.empty() ? std::string("all") : stat.group);
    return stat.cgroup.empty() ? group : lane(group, stat.cgroup);
  }
  LaneId lane(LaneId parent, const std::string& name) {
    const auto [it, is_new] = lanes_.try_emplace(std::pair(parent.value(), name), LaneId::none());
    if (is_new)
      it->second = sink_.add_lane(
          {.name = valid_utf8(name), .parent = parent, .kind = trace::LaneKind::kCounter});
    return it->second;
  }

  trace::EventSink& sink_;
  const LaneId intervals_;
  const EventTypeId interval_;
  std::map<std::pair<uint32_t, std::string>, LaneId> lanes_;        // by parent and name
  std::map<std::pair<uint32_t, std::string>, Variable> variables_;  // by lane and name
  Time begin_;                                                      // of the interval
  std::optional<Time> end_;                                         // none: before the first
  std::string event_;                                               // the last one that was named
  bool is_over_ = false;
};

}  // namespace

int sniff_perf_stat(std::span<const std::byte> head) {
  constexpr int kSure = 88;
  std::string_view text = as_chars(head);
  while (!text.empty()) {
    const std::string_view line = take_to(text, '\n');
    if (trimmed(line).empty() || line.starts_with(kStarted) || line.starts_with("#  ")) continue;
    perf::StatLine stat;
    return perf::parse_stat_line(line, stat) && !stat.event.empty() ? kSure : 0;
  }
  return 0;
}

Status read_perf_stat(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  PerfStatReader reader(sink);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats

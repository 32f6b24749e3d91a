#include "core/formats/kernel/perf/perf_stat_reader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/kernel/perf/perf_stat_line.h"
#include "core/formats/kernel/perf/perf_stat_metrics.h"

namespace weft::formats {
namespace {

using trace::Category;

constexpr std::string_view kStarted = "# started on ";
constexpr std::string_view kCounts = "Performance counter stats";

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
    if (take_prefix(text, kStarted)) {
      end_program(kUnknownLength);
      return sink_.set_metadata("started", valid_utf8(text));
    }
    if (take_prefix(text, kCounts)) return begin_program(text);
    if (is_over_ || text.starts_with("summary") || metrics_.take_titles(line.text) ||
        is_comment(line.text))
      return;
    if (form_ == Form::kUnknown) form_ = form_of(line.text);
    if (form_ == Form::kIntervals) {
      add_timed(line);
    } else if (form_ == Form::kPrograms) {
      add_plain(line);
    } else {
      sink_.note("line before the counts", line.offset);
    }
  }

  void finish() {
    end_program(kUnknownLength);
    end_interval();
  }

 private:
  enum class Form : uint8_t { kUnknown, kIntervals, kPrograms };
  static constexpr Duration kUnknownLength{1'000'000'000};

  // " # Table of individual measurements:", too; but metrics stand further to the right.
  static bool is_comment(std::string_view line) {
    constexpr size_t kMostIndent = 24;
    return line.find_first_not_of(' ') < kMostIndent && trimmed(line).starts_with('#');
  }

  static Form form_of(std::string_view line) {
    perf::StatLine stat;
    if (line.starts_with("{\"interval\"") || perf::take_stat_time(line)) return Form::kIntervals;
    return perf::is_stat_table(line) ? Form::kPrograms : Form::kUnknown;
  }

  // Behind intervals stand the sums of all, which say nothing new.
  void begin_program(std::string_view of) {
    is_over_ = form_ == Form::kIntervals;
    if (is_over_) return;
    end_program(kUnknownLength);
    form_ = Form::kPrograms;
    is_counting_ = true;
    take_prefix(of, " for ");
    if (of.ends_with(':')) of.remove_suffix(1);
    sink_.set_metadata("counts of", valid_utf8(of));
  }

  void add_timed(const io::Line& line) {
    lines_.clear();
    perf::StatLine stat;
    if (!metrics_.has_titles() && perf::parse_stat_line(line.text, stat)) {
      lines_.push_back(std::move(stat));
    } else if (!metrics_.add(line.text, lines_)) {
      return sink_.loss("line that is not a count", line.offset);
    }
    for (const perf::StatLine& each : lines_) {
      if (end_ && each.time < *end_) return sink_.loss("time runs backwards", line.offset);
      if (end_ != each.time) begin_interval(each.time);
      play(each, line.offset);
    }
  }

  // How long it took is said behind the counts.
  void add_plain(const io::Line& line) {
    constexpr std::string_view kElapsed = " seconds time elapsed";
    std::string_view text = trimmed(line.text);
    if (text.contains(kElapsed)) {
      std::string seconds(take_word(text));
      std::ranges::replace(seconds, ',', '.');  // of some languages
      const auto time = perf::stat_time_of_seconds(parse_number<double>(seconds).value_or(-1));
      return end_program(time ? *time - Time{} : kUnknownLength);
    }
    for (const std::string_view what : {" seconds user", " seconds sys"}) {
      if (text.ends_with(what) && !is_counting_)
        return sink_.set_metadata(what.substr(1), valid_utf8(take_word(text)));
    }
    is_counting_ |= perf::is_stat_table(line.text);
    // Behind it stand hints, and what the next program printed.
    if (!is_counting_ || text.ends_with(" #")) return;
    lines_.clear();
    perf::StatLine stat;
    if (metrics_.has_titles()) {
      metrics_.add_without_time(line.text, lines_);
    } else if (perf::parse_stat_line_without_time(line.text, stat)) {
      lines_.push_back(std::move(stat));
    } else if (counts_.empty()) {
      return metrics_.set_titles(line.text);
    }
    if (lines_.empty()) sink_.loss("line that is not a count", line.offset);
    for (perf::StatLine& each : lines_) counts_.emplace_back(std::move(each), line.offset);
  }

  void end_program(Duration length) {
    is_counting_ = false;
    if (form_ != Form::kPrograms) return;
    metrics_.forget_titles();
    if (counts_.empty()) return;
    begin_interval(end_.value_or(Time{}) + length);
    for (const auto& [stat, offset] : counts_) play(stat, offset);
    counts_.clear();
  }

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

  // Counters that perf does not print again were idle, such as threads that did nothing.
  void end_interval() {
    if (!end_) return;
    sink_.give(trace::StateEvent{
        .begin = begin_, .duration = *end_ - begin_, .lane = intervals_, .type = interval_});
    for (auto& [name, variable] : variables_) {
      if (variable.counted == begin_ || variable.last == 0) continue;
      give(variable, 0, ParamsId::none());
    }
  }

  void play(const perf::StatLine& stat, uint64_t offset) {
    const LaneId lane = lane_of(stat);
    if (!stat.event.empty()) event_ = stat.event;
    if (stat.value) {
      name_ = stat.event;
      if (!stat.unit.empty()) name_.append(" (").append(stat.unit).append(1, ')');
      constexpr double kWhole = 100;
      const bool is_scaled = stat.running && *stat.running < kWhole;
      give(variable(lane), *stat.value,
           is_scaled ? running_percent(*stat.running) : ParamsId::none());
    } else if (!stat.event.empty() && stat.metric.empty()) {
      sink_.note("event that was not counted, or is not supported", {offset, lane, begin_});
      return;
    }
    if (stat.metric.empty() || !stat.metric_value) return;
    name_ = event_;
    if (!event_.empty()) name_ += ": ";
    name_ += stat.metric;
    give(variable(lane), *stat.metric_value, ParamsId::none());
  }

  ParamsId running_percent(double percent) {
    ArgsText params;
    params.name("running_percent");
    params.number(percent);
    return sink_.params(params.take());
  }

  void give(Variable& variable, double value, ParamsId params) {
    sink_.give(trace::VariableSample{.time = begin_,
                                     .value = value,
                                     .params = params,
                                     .lane = variable.lane,
                                     .type = variable.type});
    variable.last = value;
    variable.counted = begin_;
  }

  // That of name_.
  Variable& variable(LaneId lane) {
    const uint32_t number = lane.value();
    key_.assign(reinterpret_cast<const char*>(&number), sizeof number).append(name_);
    Variable*& known = value_of<Variable*>(known_, key_);
    if (known != nullptr) return *known;
    known = &variables_[{number, name_}];
    *known = {lane, sink_.type(Category::kVariable, valid_utf8(name_)), 0, Time{-1}};
    return *known;
  }

  LaneId lane_of(const perf::StatLine& stat) {
    const bool is_last =
        !last_lane_.is_none() && stat.group == last_group_ && stat.cgroup == last_cgroup_;
    if (is_last) return last_lane_;
    const LaneId group = lane(LaneId::none(), stat.group.empty() ? std::string("all") : stat.group);
    last_group_ = stat.group;
    last_cgroup_ = stat.cgroup;
    return last_lane_ = stat.cgroup.empty() ? group : lane(group, stat.cgroup);
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
  LaneId last_lane_ = LaneId::none();                               // of the line before, …
  std::string last_group_, last_cgroup_;                            // … which said these
  std::map<std::pair<uint32_t, std::string>, Variable> variables_;  // by lane and name
  ByName<Variable*> known_;                                         // likewise, both in a text
  std::string name_, key_;                                          // kept for their memory
  Time begin_;                                                      // of the interval
  std::optional<Time> end_;                                         // none: before the first
  std::string event_;                                               // the last one that was named
  bool is_over_ = false;
  Form form_ = Form::kUnknown;
  perf::StatMetrics metrics_;
  std::vector<perf::StatLine> lines_;  // of the line that is read
  // Counts of a program from its begin to its end, with their offsets.
  bool is_counting_ = false;
  std::vector<std::pair<perf::StatLine, uint64_t>> counts_;
};

}  // namespace

// A program's own output may precede its counts. Without titles, a time, a number and a word may be
// of another tool.
int sniff_perf_stat(std::span<const std::byte> head) {
  constexpr int kSure = 88, kRatherSure = 60, kWithoutTitles = 55;
  perf::StatMetrics metrics;
  bool is_first = true, has_titles = false;
  HeadLines lines(as_chars(head));
  while (const auto line = lines.next()) {
    has_titles |= line->starts_with(kStarted) || line->starts_with("#  ");
    if (trimmed(*line).empty() || line->starts_with(kStarted)) continue;
    if (trimmed(*line).starts_with(kCounts)) return is_first ? kSure : kRatherSure;
    if (line->starts_with('#') && line->contains("FUNCTION")) return 0;  // of uftrace, ftrace
    if (!is_first || metrics.take_titles(*line) || line->starts_with("#  ")) continue;
    perf::StatLine stat;
    std::vector<perf::StatLine> row;
    if (perf::parse_stat_line(*line, stat) && !stat.event.empty()) {
      std::string_view behind = *line;
      const bool is_columns = perf::take_stat_time(behind) && behind.starts_with(' ');
      return has_titles || !is_columns ? kSure : kWithoutTitles;
    }
    if (metrics.add(*line, row) || perf::is_stat_table(*line)) return kSure;
    is_first = false;
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

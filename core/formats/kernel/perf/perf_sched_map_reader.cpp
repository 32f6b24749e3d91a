#include "core/formats/kernel/perf/perf_sched_map_reader.h"

#include <fmt/core.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"

namespace weft::formats {
namespace {

using trace::Category;

constexpr std::string_view kSecs = " secs";
constexpr std::string_view kStandsFor = " => ", kOfCpu = " (CPU ";

// A line of the map, taken apart.
struct MapLine {
  size_t star = 0;           // where it stands
  std::string_view task;     // the short name behind it
  std::optional<Time> time;  // none: a switch on a CPU that is not shown
  std::string_view named;    // a short name that the line explains; empty: none
  std::string_view name;     // what it stands for
  std::optional<uint32_t> cpu;
};

std::optional<MapLine> parse_map_line(std::string_view text) {
  MapLine line;
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  const size_t seconds = text.find(kSecs);
  const std::string_view map = text.substr(0, seconds);
  line.star = map.find('*');
  if (line.star == std::string_view::npos) {
    const bool is_map = seconds == std::string_view::npos && text.starts_with("  ");
    return is_map ? std::optional(line) : std::nullopt;
  }
  std::string_view rest = map.substr(line.star + 1);
  line.task = take_word(rest);
  constexpr size_t kLongest = 4;
  const auto time = nearest_time(map.substr(map.find_last_of(' ') + 1), DecimalUnit::kSeconds);
  if (seconds == std::string_view::npos || line.task.empty() || line.task.size() > kLongest ||
      !time)
    return std::nullopt;
  line.time = *time;
  std::string_view legend = text.substr(seconds + kSecs.size());
  if (const size_t cpu = legend.rfind(kOfCpu); cpu != std::string_view::npos) {
    std::string_view number = legend.substr(cpu + kOfCpu.size());
    line.cpu = take_number<uint32_t>(number);
    legend = legend.substr(0, cpu);
  }
  const size_t is = legend.find(kStandsFor);
  if (is == std::string_view::npos) return line;
  line.named = trimmed(legend.substr(0, is));
  line.name = trimmed(legend.substr(is + kStandsFor.size()));
  return line;
}

class PerfSchedMapReader {
 public:
  explicit PerfSchedMapReader(trace::EventSink& sink) : sink_(sink) {
    sink_.set_time_base(TimeBase::kNanoseconds);
  }

  void add(const io::Line& line) {
    const auto parsed = parse_map_line(line.text);
    if (!parsed) return sink_.loss("line that is not a switch", line.offset);
    if (!parsed->named.empty()) tasks_[parsed->named] = valid_utf8(parsed->name);
    if (!parsed->time) return;
    if (last_ && *parsed->time < *last_) return sink_.loss("time runs backwards", line.offset);
    last_ = parsed->time;
    const size_t column = column_of(parsed->star);
    Cpu& cpu = cpus_.try_emplace(column).first->second;
    if (cpu.lane.is_none()) {
      const auto number = parsed->cpu.value_or(static_cast<uint32_t>(column));
      cpu.lane = sink_.add_lane({.name = fmt::format("CPU {}", number),
                                 .kind = trace::LaneKind::kCpu,
                                 .sort_index = static_cast<int32_t>(number)});
    }
    end(cpu);
    cpu.begin = *parsed->time;
    cpu.type = type_of(parsed->task);
  }

  // Tasks running at the end last until the last switch.
  void finish() {
    for (auto& [column, cpu] : cpus_) end(cpu);
  }

 private:
  struct Cpu {
    LaneId lane = LaneId::none();
    Time begin;
    EventTypeId type = EventTypeId::none();  // none: it is idle
  };

  // Columns are kWidth wide. The first may stand further to the right than perf prints it.
  size_t column_of(size_t star) {
    constexpr size_t kWidth = 4, kFirst = 2;
    if (!first_) first_ = star < kFirst ? star : kFirst + (star - kFirst) % kWidth;
    return star < *first_ ? 0 : (star - *first_) / kWidth;
  }

  // A dot is the idle task; "-" are tasks that were not asked for.
  EventTypeId type_of(std::string_view task) {
    if (task == "." || task == "-") return EventTypeId::none();
    const auto* const named = tasks_.find(task);
    return sink_.type(Category::kState, named != nullptr ? named->second : valid_utf8(task),
                      "tasks");
  }

  void end(Cpu& cpu) {
    if (cpu.type.is_none()) return;
    sink_.give(trace::StateEvent{.begin = cpu.begin,
                                 .duration = last_.value_or(cpu.begin) - cpu.begin,
                                 .lane = cpu.lane,
                                 .type = cpu.type});
    cpu.type = EventTypeId::none();
  }

  trace::EventSink& sink_;
  ByName<std::string> tasks_;   // by short name
  std::map<size_t, Cpu> cpus_;  // by column
  std::optional<size_t> first_;
  std::optional<Time> last_;
};

}  // namespace

// The first line explains the first task.
int sniff_perf_sched_map(std::span<const std::byte> head) {
  HeadLines lines(as_chars(head));
  while (const auto next = lines.next()) {
    if (trimmed(*next).empty()) continue;
    const auto line = parse_map_line(*next);
    return line && line->time && line->named == line->task ? 90 : 0;
  }
  return 0;
}

Status read_perf_sched_map(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  PerfSchedMapReader reader(sink);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats

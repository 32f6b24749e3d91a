#include "core/formats/kernel/ftrace/function_graph.h"

#include <algorithm>

#include "core/base/time.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"
#include "core/formats/kernel/ftrace/ftrace_line.h"

namespace weft::formats::ftrace {
namespace {

// "3 us", since the trace began, as the tracers of latencies say.
std::optional<Time> parse_microseconds(std::string_view text) {
  constexpr std::string_view kUnit = " us";
  constexpr int64_t kMostUs = int64_t{1} << 50;
  if (!text.ends_with(kUnit)) return std::nullopt;
  text.remove_suffix(kUnit.size());
  const auto us = parse_number<int64_t>(text);
  if (!us || *us < 0 || *us > kMostUs) return std::nullopt;
  return Time{*us * kNsPerUs};
}

// Whether a column marks the begin or end of an interrupt: "==========> |".
bool is_mark_of_interrupt(std::string_view column) {
  return column.starts_with("====") || column.starts_with("<===");
}

Time later(Time time, Duration by) { return {saturating_add(time.ticks, by.ticks)}; }

std::string_view without_comment(std::string_view call) {
  return trimmed(call.substr(0, call.find("/*")));
}

bool is_leaf(std::string_view call) { return without_comment(call).ends_with(';'); }

std::string_view comment_of(std::string_view call) {
  const size_t open = call.find("/*");
  if (open == std::string_view::npos) return {};
  call.remove_prefix(open + 2);
  return trimmed(call.substr(0, call.find("*/")));
}

void add_member(ArgsText& params, std::string_view name, std::string_view value) {
  if (!value.empty()) params.add_as_written(name, value);
}

// Adds a call's result: "ret=0x0" in the comment after it, before Linux 6.14 "= 0x0"; uftrace
// prints " = 0;" instead of a comment.
void add_returned(ArgsText& params, std::string_view behind, std::string_view comment) {
  constexpr std::string_view kIs = " = ";
  if (take_prefix(behind, kIs)) {
    if (behind.ends_with(';')) behind.remove_suffix(1);
    add_member(params, "ret", behind);
  }
  for (const std::string_view sign : {"ret=", "= "}) {
    const size_t at = comment.find(sign);
    if (at == std::string_view::npos) continue;
    return add_member(params, "ret", comment.substr(at + sign.size()));
  }
}

// Returns the text in a call's parentheses; for `uftrace dump` the address of the function, and
// what follows; and what columns say of it.
std::string params_of_call(const GraphLine& line) {
  ArgsText params;
  const std::string_view call = without_comment(line.call), comment = comment_of(line.call);
  const size_t open = call.find('('), close = std::min(call.rfind(") = "), call.rfind(')'));
  const bool has_brackets = open < close && close != std::string_view::npos;
  if (has_brackets)
    add_member(params, begins_call(call) ? "args" : "address",
               trimmed(call.substr(open + 1, close - open - 1)));
  if (comment.starts_with("<-"))
    add_member(params, "caller", comment.substr(2, comment.find(' ') - 2));
  add_returned(params, has_brackets ? call.substr(close + 1) : std::string_view(), comment);
  if (line.pid < 0) add_member(params, "task", line.task);  // else that is of its name
  add_member(params, "module", line.module);
  return params.take();
}

// Handles "} /* read ret=0x0 */" and "} = 0; /* read */".
std::string params_of_end(std::string_view text) {
  ArgsText params;
  add_returned(params, without_comment(text).substr(1), comment_of(text));
  return params.take();
}

// "} /* cgroup_migrate = -22 */": empty where none is said.
std::string_view name_of_end(std::string_view text) {
  const std::string_view comment = comment_of(text);
  return comment.substr(0, std::min(comment.find(" = "), comment.find(" ret=")));
}

// Parses the columns that uftrace prints before a call, "3.735 us", "75059.205383189", "4004b0", in
// the requested order or its own. Of several durations the one before the thread is the call's,
// otherwise the first; others are the time since the line before. Returns false at an unknown word.
bool parse_columns(std::string_view columns, GraphLine& line, bool is_first_length) {
  bool is_known = true;
  while (is_known && !trimmed(columns).empty()) {
    std::string_view behind = columns;
    const std::string_view word = take_word(behind);
    std::string_view behind_unit = behind;
    const std::string_view unit = take_word(behind_unit);
    Duration took;
    if (!unit.empty() && parse_duration(std::string(word) + ' ' + std::string(unit), took)) {
      if (!is_first_length || line.took.ticks == 0) line.took = took;
      behind = behind_unit;
    } else if (word.contains('.')) {
      line.time = nearest_time(word, DecimalUnit::kSeconds);
      is_known = line.time.has_value();
    } else {
      constexpr size_t kLeastDigits = 6;
      is_known = word.size() >= kLeastDigits &&
                 word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    }
    columns = behind;
  }
  return is_known;
}

// A line below a header of uftrace. Without a time, that since the recording began is one.
bool parse_line_of_columns(std::string_view text, const ReplayColumns& columns, GraphLine& line) {
  const size_t bar = text.find('|');
  ReplayValues values;
  if (!columns.is_known() || bar == std::string_view::npos ||
      !columns.parse(text.substr(0, bar), values))
    return false;
  line.call = trimmed(text.substr(bar + 1));
  line.has_place = values.tid > 0;
  if (line.has_place) {
    line.pid = values.tid;
    line.cpu = static_cast<uint32_t>(values.tid);
  }
  line.time = values.time;
  if (!line.time && values.elapsed) line.time = Time{values.elapsed->ticks};
  line.is_exact = values.time.has_value();
  line.took = values.took.value_or(Duration{});
  line.task = values.task;
  line.module = values.module;
  return true;
}

// "75059.205383189   0.737 us [ 1234] |   c();", as uftrace prints it: time and duration may lack.
bool parse_line_of_task(std::string_view text, GraphLine& line) {
  const size_t bar = text.find('|');
  if (bar == std::string_view::npos) return false;
  const std::string_view columns = text.substr(0, bar);
  const size_t open = columns.find('['), close = columns.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return false;
  const auto tid = parse_number<int32_t>(trimmed(columns.substr(open + 1, close - open - 1)));
  if (!tid || *tid <= 0) return false;
  line.pid = *tid;
  line.cpu = static_cast<uint32_t>(*tid);
  line.call = trimmed(text.substr(bar + 1));
  line.is_exact = true;
  GraphLine others;
  parse_columns(columns.substr(close + 1), others, true);  // names may be among them
  line.time = others.time;
  return parse_columns(columns.substr(0, open), line, false);
}

// "50895.869952297  5231: [entry] a(4004f2) depth: 1": one of what `uftrace dump` prints. Nothing
// is called by the lines of arguments and values, which stand behind those of their calls.
bool parse_line_of_dump(std::string_view text, GraphLine& line) {
  const std::string_view time = take_word(text);
  std::string_view task = take_word(text);
  if (!task.ends_with(':')) return false;
  task.remove_suffix(1);
  const auto tid = parse_number<int32_t>(task);
  text = trimmed(text);
  const size_t close = text.find(']');
  if (!tid || *tid <= 0 || !text.starts_with('[') || close == std::string_view::npos) return false;
  const std::string_view kind = trimmed(text.substr(1, close - 1));
  const std::string_view what = trimmed(text.substr(close + 1));
  line.time = nearest_time(time, DecimalUnit::kSeconds);
  line.pid = *tid;
  line.cpu = static_cast<uint32_t>(*tid);
  line.is_exact = true;
  line.is_event = kind == "event";
  if (kind == "entry" || line.is_event) line.call = what;
  if (kind == "exit") line.call = "}";
  return line.time && (!line.call.empty() || kind == "args" || kind == "retval" || kind == "data");
}

// "read() {", "read();", "} /* read */"
bool is_call(std::string_view text) {
  const std::string_view call = without_comment(text);
  return call.ends_with('{') || call.ends_with(';') || call.starts_with('}');
}

// "  1.382 us    |  read();": the CPU is not said, and the task only by "sh-4802  |   1.382 us |".
bool parse_line_without_cpu(std::string_view text, GraphLine& line) {
  size_t bar = text.find('|');
  if (bar == std::string_view::npos) return false;
  line.has_place = false;
  Line task;
  if (text.find('|', bar + 1) != std::string_view::npos &&
      parse_task(trimmed(text.substr(0, bar)), task) && task.pid >= 0) {
    line.task = task.task;
    line.pid = task.pid;
    line.cpu = static_cast<uint32_t>(task.pid);
    line.has_place = task.pid > 0;  // each CPU idles as task 0
    text.remove_prefix(bar + 1);
    bar = text.find('|');
  }
  const std::string_view column = trimmed(text.substr(0, bar));
  if (is_mark_of_interrupt(column)) return true;
  line.call = trimmed(text.substr(bar + 1));
  if (!is_call(line.call) && !line.call.starts_with("/*")) return false;
  return parse_columns(column, line, true) || parse_duration(column, line.took);
}

// "1)"
std::optional<uint32_t> cpu_before(std::string_view text, size_t close) {
  constexpr size_t kMostDigits = 6;
  if (close > kMostDigits) return std::nullopt;
  return parse_number<uint32_t>(text.substr(0, close));
}

}  // namespace

bool begins_call(std::string_view call) {
  call = without_comment(call);
  return call.ends_with('{') || (call.ends_with(';') && !call.starts_with('}'));
}

bool parse_graph_line(std::string_view text, const ReplayColumns& columns, GraphLine& line) {
  line = {};
  if (parse_line_of_dump(text, line)) return true;
  line = {};
  if (parse_line_of_columns(text, columns, line)) return true;
  line = {};
  constexpr size_t kNanoseconds = 9;
  Line task;
  std::string_view rest = trimmed(text);
  size_t close = rest.find(')');
  if (const size_t bar = rest.find('|'); bar < close) {
    const std::string_view time = trimmed(rest.substr(0, bar)),
                           behind = trimmed(rest.substr(bar + 1));
    line.time = nearest_time(time, DecimalUnit::kSeconds);
    line.is_exact = time.size() > kNanoseconds && time[time.size() - kNanoseconds - 1] == '.';
    if (!line.time && cpu_before(behind, behind.find(')'))) line.time = parse_microseconds(time);
    if (!line.time) return parse_line_of_task(rest, line) || parse_line_without_cpu(rest, line);
    rest = behind;
    close = rest.find(')');
  }
  const auto cpu = cpu_before(rest, close);
  if (!cpu) return line.time && parse_line_without_cpu(rest, line);
  line.cpu = *cpu;
  line.has_cpu = true;
  rest.remove_prefix(close + 1);
  const auto take_task = [&](std::string_view column) {
    if (!parse_task(column, task)) return false;
    line.task = task.task;
    line.pid = task.pid;
    return true;
  };
  if (rest.find('|') == std::string_view::npos) {
    constexpr std::string_view kTo = "=>";
    if (is_call(rest)) {  // without a duration
      line.call = trimmed(rest);
      return true;
    }
    const size_t to = rest.find(kTo);
    return to != std::string_view::npos && take_task(rest.substr(to + kTo.size()));
  }
  for (size_t bar = rest.find('|'); bar != std::string_view::npos; bar = rest.find('|')) {
    const std::string_view column = trimmed(rest.substr(0, bar));
    rest.remove_prefix(bar + 1);
    if (is_mark_of_interrupt(column)) return true;
    if (column.empty() || parse_duration(column, line.took)) break;
    take_task(column);
  }
  line.call = trimmed(rest);
  return true;
}

void FunctionGraph::add(const GraphLine& line, uint64_t offset) {
  Cpu& cpu = cpus_[line.cpu];
  if (line.pid >= 0) {
    cpu.pid = line.pid;
    cpu.task = line.task;
  }
  if (line.call.empty()) return;
  if (!line.time && says_times_ && !line.call.starts_with("/*")) {
    says_times_ = false;
    sink_.set_metadata("times",
                       "none: the calls of each CPU stand one behind the other, from 0 on");
  }
  Lanes& lanes = kernel_.lanes();
  const LaneId lane = cpu.pid > 0      ? lanes.task(cpu.pid, cpu.task, -1)
                      : line.has_place ? lanes.cpu(line.cpu)
                                       : lanes.below(lanes.root(), "calls");
  if (line.time) cpu.now = *line.time;
  At at{cpu.now, line.has_cpu ? line.cpu : At::kNoCpu, offset};
  if (line.is_event)
    return kernel_.add_punctual(lane, line.call.substr(0, line.call.find('(')), {}, at);
  if (line.call.starts_with("/*")) return add_comment(lane, line, cpu, at);
  if (line.call.starts_with('}')) return end_call(line, lane, cpu, at);
  Calls& calls = calls_[lane];
  // A leaf of a microsecond's fraction ends before the next call begins, which prints its time.
  if (line.time) at.time = std::max(at.time, calls.last_end);
  kernel_.begin_function(lane, trimmed(line.call.substr(0, line.call.find('('))), at,
                         params_of_call(line));
  if (!is_leaf(line.call)) return calls.begin(at.time);
  // Without times, one tick per line at least shows the order.
  constexpr Duration kTick{1};
  at.time = later(at.time, line.time ? line.took : std::max(line.took, kTick));
  if (!line.time) cpu.now = at.time;
  calls.last_end = at.time;
  kernel_.end_function(lane, at);
}

// Ends the innermost call. Its length says its end more exactly than a time in microseconds, unless
// what was lost has mixed up the calls, and alone where there is no time.
void FunctionGraph::end_call(const GraphLine& line, LaneId lane, Cpu& cpu, At at) {
  constexpr Duration kMostApart{10'000};
  Calls& calls = calls_[lane];
  const bool is_open = calls.is_open();
  const auto begin = calls.end();
  Time end = at.time;
  if (begin && line.took.ticks > 0 && !line.is_exact) {
    const Time said = later(*begin, line.took);
    const bool is_near = said - kMostApart < end && end - kMostApart < said;
    if (!line.time || is_near) end = said;
  }
  at.time = std::max(end, line.time ? calls.last_end : cpu.now);
  const std::string_view name = name_of_end(line.call);
  const bool is_known = !is_open && line.took.ticks > 0 && !name.empty();  // but for its begin
  // Without times nothing is before 0.
  if (is_known && !line.time) at.time = std::max(at.time, Time{line.took.ticks});
  calls.last_end = at.time;
  if (!line.time) cpu.now = at.time;
  if (is_known) return kernel_.add_function(lane, name, line.took, params_of_end(line.call), at);
  kernel_.end_function(lane, at, params_of_end(line.call));
}

void FunctionGraph::Calls::begin(Time time) {
  constexpr size_t kMostDepth = 1 << 10;
  if (begun.size() < kMostDepth) {
    begun.push_back(time);
  } else {
    ++deeper;
  }
}

std::optional<Time> FunctionGraph::Calls::end() {
  if (deeper > 0 || begun.empty()) {
    deeper -= std::min<size_t>(deeper, 1);
    return std::nullopt;
  }
  const Time time = begun.back();
  begun.pop_back();
  return time;
}

// "LOST 5 records!!", "LOST some records!!": uftrace's buffer was full.
bool FunctionGraph::add_lost(LaneId lane, std::string_view text, const At& at) {
  if (!take_prefix(text, "LOST ") || !text.ends_with(" records!!")) return false;
  sink_.loss("records lost by uftrace's buffer", {at.offset, lane, at.time},
             take_number<uint64_t>(text).value_or(1));
  return true;
}

// "1.550 ms [ 10] | /* linux:schedule */": the time off the CPU that uftrace has measured, and when
// that began; "linux:sched-in" stands where it ended.
bool FunctionGraph::add_wait(LaneId lane, std::string_view text, const GraphLine& line, Cpu& cpu,
                             Time time) {
  constexpr std::string_view kScheduler = "scheduler";
  const bool is_end = text == "linux:sched-in";
  if (line.took.ticks <= 0 || (!is_end && !text.starts_with("linux:schedule"))) return false;
  const Time begin = is_end && line.time ? time - line.took : time;
  if (!line.time) cpu.now = later(begin, line.took);
  const bool is_preempted = text.contains("pre-empted");
  kernel_.saw(later(begin, line.took));
  sink_.give(trace::StateEvent{
      .begin = begin,
      .duration = line.took,
      .lane = kernel_.lanes().below(lane, kScheduler),
      .type =
          sink_.type(trace::Category::kState, is_preempted ? "preempted" : "waiting", kScheduler)});
  return true;
}

// "/* sched_switch: prev_comm=… */", or what trace_printk was given.
void FunctionGraph::add_comment(LaneId lane, const GraphLine& line, Cpu& cpu, const At& at) {
  std::string_view text = line.call.substr(2);
  text = trimmed(text.substr(0, text.find("*/")));
  if (add_lost(lane, text, at) || add_wait(lane, text, line, cpu, at.time)) return;
  const size_t colon = text.find(": ");
  const std::string_view name = text.substr(0, colon);
  const bool is_event = colon != std::string_view::npos && name.find(' ') == std::string_view::npos;
  if (is_event && line.time && line.has_cpu)
    return player_.add({.task = cpu.task,
                        .pid = std::max(cpu.pid, 0),
                        .cpu = line.cpu,
                        .time = at.time,
                        .event = name,
                        .args = trimmed(text.substr(colon + 1)),
                        .offset = at.offset});
  std::string json = "{\"text\":";
  json::append_quoted_bytes(json, is_event ? trimmed(text.substr(colon + 1)) : text);
  kernel_.add_punctual(lane, is_event ? name : "print", json + '}', at);
}

}  // namespace weft::formats::ftrace

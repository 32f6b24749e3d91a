#include "core/formats/ftrace/ftrace_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "core/base/text.h"
#include "core/formats/chrome_json/json_text.h"
#include "core/formats/text.h"

namespace weft::formats::ftrace {
namespace {

using trace::Category;
using trace::LaneKind;

constexpr std::string_view kInterrupts = "interrupts", kSystemCalls = "system calls";

// "B|1234|name with | in it" at most `count` parts, the last one takes the rest.
template <size_t kCount>
std::array<std::string_view, kCount> parts_of(std::string_view text) {
  std::array<std::string_view, kCount> parts;
  for (size_t i = 0; i < kCount; ++i) {
    const size_t bar = i + 1 < kCount ? text.find('|') : std::string_view::npos;
    parts[i] = text.substr(0, bar);
    text = bar == std::string_view::npos ? std::string_view() : text.substr(bar + 1);
  }
  return parts;
}

}  // namespace

void Player::add(const Line& line) {
  if (is_first_)
    sink_.set_time_base(line.is_in_seconds ? TimeBase::kNanoseconds : TimeBase::kTicks);
  last_ = is_first_ ? line.time : std::max(last_, line.time);
  is_first_ = false;
  if (line.pid > 0) lanes_.task(line.pid, line.task, line.tgid);
  if (line.event == "sched_switch" && scheduler_.add_switch(line)) return;
  const bool is_wakeup = line.event == "sched_waking" || line.event == "sched_wakeup" ||
                         line.event == "sched_wakeup_new";
  if (is_wakeup && scheduler_.add_wakeup(line, lane_of(line))) return;
  const bool is_done = add_interrupt(line) || add_system_call(line) || add_function(line) ||
                       add_power(line) || add_mark(line);
  if (!is_done) add_punctual(line);
}

void Player::finish() {
  scheduler_.finish(last_);
  open_.finish(last_);
  for (const auto& [key, begun] : async_) {
    sink_.loss("begin without an end", begun.offset, 1, false);
    give_async(begun, parts_of<3>(key)[1], last_);
  }
}

bool Player::add_interrupt(const Line& line) {
  const bool is_soft = line.event.starts_with("softirq_");
  const bool is_entry = line.event == "irq_handler_entry" || line.event == "softirq_entry";
  const bool is_exit = line.event == "irq_handler_exit" || line.event == "softirq_exit";
  if (!is_entry && !is_exit) return false;
  const LaneId lane = lanes_.below(lanes_.cpu(line.cpu), kInterrupts);
  if (is_exit) {
    open_.end(lane, line.time, line.offset);
    return true;
  }
  // "vec=9 [action=RCU]", "irq=46 name=eth0"
  std::string_view name = field(line.args, is_soft ? "action" : "name");
  if (name.ends_with(']')) name.remove_suffix(1);
  const std::string_view number = field(line.args, is_soft ? "vec" : "irq");
  begin(lane, name.empty() ? number : name, is_soft ? "softirq" : "irq", line);
  return true;
}

// "sys_enter: NR 1 (2, 7f…, a)", "sys_exit: NR 1 = 5"; named: "sys_read(fd: 3)", "sys_read ->
// 0x10".
bool Player::add_system_call(const Line& line) {
  const bool is_named =
      line.event.starts_with("sys_") && line.event != "sys_enter" && line.event != "sys_exit";
  const bool is_exit = is_named ? line.args.starts_with("->") || line.event.starts_with("sys_exit_")
                                : line.event == "sys_exit";
  if (!is_named && !is_exit && line.event != "sys_enter") return false;
  const LaneId lane = lanes_.below(lane_of(line), kSystemCalls);
  if (is_exit) {
    open_.end(lane, line.time, line.offset);
    return true;
  }
  std::string name(line.event);
  constexpr std::string_view kEnter = "sys_enter_", kNumber = "NR ";
  if (line.event.starts_with(kEnter)) {
    name = "sys_" + name.substr(kEnter.size());
  } else if (!is_named && line.args.starts_with(kNumber)) {
    const std::string_view rest = line.args.substr(kNumber.size());
    name = fmt::format("system call {}", rest.substr(0, rest.find(' ')));
  }
  const ParamsId params = params_of(line.args);
  open_.begin(lane, sink_.type(Category::kState, valid_utf8(name), kSystemCalls), line.time, params,
              line.offset);
  return true;
}

// funcgraph_entry and _exit, as `trace-cmd report` prints them: "func=0x… depth=1", or
// "|  vfs_read() {", "0.5 us | fput();" and "1.2 us | }".
bool Player::add_function(const Line& line) {
  constexpr std::string_view kFunctions = "functions";
  const bool is_exit = line.event == "funcgraph_exit";
  if (line.event != "funcgraph_entry" && !is_exit) return false;
  const LaneId lane = lanes_.below(lane_of(line), kFunctions);
  if (is_exit) {
    open_.end(lane, line.time, line.offset);
    return true;
  }
  const size_t bar = line.args.find('|');
  if (bar == std::string_view::npos) {
    begin(lane, field(line.args, "func"), kFunctions, line);
    return true;
  }
  const std::string_view call = trimmed(line.args.substr(bar + 1));
  const std::string_view name = call.substr(0, call.find('('));
  if (!call.ends_with(';')) {
    begin(lane, name, kFunctions, line);
    return true;
  }
  // A leaf says how long it took, and was printed when it was entered.
  std::string_view took = trimmed(line.args.substr(0, bar));
  took.remove_prefix(std::min(took.find_first_of("0123456789"), took.size()));
  const double us = parse_number<double>(took.substr(0, took.find(' '))).value_or(0);
  begin(lane, name, kFunctions, line);
  open_.end(lane, line.time + Duration{static_cast<int64_t>(us * 1e3)}, line.offset);
  return true;
}

// "cpu_idle: state=4294967295 cpu_id=0" is the end of being idle.
bool Player::add_power(const Line& line) {
  const bool is_idle = line.event == "cpu_idle";
  if (!is_idle && line.event != "cpu_frequency") return false;
  const auto state = parse_number<int64_t>(field(line.args, "state"));
  const auto cpu = parse_number<int64_t>(field(line.args, "cpu_id"));
  if (!state || !cpu || *cpu < 0) return false;
  constexpr int64_t kNotIdle = 0xFFFFFFFF;
  const trace::VariableSample sample{
      .time = line.time,
      .value = is_idle && *state == kNotIdle ? -1 : static_cast<double>(*state),
      .lane = lanes_.cpu(static_cast<uint32_t>(*cpu)),
      .type = sink_.type(Category::kVariable, is_idle ? "idle state" : "frequency")};
  sink_.variables({&sample, 1});
  return true;
}

bool Player::add_mark(const Line& line) {
  constexpr std::string_view kWrite = "tracing_mark_write: ";
  if (line.event != "tracing_mark_write" && line.event != "print") return false;
  std::string_view mark = line.args;
  if (const size_t at = mark.find(kWrite); at != std::string_view::npos)
    mark.remove_prefix(at + kWrite.size());
  return add_user_mark(line, mark);
}

bool Player::add_user_mark(const Line& line, std::string_view mark) {
  constexpr std::string_view kMarks = "marks";
  const LaneId task = lane_of(line);
  const auto [kind, pid, name, value] = parts_of<4>(mark);
  if (kind.size() != 1 || (kind != "E" && mark.size() < 2)) return false;
  switch (kind.front()) {
    case 'B':
      begin(lanes_.below(task, kMarks), mark.substr(std::min(mark.size(), pid.size() + 3)), kMarks,
            line);
      return true;
    case 'E':
      open_.end(lanes_.below(task, kMarks), line.time, line.offset);
      return true;
    case 'S':
    case 'F':
      add_async(line, mark.substr(2), name, kind == "S");
      return true;
    case 'C': {
      const auto number = parse_number<double>(trimmed(value));
      if (!number) return false;
      const trace::VariableSample sample{.time = line.time,
                                         .value = *number,
                                         .lane = task,
                                         .type = sink_.type(Category::kVariable, valid_utf8(name))};
      sink_.variables({&sample, 1});
      return true;
    }
    case 'I':
    case 'N': {
      const trace::PunctualEvent event{
          .time = line.time,
          .lane = lanes_.below(task, kMarks),
          .type = sink_.type(Category::kPunctual, valid_utf8(name), kMarks)};
      sink_.punctuals({&event, 1});
      return true;
    }
    default:
      return false;
  }
}

// They may overlap and end on another task: paired by process, name and cookie.
void Player::add_async(const Line& line, std::string_view key, std::string_view name,
                       bool is_begin) {
  if (is_begin) {
    const LaneId lane = lanes_.below(lane_of(line), name, LaneKind::kAsync);
    async_[std::string(key)] = {lane, line.time, line.offset};
    return;
  }
  const auto it = async_.find(std::string(key));
  if (it == async_.end()) return sink_.loss("end without a begin", line.offset, 1, false);
  give_async(it->second, name, line.time);
  async_.erase(it);
}

void Player::give_async(const Async& begun, std::string_view name, Time end) {
  const trace::StateEvent state{.begin = begun.begin,
                                .duration = std::max(end, begun.begin) - begun.begin,
                                .lane = begun.lane,
                                .type = sink_.type(Category::kState, valid_utf8(name), "marks")};
  sink_.states({&state, 1});
}

void Player::add_punctual(const Line& line) {
  const trace::PunctualEvent event{.time = line.time,
                                   .params = params_of(line.args),
                                   .lane = lane_of(line),
                                   .type = sink_.type(Category::kPunctual, line.event)};
  sink_.punctuals({&event, 1});
}

LaneId Player::lane_of(const Line& line) {
  return line.pid > 0 ? lanes_.task(line.pid, line.task, line.tgid) : lanes_.cpu(line.cpu);
}

void Player::begin(LaneId lane, std::string_view name, std::string_view group, const Line& line) {
  open_.begin(lane, sink_.type(Category::kState, valid_utf8(name), group), line.time,
              ParamsId::none(), line.offset);
}

// Fields as they are printed: numbers stay numbers. Text without fields is kept whole.
ParamsId Player::params_of(std::string_view args) {
  json_.clear();
  const auto add = [&](std::string_view name, std::string_view value) {
    json_ += json_.empty() ? '{' : ',';
    chrome_json::append_quoted(json_, valid_utf8(name));
    json_ += ':';
    if (const auto number = parse_number<int64_t>(value)) {
      fmt::format_to(std::back_inserter(json_), "{}", *number);
    } else {
      chrome_json::append_quoted(json_, valid_utf8(value));
    }
  };
  for_each_field(args, add);
  if (json_.empty() && !args.empty()) add("text", args);
  if (json_.empty()) return ParamsId::none();
  json_ += '}';
  return sink_.params(json_);
}

}  // namespace weft::formats::ftrace

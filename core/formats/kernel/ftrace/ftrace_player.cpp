#include "core/formats/kernel/ftrace/ftrace_player.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/formats/base/decimal_time.h"
#include "core/formats/base/text.h"
#include "core/formats/kernel/ftrace/fields_in_words.h"
#include "core/formats/kernel/ftrace/traced_latency.h"

namespace weft::formats::ftrace {
namespace {

using namespace std::string_view_literals;

At at_of(const Line& line) { return {line.time, line.cpu, line.offset}; }

// The line with which systrace ends a trace whose clock is nobody else's. It tells of no event, and
// its time is none.
bool is_made_up(const Line& line) {
  return line.time.ticks == 0 && line.args.starts_with("trace_event_clock_sync:");
}

// "bash:1234": the name may hold colons, too.
bool parse_name_and_pid(std::string_view text, std::string_view& name, int32_t& pid) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  const auto number = parse_number<int64_t>(text.substr(colon + 1));
  if (!number) return false;
  name = text.substr(0, colon);
  pid = static_cast<int32_t>(*number);
  return true;
}

// "1377:120:R gnome-terminal", behind the CPU it shall run on "[000]": a task as the tracers of
// wake-ups name it, by its number, its priority, its state, and of the second of two its name.
struct NumberedTask {
  int32_t pid = 0;
  std::string_view state, name;
};

std::optional<NumberedTask> parse_numbered_task(std::string_view text) {
  if (text.starts_with('[')) text.remove_prefix(std::min(text.find(']'), text.size() - 1) + 1);
  text = trimmed(text);
  const auto pid = take_number<int32_t>(text);
  if (!pid || *pid < 0 || !take_prefix(text, ":")) return std::nullopt;
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  text.remove_prefix(colon + 1);
  const std::string_view state = take_word(text);
  return NumberedTask{*pid, state, trimmed(text)};
}

// The two tasks of "9:120:S ==> [000]  1377:120:R gnome-terminal", or none.
std::optional<std::pair<NumberedTask, NumberedTask>> parse_numbered_tasks(
    std::string_view text, std::string_view between) {
  const size_t at = text.find(between);
  if (at == std::string_view::npos) return std::nullopt;
  const auto from = parse_numbered_task(text.substr(0, at));
  const auto to = parse_numbered_task(trimmed(text.substr(at + between.size())));
  if (!from || !to) return std::nullopt;
  return std::pair(*from, *to);
}

// "-2", "0xfffffffffffffffe".
std::optional<int64_t> parse_result(std::string_view text) {
  if (!text.starts_with("0x")) return parse_number<int64_t>(text);
  const auto bits = take_address(text);
  return bits && text.empty() ? std::optional(static_cast<int64_t>(*bits)) : std::nullopt;
}

// "NR 1 = 16", "-> 0x10", "0x10", or a field.
std::optional<int64_t> result_of(std::string_view args) {
  if (const std::string_view result = field(args, "ret"); !result.empty())
    return parse_result(result);
  return parse_result(args.substr(args.rfind(' ') + 1));  // none: npos + 1 is 0
}

// "(do_sys_open+0x60/0xb0) ret=0x3": what is not a field; empty where there are none.
std::string_view words_before_fields(std::string_view args) {
  const size_t first = find_field(args, 0).begin;
  if (first == std::string_view::npos) return {};
  std::string_view words = args.substr(0, first);
  while (!words.empty() && std::string_view(" \t([,").contains(words.back()))
    words.remove_suffix(1);
  return words;
}

// "001" is CPU 1: the kernel pads these numbers.
std::string_view without_padding(std::string_view number) {
  const size_t zeros = number.find_first_not_of('0');
  return number.substr(zeros == std::string_view::npos ? std::max<size_t>(number.size(), 1) - 1
                                                       : zeros);
}

}  // namespace

void Player::add(const Line& line) {
  if (is_made_up(line)) return;
  if (is_first_)
    sink_.set_time_base(line.is_in_seconds ? TimeBase::kNanoseconds : TimeBase::kTicks);
  is_first_ = false;
  if (play(line)) return;
  if (const auto named = block_fields(line.event, line.args); !named.empty())
    return kernel_.add_punctual(lane_of(line), line.event, text_of(named), at_of(line));
  const std::string in_words = fields_in_words(line.event, line.args);
  const std::string_view args = in_words.empty() ? line.args : std::string_view(in_words);
  const std::string_view text =
      line.event == "function" ? whole_text_of(line.args) : text_of(args, is_message(line.event));
  kernel_.add_punctual(lane_of(line), line.event, text, at_of(line));
}

bool Player::play(const Line& line) {
  if (line.pid > 0) kernel_.lanes().task(line.pid, line.task, line.tgid);
  const bool is_exit = line.event == "sched_process_exit", is_new = line.event == "task_newtask";
  if (is_exit || is_new || line.event == "sched_process_free") {
    const auto pid = parse_number<int32_t>(field(line.args, "pid"));
    if (pid && is_exit) kernel_.exit_task(*pid, at_of(line));
    if (pid && is_new) kernel_.give_number(*pid, at_of(line));
    if (pid && !is_exit && !is_new) kernel_.free_task(*pid, at_of(line));
  }
  if (add_switch(line)) return true;
  const bool is_named = !line.task.starts_with('<');
  kernel_.see_running(line.pid, is_named ? line.task : std::string_view(), at_of(line));
  return add_wakeup(line) || add_interrupt(line) || add_system_call(line) || add_function(line) ||
         add_power(line) || add_value(line) || add_noise(line) || add_latency(line) ||
         add_call(line) || add_mark(line) || add_paired(line) || add_transaction(line);
}

// A switch printed by a tracer, without an event name.
bool Player::add_numbered_switch(const Line& line) {
  const auto tasks = parse_numbered_tasks(line.args, "==>");
  if (!tasks) return false;
  const auto& [from, to] = *tasks;
  kernel_.switch_tasks({.previous_name = from.pid == line.pid ? line.task : std::string_view(),
                        .next_name = to.name,
                        .previous_state = name_of_task_state(from.state),
                        .previous = from.pid,
                        .next = to.pid},
                       at_of(line));
  return true;
}

// The kernel's own form, and `trace-cmd report`'s: "bash:1234 [120] S ==> swapper/0:0 [120]".
bool Player::add_switch(const Line& line) {
  if (line.event == "context_switch") return add_numbered_switch(line);
  if (line.event != "sched_switch") return false;
  Switch s;
  const auto [previous_name, previous_pid, state_field, next_name, next_pid] =
      fields(line.args,
             std::array{"prev_comm"sv, "prev_pid"sv, "prev_state"sv, "next_comm"sv, "next_pid"sv});
  const auto previous = parse_number<int64_t>(previous_pid);
  const auto next = parse_number<int64_t>(next_pid);
  std::string_view state = state_field;
  if (previous && next) {
    s.previous = static_cast<int32_t>(*previous);
    s.next = static_cast<int32_t>(*next);
    s.previous_name = previous_name;
    s.next_name = next_name;
  } else {
    constexpr std::string_view kArrow = " ==> ";
    const size_t arrow = line.args.find(kArrow);
    if (arrow == std::string_view::npos) return false;
    const std::string_view from = line.args.substr(0, arrow),
                           to = line.args.substr(arrow + kArrow.size());
    const size_t from_end = from.rfind(" ["), to_end = to.rfind(" [");
    if (from_end == std::string_view::npos) return false;
    state = from.substr(std::min(from.rfind(' ') + 1, from.size()));
    if (!parse_name_and_pid(from.substr(0, from_end), s.previous_name, s.previous) ||
        !parse_name_and_pid(to.substr(0, to_end), s.next_name, s.next))
      return false;
  }
  // `trace-cmd report` of old kernels prints numbers.
  const auto bits = parse_number<int64_t>(state);
  s.previous_state = bits ? kernel_.task_state(*bits) : name_of_task_state(state);
  const At at = at_of(line);
  if (s.next < 0)
    sink_.note("switch to a task without a number",
               {at.offset, kernel_.lanes().cpu(at.cpu), at.time});
  kernel_.switch_tasks(s, at);
  return true;
}

bool Player::add_wakeup(const Line& line) {
  if (line.event == "wakeup") {
    const auto tasks = parse_numbered_tasks(line.args, " + ");
    const bool is_other = tasks && tasks->first.pid != tasks->second.pid;  // who wakes, runs
    return is_other &&
           kernel_.wake(tasks->second.pid, tasks->second.name, lane_of(line), at_of(line));
  }
  const bool is_wakeup = line.event == "sched_waking" || line.event == "sched_wakeup" ||
                         line.event == "sched_wakeup_new";
  if (!is_wakeup) return false;
  auto [name, number_field] = fields(line.args, std::array{"comm"sv, "pid"sv});
  int32_t pid = 0;
  if (const auto number = parse_number<int64_t>(number_field)) {
    pid = static_cast<int32_t>(*number);
  } else if (!parse_name_and_pid(line.args.substr(0, line.args.find(" [")), name, pid)) {
    return false;
  }
  return kernel_.wake(pid, name, lane_of(line), at_of(line), line.event == "sched_wakeup_new");
}

bool Player::add_interrupt(const Line& line) {
  if (line.event == "irq_handler_entry") {  // "irq=46 name=eth0"
    const auto [number, name] = fields(line.args, std::array{"irq"sv, "name"sv});
    kernel_.begin_irq(parse_number<int64_t>(number).value_or(-1), name, at_of(line));
  } else if (line.event == "irq_handler_exit") {  // "irq=46 ret=handled", "irq=46 ret=1"
    const std::string_view result = field(line.args, "ret");
    kernel_.end_irq(
        result.empty() ? std::nullopt : std::optional(result == "handled" || result == "1"),
        at_of(line));
  } else if (line.event == "softirq_entry") {  // "vec=9 [action=RCU]"
    std::string_view name = field(line.args, "action");
    if (name.ends_with(']')) name.remove_suffix(1);
    kernel_.begin_interrupt(name.empty() ? field(line.args, "vec") : name, "softirq", at_of(line));
  } else if (line.event == "softirq_exit") {
    kernel_.end_interrupt(at_of(line));
  } else {
    return false;
  }
  return true;
}

// "sys_enter: NR 1 (2, 7f…, a)", "sys_exit: NR 1 = 5"; named: "sys_read(fd: 3)", "sys_read ->
// 0x10", where "sys_exit_group(error_code: 0)" is a call, too; "sys_enter_read: fd: 3".
bool Player::add_system_call(const Line& line) {
  if (!line.event.starts_with("sys_")) return false;
  const bool has_arguments = line.args.starts_with('(');
  const bool is_exit =
      line.args.starts_with("->") ||
      (!has_arguments && (line.event == "sys_exit" || line.event.starts_with("sys_exit_")));
  if (is_exit) {
    const auto returned = result_of(line.args);
    const bool is_said = returned && find_field(line.args, 0).begin == std::string_view::npos;
    kernel_.end_system_call(lane_of(line), returned, is_said ? "" : text_of(line.args),
                            at_of(line));
    return true;
  }
  std::string name(line.event);
  constexpr std::string_view kEnter = "sys_enter_", kNumber = "NR ";
  if (line.event.starts_with(kEnter)) {
    name = "sys_" + name.substr(kEnter.size());
  } else if (line.event == "sys_enter") {
    std::string_view rest = line.args;
    const bool has_number = take_prefix(rest, kNumber);
    const auto number =
        parse_number<int64_t>(has_number ? rest.substr(0, rest.find(' ')) : field(line.args, "id"));
    if (number) {
      kernel_.begin_system_call(lane_of(line), *number, text_of(line.args), at_of(line));
      return true;
    }
  }
  kernel_.begin_system_call(lane_of(line), name, text_of(line.args), at_of(line));
  return true;
}

// funcgraph_entry and _exit, as `trace-cmd report` prints them: "func=0x… depth=1", or
// "|  vfs_read() {", "0.5 us | fput();" and "1.2 us | }".
bool Player::add_function(const Line& line) {
  const bool is_exit = line.event == "funcgraph_exit";
  if (line.event != "funcgraph_entry" && !is_exit) return false;
  const LaneId lane = lane_of(line);
  At at = at_of(line);
  if (is_exit) {
    kernel_.end_function(lane, at);
    return true;
  }
  const size_t bar = line.args.find('|');
  if (bar == std::string_view::npos) {
    kernel_.begin_function(lane, field(line.args, "func"), at);
    return true;
  }
  const std::string_view call = trimmed(line.args.substr(bar + 1));
  const std::string_view name = call.substr(0, call.find('('));
  if (!call.ends_with(';')) {
    kernel_.begin_function(lane, name, at);
    return true;
  }
  // A leaf says how long it took, and was printed when it was entered.
  std::string_view took = trimmed(line.args.substr(0, bar));
  took.remove_prefix(std::min(took.find_first_of("0123456789"), took.size()));
  const double us = parse_number<double>(took.substr(0, took.find(' '))).value_or(0);
  kernel_.begin_function(lane, name, at);
  at.time = at.time + Duration{static_cast<int64_t>(us * 1e3)};
  kernel_.end_function(lane, at);
  return true;
}

// "cpu_idle: state=4294967295 cpu_id=0" is the end of being idle, of old kernels "power_end:
// cpu_id=0"; "suspend_resume: dpm_suspend[2] begin".
bool Player::add_power(const Line& line) {
  if (line.event == "suspend_resume") {
    const bool is_begin = line.args.ends_with(" begin");
    const size_t end = line.args.find('[');
    if (end == std::string_view::npos || (!is_begin && !line.args.ends_with(" end"))) return false;
    std::string_view value = line.args.substr(end + 1);
    kernel_.suspend(line.args.substr(0, end), take_number<int64_t>(value), is_begin, at_of(line));
    return true;
  }
  constexpr int64_t kNotIdle = 4294967295;
  const bool is_end = line.event == "power_end";
  const bool is_idle = is_end || line.event == "cpu_idle" || line.event == "power_start";
  if (!is_idle && line.event != "cpu_frequency" && line.event != "power_frequency") return false;
  const auto [state_field, cpu_field] = fields(line.args, std::array{"state"sv, "cpu_id"sv});
  const auto state = is_end ? std::optional(kNotIdle) : parse_number<int64_t>(state_field);
  const auto cpu = parse_number<int64_t>(cpu_field);
  if (!state || !cpu || *cpu < 0) return false;
  const auto number = static_cast<uint32_t>(*cpu);
  if (is_idle) {
    kernel_.set_idle_state(number, *state, at_of(line));
  } else {
    kernel_.set_frequency(number, *state, at_of(line));
  }
  return true;
}

// "clock_set_rate: pll state=500000000 cpu_id=0", "clk_set_rate: pll 500000000"; fields may be
// printed by the first word of their name ("min=" of "min_freq"), and sizes with their unit.
bool Player::add_value(const Line& line) {
  const ValueEvent* const event = value_event(line.event);
  if (event == nullptr) return false;
  const std::string in_words = fields_in_words(line.event, line.args);
  const std::string_view args = in_words.empty() ? line.args : std::string_view(in_words);
  std::string_view rest = args;
  std::string_view whose = field(args, event->of);
  if (whose.empty() && event->whose == Whose::kNamed) whose = take_word(rest);
  const auto number = parse_number<int32_t>(whose);
  const bool is_known = event->whose == Whose::kSystem ||
                        (event->whose == Whose::kNamed ? !whose.empty() : number && *number >= 0);
  if (!is_known) return false;
  const ValueOwner of{number.value_or(0), whose};
  bool has_value = false;
  const auto add = [&](std::string_view name, std::string_view text) {
    const auto value = take_number<int64_t>(text);
    if (!value || (!text.empty() && text != "B" && text != "Khz")) return;
    kernel_.add_value(*event, of, name, static_cast<double>(*value), at_of(line));
    has_value = true;
  };
  if (event->constant) {
    kernel_.add_value(*event, of, {}, *event->constant, at_of(line));
    return true;
  }
  for_each_field(args, [&](std::string_view name, std::string_view value) {
    if (event->is_value(name)) return add(name, value);
    for (const std::string_view each : event->values) {
      if (each.starts_with(name) && each.substr(name.size()).starts_with('_'))
        return add(each, value);
    }
  });
  if (!has_value && event->whose == Whose::kNamed) add({}, trimmed(rest));
  return has_value;
}

// "local_timer:236 start 5789.857529929 duration 1845 ns"
bool Player::add_noise(const Line& line) {
  constexpr std::string_view kStart = "start ", kDuration = " duration ";
  const size_t start = line.args.rfind(kStart), duration = line.args.rfind(kDuration);
  if (!line.event.ends_with("_noise") || start > duration || duration == std::string_view::npos)
    return false;
  const size_t begin = start + kStart.size();
  std::string_view rest = line.args.substr(duration + kDuration.size());
  const auto took = take_number<int64_t>(rest);
  const auto time = nearest_time(line.args.substr(begin, duration - begin), DecimalUnit::kSeconds);
  if (!took || *took < 0 || !time) return false;
  const std::string_view what = trimmed(line.args.substr(0, start));
  kernel_.add_noise(line.event, what.substr(0, what.rfind(':')), *time, {*took},
                    whole_text_of(line.args), at_of(line));
  return true;
}

bool Player::add_latency(const Line& line) {
  if (line.event != "function") return false;
  const auto latency = parse_latency(line.args);
  if (!latency) return false;
  kernel_.sample(kernel_.lanes().cpu(line.cpu), latency->what, latency->value, at_of(line));
  kernel_.add_punctual(lane_of(line), latency->event, latency->params, at_of(line));
  return true;
}

// What the function tracer says: "ksys_read <-do_syscall_64", "vfs_read(count=1024) <-ksys_read".
bool Player::add_call(const Line& line) {
  constexpr std::string_view kCaller = " <-";
  const size_t caller = line.args.rfind(kCaller);
  if (line.event != "function" || caller == std::string_view::npos) return false;
  const std::string_view call = trimmed(line.args.substr(0, caller));
  const size_t open = std::min(call.find('('), call.size());
  if (open == 0) return false;
  params_.clear();
  params_.add("caller", trimmed(line.args.substr(caller + kCaller.size())));
  if (open + 2 < call.size())
    params_.add("arguments", call.substr(open + 1, call.size() - open - 2));
  kernel_.add_call(lane_of(line), trimmed(call.substr(0, open)), params_.whole(), at_of(line));
  return true;
}

bool Player::add_mark(const Line& line) {
  constexpr std::string_view kWrite = "tracing_mark_write: ";
  if (is_driver_mark(line.event))
    return kernel_.add_driver_mark(lane_of(line), line.args, at_of(line));
  if (line.event != "tracing_mark_write" && line.event != "print") return false;
  std::string_view mark = line.args;
  if (const size_t at = mark.find(kWrite); at != std::string_view::npos)
    mark.remove_prefix(at + kWrite.size());
  return kernel_.add_mark(lane_of(line), mark, at_of(line));
}

// "hrtimer=0xffff… function=hrtimer_wakeup now=5", "work struct 0xffff…: function wb_workfn"; of an
// ipi_entry "(Rescheduling interrupts)".
bool Player::add_paired(const Line& line) {
  const auto event = paired_event(line.event);
  if (!event) return false;
  std::string_view function = field(line.args, "function");
  constexpr std::string_view kFunction = " function ";
  if (const size_t at = line.args.find(kFunction); at != std::string_view::npos)
    function = trimmed(line.args.substr(at + kFunction.size()));
  if (line.args.starts_with('(') && line.args.ends_with(')'))
    function = line.args.substr(1, line.args.size() - 2);
  if (function.starts_with("0x")) function = {};
  kernel_.add_paired(*event, lane_of(line), function, event->is_begin ? text_of(line.args) : "",
                     at_of(line));
  return true;
}

// "binder_transaction: transaction=7 dest_node=2 dest_proc=300 dest_thread=0 reply=0 flags=0x10
// code=0x1", "binder_transaction_received: transaction=7".
bool Player::add_transaction(const Line& line) {
  const bool is_received = line.event == "binder_transaction_received";
  if (!is_received && line.event != "binder_transaction") return false;
  const auto [number_field, reply] = fields(line.args, std::array{"transaction"sv, "reply"sv});
  const auto number = parse_number<int64_t>(number_field);
  if (!number) return false;
  if (is_received) return kernel_.receive_transaction(*number, lane_of(line), at_of(line));
  kernel_.send_transaction(*number, reply == "1", lane_of(line), text_of(line.args), at_of(line));
  return true;
}

LaneId Player::lane_of(const Line& line) {
  Lanes& lanes = kernel_.lanes();
  return line.pid > 0 ? lanes.task(line.pid, line.task, line.tgid) : lanes.cpu(line.cpu);
}

std::string_view Player::whole_text_of(std::string_view args) {
  params_.clear();
  params_.add("text", args);
  return params_.whole();
}

// Messages, and text without fields, are kept whole.
std::string_view Player::text_of(std::string_view args, bool is_message) {
  params_.clear();
  const std::string_view text = is_message ? args : words_before_fields(args);
  if (!text.empty()) params_.add_as_written("text", text);
  for_each_field(args, [this](std::string_view name, std::string_view value) {
    if (name == "target_cpu" || name == "cpu") value = without_padding(value);
    params_.add_as_written(name, value);
  });
  if (params_.is_empty() && !args.empty()) params_.add_as_written("text", args);
  return params_.whole();
}

std::string_view Player::text_of(std::span<const NamedValue> fields) {
  params_.clear();
  for (const auto& [name, value] : fields) params_.add_as_written(name, value);
  return params_.whole();
}

}  // namespace weft::formats::ftrace

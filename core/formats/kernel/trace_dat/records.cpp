#include "core/formats/kernel/trace_dat/records.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/formats/base/json_text.h"
#include "core/formats/kernel/ftrace/traced_latency.h"

namespace weft::formats::trace_dat {
namespace {

std::optional<int32_t> task_number(std::optional<int64_t> number) {
  constexpr int64_t kMost = 1 << 30;
  if (!number || *number < 0 || *number > kMost) return std::nullopt;
  return static_cast<int32_t>(*number);
}

// Which bits are a task's state, by the letters that the event's own format has for them.
std::optional<ftrace::StateBits> state_bits_in(const tep_print_arg* arg, int most_nested = 16) {
  for (; arg != nullptr && most_nested > 0; arg = arg->next) {
    if (arg->type == TEP_PRINT_OP) {
      for (const tep_print_arg* side : {arg->op.left, arg->op.right}) {
        if (const auto bits = state_bits_in(side, most_nested - 1)) return bits;
      }
    }
    if (arg->type != TEP_PRINT_FLAGS) continue;
    bool has_dead = false, has_parked = false;
    for (const auto* flag = arg->flags.flags; flag != nullptr; flag = flag->next) {
      const std::string_view value = flag->value, letter = flag->str;
      has_dead |= letter == "x" && (value == "64" || value == "0x40");
      has_parked |= letter == "P" && (value == "512" || value == "0x200");
    }
    return !has_dead    ? ftrace::StateBits::kSince414
           : has_parked ? ftrace::StateBits::kBefore414
                        : ftrace::StateBits::kBefore39;
  }
  return std::nullopt;
}

}  // namespace

void Records::add(tep_handle& tep, tep_record& record) {
  const auto number = static_cast<uint64_t>(record.offset);
  const auto cpu = static_cast<uint32_t>(std::max(record.cpu, 0));
  const Time time{static_cast<int64_t>(record.ts)};
  if (record.missed_events != 0) {
    const bool is_known = record.missed_events > 0;
    sink_.loss(is_known ? "events lost by the kernel's buffer"
                        : "events lost by the kernel's buffer, how many is not known",
               trace::LossPlace(number, kernel_.lanes().cpu(cpu), time),
               is_known ? static_cast<uint64_t>(record.missed_events) : 1);
  }
  constexpr int kCommonBytes = 8;  // type, flags, preempt count, pid
  tep_event* const found =
      record.size < kCommonBytes ? nullptr : tep_find_event_by_record(&tep, &record);
  if (found == nullptr) return sink_.loss("record of an unknown event", number);
  const Kind& kind = kind_of(*found);
  const Record fields(tep, *found, record, &kind.names);
  const int32_t pid = tep_data_pid(&tep, &record);
  ftrace::Lanes& lanes = kernel_.lanes();
  const Event event{
      .record = fields,
      .at = {time, cpu, number},
      .lane = pid > 0 ? lanes.task(pid, tep_data_comm_from_pid(&tep, pid), -1) : lanes.cpu(cpu)};
  if (kind.handler != nullptr && (this->*kind.handler)(event)) return;
  kernel_.add_punctual(event.lane, fields.name(), text_of(fields), event.at);
}

Records::Kind& Records::kind_of(const tep_event& event) {
  const auto it = kinds_.find(&event);
  if (it != kinds_.end()) return it->second;
  return kinds_.try_emplace(&event, Kind{handler_of(event), PrintedNames(event)}).first->second;
}

Records::Handler Records::handler_of(const tep_event& event) {
  struct Row {
    std::string_view name;
    Handler handler;
  };
  static constexpr Row kRows[] = {
      {"sched_switch", &Records::add_switch},
      {"sched_wakeup", &Records::add_wakeup},
      {"sched_waking", &Records::add_wakeup},
      {"sched_wakeup_new", &Records::add_wakeup},
      {"binder_transaction", &Records::send_transaction},
      {"binder_transaction_received", &Records::receive_transaction},
      {"irq_handler_entry", &Records::begin_interrupt},
      {"irq_handler_exit", &Records::end_interrupt},
      {"softirq_entry", &Records::begin_soft_interrupt},
      {"softirq_exit", &Records::end_soft_interrupt},
      {"sys_enter", &Records::begin_system_call},
      {"sys_exit", &Records::end_system_call},
      {"funcgraph_entry", &Records::begin_function},
      {"funcgraph_exit", &Records::end_function},
      {"function", &Records::add_function},
      {"cpu_idle", &Records::add_idle},
      {"cpu_frequency", &Records::add_frequency},
      {"suspend_resume", &Records::add_suspend},
      {"irq_noise", &Records::add_noise},
      {"softirq_noise", &Records::add_noise},
      {"thread_noise", &Records::add_noise},
      {"nmi_noise", &Records::add_noise},
      {"timerlat", &Records::add_timer_latency},
      {"osnoise", &Records::add_sum_of_noise},
      {"hwlat", &Records::add_hardware_latency},
      {"print", &Records::add_mark},
      {"bprint", &Records::add_message},
      {"bputs", &Records::add_message},
  };
  const std::string_view name = event.name;
  if (const auto bits = name == "sched_switch" ? state_bits_in(event.print_fmt.args) : std::nullopt)
    kernel_.set_state_bits(*bits);
  const auto* const it = std::ranges::find(kRows, name, &Row::name);
  if (it != std::end(kRows)) return it->handler;
  if (name.starts_with("sys_enter_")) return &Records::begin_system_call;
  if (name.starts_with("sys_exit_")) return &Records::end_system_call;
  if (ftrace::value_event(name) != nullptr) return &Records::add_values;
  if (ftrace::is_driver_mark(name)) return &Records::add_driver_mark;
  return ftrace::paired_event(name) ? &Records::add_paired : nullptr;
}

bool Records::add_switch(const Event& event) {
  const auto previous = task_number(event.record.number("prev_pid"));
  const auto next = task_number(event.record.number("next_pid"));
  if (!previous || !next) return false;
  const int64_t state = event.record.number("prev_state").value_or(0);
  kernel_.switch_tasks({.previous_name = event.record.text("prev_comm"),
                        .next_name = event.record.text("next_comm"),
                        .previous_state = kernel_.task_state(state),
                        .previous = *previous,
                        .next = *next},
                       event.at);
  return true;
}

bool Records::add_wakeup(const Event& event) {
  const auto task = task_number(event.record.number("pid"));
  return task && kernel_.wake(*task, event.record.text("comm"), event.lane, event.at,
                              event.record.name() == "sched_wakeup_new");
}

bool Records::send_transaction(const Event& event) {
  const auto number = event.record.number("debug_id");
  const bool is_reply = event.record.number("reply").value_or(0) != 0;
  if (number)
    kernel_.send_transaction(*number, is_reply, event.lane, text_of(event.record), event.at);
  return number.has_value();
}

bool Records::receive_transaction(const Event& event) {
  const auto number = event.record.number("debug_id");
  return number && kernel_.receive_transaction(*number, event.lane, event.at);
}

bool Records::begin_interrupt(const Event& event) {
  kernel_.begin_irq(event.record.number("irq").value_or(-1), event.record.text("name"), event.at);
  return true;
}

bool Records::end_interrupt(const Event& event) {
  const auto result = event.record.number("ret");
  kernel_.end_irq(result ? std::optional(*result != 0) : std::nullopt, event.at);
  return true;
}

bool Records::begin_soft_interrupt(const Event& event) {
  kernel_.begin_interrupt(ftrace::name_of_soft_interrupt(event.record.number("vec").value_or(-1)),
                          "softirq", event.at);
  return true;
}

bool Records::end_soft_interrupt(const Event& event) {
  kernel_.end_interrupt(event.at);
  return true;
}

// "sys_enter_read" says its name, "sys_enter" its number only.
bool Records::begin_system_call(const Event& event) {
  constexpr std::string_view kEnter = "sys_enter_";
  const std::string_view name = event.record.name();
  const std::string_view params = text_of(event.record);
  if (name.starts_with(kEnter)) {
    kernel_.begin_system_call(event.lane, fmt::format("sys_{}", name.substr(kEnter.size())), params,
                              event.at);
  } else {
    kernel_.begin_system_call(event.lane, event.record.number("id").value_or(-1), params, event.at);
  }
  return true;
}

bool Records::end_system_call(const Event& event) {
  kernel_.end_system_call(event.lane, event.record.number("ret"), text_of(event.record), event.at);
  return true;
}

bool Records::begin_function(const Event& event) {
  kernel_.begin_function(event.lane, event.record.function("func"), event.at);
  return true;
}

bool Records::end_function(const Event& event) {
  kernel_.end_function(event.lane, event.at);
  return true;
}

// The function tracer tells of calls only.
bool Records::add_function(const Event& event) {
  json_ = "{\"caller\":";
  json::append_quoted(json_, valid_utf8(event.record.function("parent_ip")));
  json_ += '}';
  kernel_.add_call(event.lane, event.record.function("ip"), json_, event.at);
  return true;
}

bool Records::add_idle(const Event& event) {
  const auto cpu = task_number(event.record.number("cpu_id"));
  const auto state = event.record.number("state");
  if (!cpu || !state) return false;
  kernel_.set_idle_state(static_cast<uint32_t>(*cpu), *state, event.at);
  return true;
}

bool Records::add_frequency(const Event& event) {
  const auto cpu = task_number(event.record.number("cpu_id"));
  const auto frequency = event.record.number("state");
  if (!cpu || !frequency) return false;
  kernel_.set_frequency(static_cast<uint32_t>(*cpu), *frequency, event.at);
  return true;
}

bool Records::add_suspend(const Event& event) {
  const auto is_begin = event.record.number("start");
  if (!is_begin) return false;
  const std::string_view action = event.record.text("action");
  kernel_.suspend(action.empty() ? "suspend" : action, event.record.number("val"), *is_begin != 0,
                  event.at);
  return true;
}

bool Records::add_noise(const Event& event) {
  const auto start = event.record.number("start"), took = event.record.number("duration");
  if (!start || !took || *took < 0) return false;
  const std::string_view name = event.record.name();
  const auto what = name == "softirq_noise"
                        ? ftrace::name_of_soft_interrupt(event.record.number("vector").value_or(-1))
                        : std::string(event.record.text(name == "irq_noise" ? "desc" : "comm"));
  kernel_.add_noise(name, what, Time{*start}, {*took}, text_of(event.record), event.at);
  return true;
}

bool Records::add_timer_latency(const Event& event) {
  constexpr std::string_view kContexts[] = {"irq", "thread", "user-ret"};
  const auto context = event.record.number("context");
  const auto latency = event.record.number("timer_latency");
  if (!context || !latency || *context < 0 || *context >= std::ssize(kContexts)) return false;
  kernel_.sample(kernel_.lanes().cpu(event.at.cpu),
                 ftrace::name_of_timer_latency(kContexts[*context]), static_cast<double>(*latency),
                 event.at);
  return false;
}

bool Records::add_sum_of_noise(const Event& event) {
  if (const auto noise = event.record.number("noise"))
    kernel_.sample(kernel_.lanes().cpu(event.at.cpu), ftrace::kNoise, static_cast<double>(*noise),
                   event.at);
  return false;
}

bool Records::add_hardware_latency(const Event& event) {
  const auto inner = event.record.number("duration"), outer = event.record.number("outer_duration");
  if (inner && outer)
    kernel_.sample(kernel_.lanes().cpu(event.at.cpu), ftrace::kHardwareLatency,
                   static_cast<double>(std::max(*inner, *outer)), event.at);
  return false;
}

bool Records::add_mark(const Event& event) {
  std::string_view mark = event.record.text("buf");
  while (mark.ends_with('\n')) mark.remove_suffix(1);
  return kernel_.add_mark(event.lane, mark, event.at);
}

bool Records::add_driver_mark(const Event& event) {
  return kernel_.add_driver_mark(event.lane, event.record.printed(), event.at);
}

// Adds a message of trace_printk(), whose format is looked up by address.
bool Records::add_message(const Event& event) {
  if (!event.record.number("ip")) return false;
  json_ = "{\"text\":";
  json::append_quoted(json_, valid_utf8(event.record.printed()));
  json_ += '}';
  kernel_.add_punctual(event.lane, event.record.name(), json_, event.at);
  return true;
}

bool Records::add_paired(const Event& event) {
  const auto paired = ftrace::paired_event(event.record.name());
  if (!paired) return false;
  std::string function;
  if (paired->is_begin && paired->names_function)
    function = event.record.function(paired->group == "ipi" ? "reason" : "function");
  kernel_.add_paired(*paired, event.lane, function.starts_with("0x") ? "" : function,
                     paired->is_begin ? text_of(event.record) : "", event.at);
  return true;
}

bool Records::add_values(const Event& event) {
  const ftrace::ValueEvent* const values = ftrace::value_event(event.record.name());
  if (values == nullptr) return false;
  const char* const of_field = values->of.data();  // a whole literal
  const auto number = task_number(event.record.number(of_field));
  const ftrace::ValueOwner of{number.value_or(0), event.record.text(of_field)};
  const bool is_named = values->whose == ftrace::Whose::kNamed;
  if (values->whose != ftrace::Whose::kSystem && (is_named ? of.name.empty() : !number))
    return false;
  if (values->constant) {
    kernel_.add_value(*values, of, {}, *values->constant, event.at);
    return true;
  }
  bool has_value = false;
  event.record.for_each_number([&](std::string_view field, int64_t value) {
    if (!values->is_value(field)) return;
    kernel_.add_value(*values, of, field, static_cast<double>(value), event.at);
    has_value = true;
  });
  return has_value;
}

std::string_view Records::text_of(const Record& record) {
  json_.clear();
  record.append_json(json_);
  return json_ == "{}" ? std::string_view() : json_;
}

}  // namespace weft::formats::trace_dat

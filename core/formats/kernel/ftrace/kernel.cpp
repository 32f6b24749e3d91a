#include "core/formats/kernel/ftrace/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"
#include "core/formats/kernel/ftrace/gpu_work.h"
#include "core/formats/kernel/ftrace/system_calls.h"

namespace weft::formats::ftrace {
namespace {

using trace::Category;
using trace::LaneKind;

constexpr std::string_view kInterrupts = "interrupts", kSystemCalls = "system calls",
                           kFunctions = "functions";

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

// A mark of HarmonyOS behind its process: "H:name", a cookie or a count ("H:name 7", "H:name|7"),
// and since version 5 who may see it, and what the program adds: "H:name|7|M62|group|key=value".
struct HarmonyMark {
  std::string_view name, value = {}, level = {}, added = {};
};

// "M62", "I30": a letter and the number of a kind of program.
bool is_harmony_level(std::string_view text) {
  return text.size() > 2 && std::string_view("DICM").contains(text.front()) &&
         text.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

// Names may hold bars and blanks, too.
HarmonyMark parse_harmony(std::string_view text, bool has_value) {
  HarmonyMark mark{.name = text};
  for (size_t bar = text.find('|'); bar != std::string_view::npos; bar = text.find('|', bar + 1)) {
    std::string_view rest = text.substr(bar + 1);
    const std::string_view level = take_to(rest, '|');
    if (!is_harmony_level(level)) continue;
    mark = {.name = text.substr(0, bar), .level = level, .added = rest};
    break;
  }
  const size_t last = has_value ? trimmed(mark.name).find_last_of("| ") : std::string_view::npos;
  if (last == std::string_view::npos) return mark;
  const std::string_view value = trimmed(mark.name.substr(last + 1));
  if (!parse_number<double>(value)) return mark;
  mark.value = value;
  mark.name = mark.name.substr(0, last);
  return mark;
}

std::string params_of_harmony(const HarmonyMark& mark, bool has_group) {
  ArgsText params;
  if (!mark.level.empty()) params.add("level", mark.level);
  std::string_view rest = mark.added;
  const std::string_view group = has_group ? take_to(rest, '|') : std::string_view();
  if (!group.empty()) params.add("group", group);
  while (!rest.empty()) {
    const std::string_view each = take_to(rest, ',');
    const size_t equals = each.find('=');
    const bool is_named = equals != std::string_view::npos && equals > 0;
    params.add(is_named ? trimmed(each.substr(0, equals)) : "text",
               is_named ? each.substr(equals + 1) : each);
  }
  return params.take();
}

}  // namespace

std::string name_of_soft_interrupt(int64_t vector) {
  constexpr std::string_view kNames[] = {"HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
                                         "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU"};
  const bool is_known = vector >= 0 && vector < std::ssize(kNames);
  return is_known ? std::string(kNames[vector]) : fmt::format("softirq {}", vector);
}

void Kernel::switch_tasks(const Switch& s, const At& at) {
  saw(at);
  scheduler_.switch_tasks(s, at);
  if (s.previous <= 0 || (s.previous_state != kDead && s.previous_state != kZombie)) return;
  ended_.insert(s.previous);
  const LaneId dead = lanes_.task(s.previous, s.previous_name, -1);
  for (const std::string_view below : {kSystemCalls, kFunctions}) {
    if (const auto lane = lanes_.known_below(dead, below)) open_.end_all(*lane, at.time);
  }
}

void Kernel::switch_half(const HalfSwitch& s, const At& at) {
  saw(at);
  scheduler_.switch_half(s, at);
}

void Kernel::exit_task(int32_t pid, const At& at) {
  saw(at);
  scheduler_.exit(pid, at);
}

void Kernel::free_task(int32_t pid, const At& at) {
  exit_task(pid, at);
  ended_.insert(pid);
}

void Kernel::give_number(int32_t pid, const At& at) {
  if (ended_.erase(pid) == 0) return;
  scheduler_.exit(pid, at);
  lanes_.forget_number(pid);
}

void Kernel::describe_state(int32_t pid, std::string_view state, const At& at) {
  saw(at);
  scheduler_.describe(pid, state, at);
}

bool Kernel::wake(int32_t pid, std::string_view name, LaneId waker, const At& at, bool is_new) {
  saw(at);
  if (is_new) give_number(pid, at);
  if (is_new && pid > 0) fork(lanes_.task(pid, name, -1));
  return scheduler_.wake(pid, name, waker, at);
}

void Kernel::send_transaction(int64_t number, bool is_reply, LaneId sender, std::string_view params,
                              const At& at) {
  saw(at);
  transactions_.send(number, is_reply, sender, sink_.params(params), at.time);
}

bool Kernel::receive_transaction(int64_t number, LaneId receiver, const At& at) {
  saw(at);
  return transactions_.receive(number, receiver, at.time);
}

void Kernel::begin_irq(int64_t number, std::string_view name, const At& at) {
  const fmt::format_int digits(number);
  json_.assign(R"({"irq":)").append(digits.data(), digits.size()) += '}';
  begin_interrupt(name.empty() ? fmt::format("irq {}", number) : name, "irq", at, json_);
}

void Kernel::end_irq(std::optional<bool> is_handled, const At& at) {
  if (!is_handled) return end_interrupt(at);
  end_interrupt(at, *is_handled ? R"({"ret":"handled"})" : R"({"ret":"unhandled"})");
}

void Kernel::begin_interrupt(std::string_view name, std::string_view group, const At& at,
                             std::string_view params) {
  const LaneId lane = lanes_.below(lanes_.cpu(at.cpu), kInterrupts);
  const EventTypeId type = type_of_pair(name, group);
  open_.lose_end_of(lane, type, at.time);  // none interrupts itself
  begin_pair(lane, type, params, at);
}

void Kernel::end_interrupt(const At& at, std::string_view params) {
  end(lanes_.below(lanes_.cpu(at.cpu), kInterrupts), at, params);
}

// The end of what is called by a function does not say which: it ends what began last.
void Kernel::add_paired(const PairedEvent& event, LaneId caller, std::string_view function,
                        std::string_view params, const At& at) {
  const bool has_function = event.names_function && !function.empty();
  const std::string_view name = has_function ? function : event.name;
  if (event.is_interrupt && event.is_begin) return begin_interrupt(name, event.group, at, params);
  const LaneId lane = event.is_interrupt ? lanes_.below(lanes_.cpu(at.cpu), kInterrupts)
                                         : lanes_.below(caller, event.group);
  if (event.is_begin) return begin(lane, name, event.group, params, at);
  if (event.names_function) return end(lane, at);
  end_pair(lane, type_of_pair(name, event.group), at);
}

void Kernel::begin_system_call(LaneId caller, std::string_view name, std::string_view params,
                               const At& at) {
  has_named_calls_ = true;
  begin_call(caller, name, params, at);
}

void Kernel::begin_system_call(LaneId caller, int64_t number, std::string_view params,
                               const At& at) {
  has_numbered_calls_ = true;
  begin_call(caller, name_of_system_call(architecture_, number), params, at);
}

// A task is in one call at a time, unless two tracers tell of each. On the lane of a CPU whose task
// is not known, calls are of several.
void Kernel::begin_call(LaneId caller, std::string_view name, std::string_view params,
                        const At& at) {
  new_tasks_.erase(caller.value());
  const LaneId lane = lanes_.below(caller, kSystemCalls);
  const bool is_told_twice = has_named_calls_ && has_numbered_calls_;
  if (!is_told_twice && !lanes_.is_of_cpu(caller, at.cpu)) open_.lose_ends(lane, at.time);
  begin(lane, name, kSystemCalls, params, at);
}

void Kernel::end_system_call(LaneId caller, std::optional<int64_t> returned,
                             std::string_view params, const At& at) {
  if (new_tasks_.erase(caller.value()) > 0) return saw(at);
  const LaneId lane = lanes_.below(caller, kSystemCalls);
  if (!returned) return end(lane, at, params);
  const std::string_view error = name_of_error(*returned);
  const std::string result = error.empty()
                                 ? fmt::format(R"({{"ret":{}}})", *returned)
                                 : fmt::format(R"({{"ret":{},"error":"{}"}})", *returned, error);
  if (params.empty()) return end(lane, at, result);
  end(lane, at, json::merge_objects(params, result));
}

void Kernel::begin_function(LaneId caller, std::string_view name, const At& at,
                            std::string_view params) {
  begin(lanes_.below(caller, kFunctions), name, kFunctions, params, at);
}

void Kernel::end_function(LaneId caller, const At& at, std::string_view params) {
  end(lanes_.below(caller, kFunctions), at, params);
}

void Kernel::add_function(LaneId caller, std::string_view name, Duration took,
                          std::string_view params, const At& end) {
  saw(end);
  sink_.give(trace::StateEvent{.begin = end.time - took,
                               .duration = took,
                               .params = sink_.params(params),
                               .lane = lanes_.below(caller, kFunctions),
                               .type = type_of_pair(name, kFunctions)});
}

void Kernel::add_call(LaneId lane, std::string_view function, std::string_view params,
                      const At& at) {
  saw(at);
  sink_.give(trace::PunctualEvent{
      .time = at.time,
      .params = params_of_punctual(lane, params, at),
      .lane = lane,
      .type = sink_.type(Category::kPunctual, valid_utf8(function), kFunctions)});
}

void Kernel::begin_pair(LaneId lane, EventTypeId type, std::string_view params, const At& at) {
  saw(at);
  open_.begin(lane, type, at.time, params, at.offset);
}

void Kernel::end_pair(LaneId lane, EventTypeId type, const At& at, std::string_view params) {
  saw(at);
  open_.end_of(lane, type, at.time, at.offset, params);
}

EventTypeId Kernel::type_of_pair(std::string_view name, std::string_view group) {
  return sink_.type(Category::kState, valid_utf8(name), group);
}

void Kernel::set_idle_state(uint32_t cpu, int64_t state, const At& at) {
  constexpr int64_t kNotIdle = 0xFFFFFFFF;
  sample(lanes_.cpu(cpu), "idle state", state == kNotIdle ? -1 : static_cast<double>(state), at);
}

void Kernel::set_frequency(uint32_t cpu, int64_t khz, const At& at) {
  sample(lanes_.cpu(cpu), "frequency", static_cast<double>(khz), at);
}

void Kernel::add_value(const ValueEvent& event, const ValueOwner& of, std::string_view field,
                       double value, const At& at) {
  const LaneId lane = event.whose == Whose::kCpu ? lanes_.cpu(static_cast<uint32_t>(of.number))
                      : event.whose == Whose::kProcess
                          ? lanes_.process(static_cast<int32_t>(of.number))
                          : lanes_.below(lanes_.root(), event.lane());
  const std::string called =
      event.called.empty() ? "" : fmt::format(fmt::runtime(event.called), of.number);
  const std::string_view name = event.whose == Whose::kNamed ? of.name : field;
  sample(lane, called.empty() ? name : called, value, at);
}

void Kernel::add_noise(std::string_view event, std::string_view name, Time begin, Duration took,
                       std::string_view params, const At& at) {
  const std::string_view group = event.substr(0, event.find("_noise"));
  sink_.give(trace::StateEvent{
      .begin = begin,
      .duration = took,
      .params = sink_.params(params),
      .lane = lanes_.below(lanes_.cpu(at.cpu), "noise"),
      .type = sink_.type(Category::kState, valid_utf8(name.empty() ? group : name), group)});
}

// Where processes are thawed before their freezing has succeeded, suspending was given up, and the
// kernel does not say that its first step has ended.
void Kernel::suspend(std::string_view action, std::optional<int64_t> value, bool is_begin,
                     const At& at) {
  const LaneId lane = lanes_.below(lanes_.root(), "suspend and resume");
  const std::string params = value ? fmt::format(R"({{"val":{}}})", *value) : "";
  if (is_begin) return begin(lane, action, "suspend", params, at);
  end_pair(lane, type_of_pair(action, "suspend"), at);
  if (action == "thaw_processes")
    open_.lose_end_of(lane, type_of_pair("suspend_enter", "suspend"), at.time);
}

bool Kernel::add_mark(LaneId task, std::string_view mark, const At& at) {
  const auto [kind, pid, name, value, fifth] = parts_of<5>(mark);
  if (kind.size() != 1 || (kind != "E" && mark.size() < 2)) return false;
  if (name.starts_with("H:") && std::string_view("BSFC").contains(kind))
    return add_harmony_mark(kind.front(), pid, mark.substr(pid.size() + 3), task, at);
  switch (kind.front()) {
    case 'B':
      begin(lanes_.marks(task), mark.substr(std::min(mark.size(), pid.size() + 3)), kMarks, {}, at);
      return true;
    case 'E':
      end(lanes_.marks(task), at);
      return true;
    case 'S':
    case 'F':
      add_async(task, mark.substr(2), name, name, kind == "S", at);
      return true;
    case 'C':
      return add_count(task, pid, name, value, at);
    case 'G':    // "G|pid|track|name|cookie"
    case 'H': {  // "H|pid|track|cookie", or as it began
      const std::string_view cookie = fifth.empty() ? value : fifth;
      add_async(task, fmt::format("{}|{}|{}|track", pid, name, cookie), name, value, kind == "G",
                at);
      return true;
    }
    case 'I':
    case 'N': {
      saw(at);
      const bool has_track = kind == "N";  // "N|pid|track|name"
      sink_.give(trace::PunctualEvent{
          .time = at.time,
          .params = params_of_punctual(task, {}, at),
          .lane = has_track ? lanes_.below(task, name, LaneKind::kAsync) : lanes_.marks(task),
          .type = sink_.type(Category::kPunctual, valid_utf8(has_track ? value : name), kMarks)});
      return true;
    }
    default:
      return false;
  }
}

// All have a value at their end, which only counters mean.
bool Kernel::add_driver_mark(LaneId task, std::string_view mark, const At& at) {
  const size_t last = mark.rfind('|');
  const bool has_value = mark.starts_with("B|") && std::ranges::count(mark, '|') > 2 &&
                         parse_number<int64_t>(mark.substr(last + 1));
  return add_mark(task, has_value ? mark.substr(0, last) : mark, at);
}

bool Kernel::add_harmony_mark(char kind, std::string_view pid, std::string_view text, LaneId task,
                              const At& at) {
  const HarmonyMark mark = parse_harmony(text, kind != 'B');
  if (kind == 'C') return add_count(task, pid, mark.name, mark.value, at);
  const std::string params = params_of_harmony(mark, kind == 'S');
  if (kind == 'B') {
    begin(lanes_.marks(task), mark.name, kMarks, params, at);
  } else {
    add_async(task, fmt::format("{}|{}|{}", pid, mark.name, mark.value), mark.name, mark.name,
              kind == 'S', at, params);
  }
  return true;
}

// Any thread of a process may count.
bool Kernel::add_count(LaneId task, std::string_view pid, std::string_view name,
                       std::string_view value, const At& at) {
  const auto number = parse_number<double>(trimmed(value));
  const auto owner = parse_number<int32_t>(pid);
  const bool has_owner = owner && *owner > 0;
  if (number) sample(has_owner ? lanes_.process(*owner) : task, name, *number, at);
  return number.has_value();
}

// They may overlap and end on another task: paired by process, name (or track) and cookie.
void Kernel::add_async(LaneId task, std::string_view key, std::string_view track,
                       std::string_view name, bool is_begin, const At& at,
                       std::string_view params) {
  saw(at);
  if (is_begin) {
    if (async_.contains(key))
      return sink_.note("begin of what has begun already", {at.offset, task, at.time});
    async_.emplace(key, Async{.lane = lanes_.below(task, track, LaneKind::kAsync),
                              .begin = at.time,
                              .offset = at.offset,
                              .type = type_of_pair(name, kMarks),
                              .params = sink_.params(params)});
    return;
  }
  const auto it = async_.find(key);
  if (it == async_.end()) return sink_.note("end without a begin", {at.offset, task, at.time});
  give_async(it->second, at.time);
  async_.erase(it);
}

void Kernel::give_async(const Async& begun, Time end) {
  sink_.give(trace::StateEvent{.begin = begun.begin,
                               .duration = std::max(end, begun.begin) - begun.begin,
                               .params = begun.params,
                               .lane = begun.lane,
                               .type = begun.type});
}

void Kernel::add_punctual(LaneId lane, std::string_view name, std::string_view params,
                          const At& at) {
  saw(at);
  if (keyed_.play(lane, name, params, at)) return;
  if (name == "gpu_work_period" && give_gpu_work(sink_, lanes_, params, at.time)) return;
  sink_.give(trace::PunctualEvent{.time = at.time,
                                  .params = params_of_punctual(lane, params, at),
                                  .lane = lane,
                                  .type = sink_.type(Category::kPunctual, valid_utf8(name))});
}

ParamsId Kernel::params_of_punctual(LaneId lane, std::string_view params, const At& at) {
  const bool is_known = lanes_.is_of_cpu(lane, at.cpu) || params.contains(R"("cpu":)");
  if (at.cpu == At::kNoCpu || is_known) return sink_.params(params);
  const fmt::format_int cpu(at.cpu);
  json_.assign(R"({"cpu":)").append(cpu.data(), cpu.size());
  json_ += params.empty() ? '}' : ',';
  if (!params.empty()) json_ += params.substr(1);
  return sink_.params(json_);
}

void Kernel::lose(uint64_t events, uint32_t cpu, uint64_t offset) {
  sink_.loss("events lost by the kernel's buffer", {offset, lanes_.cpu(cpu), last_}, events);
}

void Kernel::finish() {
  scheduler_.finish(last_);
  transactions_.finish();
  open_.finish(last_);
  keyed_.finish(last_);
  for (const auto& [key, begun] : async_) {
    sink_.note("begin without an end", {begun.offset, begun.lane, begun.begin});
    give_async(begun, last_);
  }
  lanes_.finish();
}

void Kernel::begin(LaneId lane, std::string_view name, std::string_view group,
                   std::string_view params, const At& at) {
  begin_pair(lane, type_of_pair(name, group), params, at);
}

void Kernel::end(LaneId lane, const At& at, std::string_view params) {
  saw(at);
  open_.end(lane, at.time, at.offset, params);
}

void Kernel::sample(LaneId lane, std::string_view name, double value, const At& at) {
  saw(at);
  sink_.give(trace::VariableSample{.time = at.time,
                                   .value = value,
                                   .lane = lane,
                                   .type = sink_.type(Category::kVariable, valid_utf8(name))});
}

void Kernel::saw(Time time) {
  last_ = is_first_ ? time : std::max(last_, time);
  is_first_ = false;
}

}  // namespace weft::formats::ftrace

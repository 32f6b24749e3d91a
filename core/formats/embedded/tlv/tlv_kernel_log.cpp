#include "core/formats/embedded/tlv/tlv_kernel_log.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/formats/base/head_lines.h"
#include "core/formats/base/json_cursor.h"
#include "core/formats/base/text.h"

namespace weft::formats::tlv {
namespace {

constexpr std::string_view kRunning = "RUNNING", kDormant = "DORMANT", kTask = "Task";

struct HandlerKind {
  std::string_view word;  // in the log
  std::string_view type;  // of resource
};
// Longer words before those that they begin with.
constexpr HandlerKind kHandlers[] = {{"int handler", "InterruptHandler"},
                                     {"isr", "InterruptServiceRoutine"},
                                     {"cyclic handler", "CyclicHandler"},
                                     {"alarm handler", "AlarmHandler"},
                                     {"overrun handler", "OverrunHandler"},
                                     {"exc handler", "CPUExceptionHandler"},
                                     {"tex", "TaskExceptionRoutine"},
                                     {"alarm", "AlarmHandler"},
                                     {"scheduletable", "ScheduleTable"},
                                     {"startup hook", "Hook"},
                                     {"error hook", "Hook"},
                                     {"protection hook", "Hook"},
                                     {"shutdown hook", "Hook"}};

// How a task came from one state to another; those of OSEK behind those of ITRON.
struct Change {
  std::string_view from, to, behavior;
};
constexpr Change kChanges[] = {
    {"DORMANT", "RUNNABLE", "activate"},
    {"RUNNING", "DORMANT", "exit"},
    {"RUNNING", "WAITING", "wait"},
    {"RUNNABLE", "SUSPENDED", "suspend"},
    {"WAITING", "WAITING-SUSPENDED", "suspend"},
    {"SUSPENDED", "RUNNABLE", "resume"},
    {"WAITING-SUSPENDED", "WAITING", "resume"},
    {"WAITING", "RUNNABLE", "releaseFromWaiting"},
    {"WAITING-SUSPENDED", "SUSPENDED", "releaseFromWaiting"},
    {"SUSPENDED", "DORMANT", "terminate"},
    {"WAITING-SUSPENDED", "DORMANT", "terminate"},
    {"WAITING", "DORMANT", "terminate"},
    {"RUNNABLE", "DORMANT", "terminate"},
    {"SUSPENDED", "READY", "activate"},
    {"RUNNING", "SUSPENDED", "exit"},
    {"WAITING", "READY", "releaseFromWaiting"},
};

std::string_view take_digits(std::string_view& text) {
  size_t length = text.starts_with('-') ? 1 : 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  const std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  return digits;
}

// A number as a decimal one: "0x5" is "5".
std::string normal_id(std::string_view text) {
  std::string_view digits = text;
  const bool is_hexadecimal = take_prefix(digits, "0x") || take_prefix(digits, "0X");
  const auto number = parse_number<uint64_t>(digits, is_hexadecimal ? 16 : 10);
  return number ? std::to_string(*number) : std::string(text);
}

// Without the full stop.
std::string_view without_stop(std::string_view text) {
  text = trimmed(text);
  if (text.ends_with('.')) text.remove_suffix(1);
  return text;
}

// "task 5 …" as its number; what follows stays.
std::optional<std::string_view> take_task(std::string_view& text) {
  std::string_view rest = text;
  if (!take_prefix(rest, "task ")) return std::nullopt;
  const std::string_view id = take_digits(rest);
  if (id.empty()) return std::nullopt;
  text = rest;
  return id;
}

// Whether it is one of the kernel's own words, not of the program's.
bool is_of_kernel(std::string_view text) {
  if (text.starts_with("dispatch to task ") || text.starts_with("dispatch from task ")) return true;
  if (text.starts_with("enter to ") || text.starts_with("leave from ")) return true;
  return take_task(text) && text.starts_with(" becomes ");
}

}  // namespace

bool parse_kernel_line(std::string_view text, KernelLine& out) {
  text = trimmed(text);
  if (!take_prefix(text, "[")) return false;
  out.time = take_digits(text);
  if (out.time.empty() || !take_prefix(text, "]")) return false;
  out.processor = {};
  if (take_prefix(text, ":[")) {
    out.processor = take_digits(text);
    if (out.processor.empty() || !take_prefix(text, "]:")) return false;
  }
  if (!text.starts_with(' ')) return false;
  out.text = trimmed(text);
  return !out.text.empty() && !out.text.starts_with("unknown trace log type");
}

bool is_kernel_log(std::string_view head) {
  constexpr int kLinesLookedAt = 64, kFewest = 2;
  HeadLines lines(head, kLinesLookedAt);
  int lines_of_kernel = 0, others = 0, wrong = 0;
  KernelLine parts;
  while (const auto line = lines.next()) {
    if (trimmed(*line).empty()) continue;
    const bool is_right = parse_kernel_line(*line, parts);
    ++(!is_right ? wrong : is_of_kernel(parts.text) ? lines_of_kernel : others);
  }
  return lines_of_kernel >= kFewest && 4 * lines_of_kernel >= others &&
         lines_of_kernel + others > 4 * wrong;
}

KernelLog::KernelLog(const Resources& known) {
  for (const Resource& resource : known.resources) {
    Object object{.name = kept(resource.name),
                  .type = kept(resource.type),
                  .id = {},
                  .processor = {},
                  .state = {},
                  .is_declared = true};
    for (const auto& [name, value] : resource.attributes) {
      if (name == "id") object.id = kept(value);
      if (name == "state") object.state = kept(value);
      if (name.starts_with("prcId")) object.processor = kept(value);
    }
    add(object);
  }
}

const std::vector<KernelEvent>& KernelLog::events_of(const KernelLine& line) {
  events_.clear();
  const auto [it, is_new] = processors_.try_emplace(std::string(line.processor));
  processor_ = &it->second;
  processor_id_ = it->first;
  if (is_new) {
    const bool is_only = processor_id_.empty();
    processor_->context =
        is_only ? "CurrentContext" : fmt::format("CurrentContext_PRC{}", processor_id_);
    processor_->log = is_only ? "log" : fmt::format("log of processor {}", processor_id_);
  }
  const std::string_view text = line.text;
  if (add_dispatch(text) || add_task(text) || add_migration(text) || add_call(text) ||
      add_application_log(text))
    return events_;
  events_.push_back({.resource = processor_->log,
                     .type = {},
                     .name = "message",
                     .value = std::string(text),
                     .is_behavior = true,
                     .is_text = true});
  return events_;
}

bool KernelLog::add_dispatch(std::string_view text) {
  const bool is_to = take_prefix(text, "dispatch to ");
  if (!is_to && !take_prefix(text, "dispatch from ")) return false;
  const auto id = take_task(text);
  if (!id) return false;
  if (!is_to) {
    behave(task_of(*id), "dispatchFrom");
    processor_->task = nullptr;
    say_context();
    return true;
  }
  std::vector<Object*> others;
  for (const auto& [number, other] : running_) {
    if (processor_id_.empty() || other->processor == processor_id_) others.push_back(other);
  }
  for (Object* const other : others) {
    behave(*other, "preempt");
    set(*other, "state", ready_);
  }
  Object& task = task_of(*id);
  if (!task.is_declared) task.processor = processor_id_;
  processor_->handlers.clear();  // a task's exception routine, which nobody says to be left
  behave(task, "dispatch");
  set(task, "state", kRunning);
  processor_->task = &task;
  say_context();
  return true;
}

bool KernelLog::add_task(std::string_view text) {
  const auto id = take_task(text);
  if (!id) return false;
  if (take_prefix(text, " becomes ")) {
    become(task_of(*id), without_stop(text));
    return true;
  }
  // task 3 enter to tex 0x1.
  const bool is_enter = take_prefix(text, " enter to tex");
  if (!is_enter && !take_prefix(text, " leave from tex")) return false;
  Object& routine = object_of("TaskExceptionRoutine", "tex of task", *id, processor_id_);
  is_enter ? enter(routine) : leave(routine);
  return true;
}

void KernelLog::become(Object& task, std::string_view state) {
  if (state == "READY") ready_ = "READY";
  for (const Change& change : kChanges) {
    if (change.from == task.state && change.to == state) behave(task, change.behavior);
  }
  set(task, "state", state);
}

// task 3 migrates from processor 1 to processor 2.
bool KernelLog::add_migration(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> kMovable[] = {
      {"task ", kTask}, {"cyclic handler ", "CyclicHandler"}, {"alarm handler ", "AlarmHandler"}};
  for (const auto& [word, type] : kMovable) {
    std::string_view rest = text;
    if (!take_prefix(rest, word)) continue;
    const std::string_view id = take_digits(rest);
    if (!take_prefix(rest, " migrates from processor ")) return false;
    const std::string_view from = take_digits(rest);
    if (!take_prefix(rest, " to processor ")) return false;
    migrate(object_of(type, word.substr(0, word.size() - 1), id, from), id, take_digits(rest));
    return true;
  }
  return false;
}

// Some resource files have a resource for each processor, of which all but one do not exist.
void KernelLog::migrate(Object& from, std::string_view id, std::string_view to) {
  const std::string state(from.state == kRunning ? ready_ : std::string_view(from.state));
  for (Object* other = same(from.type, normal_id(id)).first; other != nullptr;
       other = other->next) {
    if (other == &from || other->processor != to) continue;
    set(*other, "state", state);
    set(from, "state", "NONEXISTENT");
    return;
  }
  if (from.state == kRunning) set(from, "state", ready_);
  const std::string_view name = from.type == kTask             ? "prcId"
                                : from.type == "CyclicHandler" ? "prcIdC"
                                                               : "prcIdA";
  set(from, name, to);
  from.processor = kept(to);
}

bool KernelLog::add_call(std::string_view text) {
  const bool is_enter = take_prefix(text, "enter to ");
  if (!is_enter && !take_prefix(text, "leave from ")) return false;
  for (const HandlerKind& kind : kHandlers) {
    std::string_view rest = text;
    const bool is_it =
        take_prefix(rest, kind.word) && (rest.empty() || rest[0] == ' ' || rest[0] == '.');
    if (!is_it) continue;
    rest = without_stop(rest);
    std::string_view id = take_to(rest, ' ');
    if (id.ends_with(',')) id.remove_suffix(1);
    const bool is_hook = kind.type == "Hook";  // of which there is one
    Object& handler =
        object_of(kind.type, kind.word, is_hook ? std::string_view() : id, processor_id_);
    is_enter ? enter(handler) : leave(handler);
    return true;
  }
  text = without_stop(text);
  const std::string_view service = take_to(text, ' ');
  const Object* const context =
      processor_->handlers.empty() ? processor_->task : processor_->handlers.back();
  std::string arguments(service);
  if (!text.empty()) arguments.append(",").append(trimmed(text));
  const std::string_view name = is_enter ? "enterSVC" : "leaveSVC";
  if (context != nullptr) {
    behave(*context, name, std::move(arguments));
  } else {
    events_.push_back({.resource = processor_->log,
                       .type = {},
                       .name = name,
                       .value = std::move(arguments),
                       .is_behavior = true});
  }
  return true;
}

// Adds an application log as TLV proposes it: applog state : ID 1 : 2.
bool KernelLog::add_application_log(std::string_view text) {
  if (!take_prefix(text, "applog ")) return false;
  const std::string_view kind = trimmed(take_to(text, ':'));
  std::string_view whose = trimmed(take_to(text, ':'));
  const std::string_view value = without_stop(text);
  const bool is_state = kind == "state" || kind == "statetask";
  if (!is_state && kind != "str" && kind != "strtask") return false;
  if (take_prefix(whose, "TASK ")) {
    set(task_of(whose), is_state ? "applog_state" : "applog_str", value);
    return true;
  }
  if (!take_prefix(whose, "ID ")) return false;
  Object& object = object_of(is_state ? "ApplogState" : "ApplogString",
                             is_state ? "applog state" : "applog str", whose, {});
  set(object, is_state ? "state" : "str", value);
  return true;
}

void KernelLog::enter(Object& handler) {
  behave(handler, "enter");
  set(handler, "state", kRunning);
  processor_->handlers.push_back(&handler);
  say_context();
}

// The handlers within it were left, too, whatever became of their lines.
void KernelLog::leave(Object& handler) {
  behave(handler, "leave");
  set(handler, "state", kDormant);
  auto& handlers = processor_->handlers;
  const auto last = std::find(handlers.rbegin(), handlers.rend(), &handler);
  if (last != handlers.rend()) handlers.erase(std::prev(last.base()), handlers.end());
  say_context();
}

void KernelLog::say_context() {
  const Object* const context =
      processor_->handlers.empty() ? processor_->task : processor_->handlers.back();
  events_.push_back({.resource = processor_->context,
                     .type = "Context",
                     .name = "name",
                     .value = std::string(context == nullptr ? "" : context->name)});
}

KernelLog::Object& KernelLog::object_of(std::string_view type, std::string_view word,
                                        std::string_view id, std::string_view processor) {
  Object* elsewhere = nullptr;  // of another processor, or of an unknown one
  for (Object* const first : {same(type, normal_id(id)).first, same(type, kAnyId).first}) {
    for (Object* object = first; object != nullptr; object = object->next) {
      if (object->processor == processor) return *object;
      const bool may_move = object->is_declared || type == kTask;
      if (may_move && elsewhere == nullptr) elsewhere = object;
    }
  }
  if (elsewhere != nullptr) return *elsewhere;
  std::string name(word);
  if (!id.empty()) name += fmt::format(" {}", id);
  const bool is_of_processor = type != kTask && !processor.empty();
  if (is_of_processor) name += fmt::format(" (processor {})", processor);
  return add({.name = kept(name),
              .type = kept(type),
              .id = kept(id),
              .processor = kept(processor),
              .state = {}});
}

KernelLog::Same& KernelLog::same(std::string_view type, std::string_view id) {
  const uint64_t key = key_of(texts_.add(type).first, texts_.add(id).first);
  const size_t at = same_of_.insert(key, same_.size());
  return at < same_.size() ? same_[at] : same_.emplace_back();
}

KernelLog::Object& KernelLog::add(const Object& object) {
  Object& added = objects_.emplace_back(object);
  added.number = objects_.size();
  const bool has_any_id = added.is_declared && added.id.empty();
  Same& same = this->same(added.type, has_any_id ? std::string(kAnyId) : normal_id(added.id));
  (same.first == nullptr ? same.first : same.last->next) = &added;
  same.last = &added;
  if (added.type == kTask && added.state == kRunning) running_[added.number] = &added;
  return added;
}

void KernelLog::behave(const Object& object, std::string_view name, std::string arguments) {
  events_.push_back({.resource = object.name,
                     .type = object.type,
                     .name = name,
                     .value = std::move(arguments),
                     .is_behavior = true});
}

void KernelLog::set(Object& object, std::string_view name, std::string_view value) {
  const bool is_state = name == "state";
  if (is_state) object.state = kept(value);
  if (is_state && object.type == kTask) {
    if (value == kRunning) {
      running_[object.number] = &object;
    } else {
      running_.erase(object.number);
    }
  }
  events_.push_back(
      {.resource = object.name, .type = object.type, .name = name, .value = std::string(value)});
}

}  // namespace weft::formats::tlv

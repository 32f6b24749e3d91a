#include "core/formats/hpc/projections/projections_log.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/formats/base/json_members.h"
#include "core/formats/base/text.h"

namespace weft::formats::projections {
namespace {

using trace::Category;

// Numbered as in Charm++ (trace-common.h).
enum Kind : int64_t {
  kCreation = 1,
  kBeginProcessing = 2,
  kEndProcessing = 3,
  kEnqueue = 4,
  kDequeue = 5,
  kBeginComputation = 6,
  kEndComputation = 7,
  kBeginInterrupt = 8,
  kEndInterrupt = 9,
  kMessageReceived = 10,
  kBeginTrace = 11,
  kEndTrace = 12,
  kUserEvent = 13,
  kBeginIdle = 14,
  kEndUnpack = 19,
  kBroadcast = 20,
  kMulticast = 21,
  kBeginFunction = 22,
  kEndFunction = 23,
  kUserSupplied = 26,
  kMemoryUsage = 27,
  kUserNote = 28,
  kBracketedNote = 29,
  kEndPhase = 30,
  kUserStat = 32,
  kBeginUserPair = 98,
  kEndUserPair = 99,
  kUserPair = 100,
};

constexpr std::string_view kEntryGroup = "entry method", kRuntimeGroup = "runtime",
                           kUserGroup = "user event", kMessageGroup = "message",
                           kFunctionGroup = "function";
constexpr uint32_t kIdleColor = 0xC8C8C8;
// The value of an unknown time.
constexpr int64_t kNoTime = -1;

}  // namespace

void PeLog::Numbers::read(std::string_view text) {
  numbers_.clear();
  at_ = 0;
  are_all_ = true;
  const char* at = std::to_address(text.begin());
  const char* const end = at + text.size();
  while (true) {
    while (at != end && is_space(*at)) ++at;
    if (at == end) return;
    int64_t number = 0;
    if (!take_few_digits(at, end, number)) {
      std::string_view rest(at, end);
      const auto any = take_number<int64_t>(rest);
      // Times that are not known are written as if they had no sign.
      are_all_ = any || take_number<uint64_t>(rest);
      number = any.value_or(kNoTime);
      at = std::to_address(rest.begin());
    }
    are_all_ &= at == end || is_space(*at);
    if (!are_all_) return;
    numbers_.push_back(number);
  }
}

void PeLog::append_next() {
  if (!text_.empty()) text_ += ' ';
  append_number(text_, numbers_.next());
}

void PeLog::add(std::string_view line, uint64_t offset) {
  offset_ = offset;
  members_ = "{";
  std::string_view rest = trimmed(line);
  const auto kind = take_number<int64_t>(rest);
  if (!kind || (!rest.empty() && !is_space(rest.front())))
    return sink_.loss("line that is not a record", {offset, lane_, last_});
  if (!add_record(*kind, rest)) sink_.loss("record that is damaged", {offset, lane_, last_});
}

void PeLog::finish(uint64_t offset) {
  if (pair_) sink_.note("begin without an end", {offset, user_lane(), pair_->begin});
  open_.finish(last_);
  if (!has_ended_) sink_.loss("log that ends before the computation", {offset, lane_, last_});
}

bool PeLog::add_record(int64_t kind, std::string_view rest) {
  if (kind == kUserNote || kind == kBracketedNote) return add_note(rest, kind == kBracketedNote);
  if (kind == kUserStat) return add_stat(rest);
  if (kind == kBeginFunction || kind == kEndFunction)
    return add_function(rest, kind == kBeginFunction);
  numbers_.read(rest);
  if (!numbers_.are_all()) return false;
  if (kind >= kBeginIdle && kind <= kEndUnpack) return add_plain_state(kind);
  switch (kind) {
    case kCreation:
    case kBroadcast:
    case kMulticast:
      return add_creation(kind);
    case kBeginProcessing:
      return begin_processing();
    case kEndProcessing:
      return end_processing();
    case kBeginInterrupt:
    case kEndInterrupt:
      return add_plain_state(kind);
    case kUserEvent:
    case kBeginUserPair:
    case kEndUserPair:
    case kUserPair:
      return add_user_event(kind);
    case kUserSupplied:
    case kMemoryUsage:
      return add_value(kind);
    case kEnqueue:
    case kDequeue:
    case kBeginComputation:
    case kEndComputation:
    case kMessageReceived:
    case kBeginTrace:
    case kEndTrace:
    case kEndPhase:
      return add_instant(kind);
    default:
      sink_.loss(fmt::format("record of an unknown kind, {}", kind), {offset_, lane_, last_});
      return true;
  }
}

void PeLog::see(int64_t time) {
  time_ = Time{time};
  last_ = std::max(last_, time_);
}

// TIME PE, of interrupts TIME EVENT PE.
bool PeLog::add_plain_state(int64_t kind) {
  constexpr std::string_view kNames[] = {"idle", "pack", "unpack"};
  const bool is_interrupt = kind == kBeginInterrupt || kind == kEndInterrupt;
  if (!numbers_.has(is_interrupt ? 3 : 2)) return false;
  see(numbers_.next());
  const auto index = static_cast<size_t>(kind - kBeginIdle);
  const std::string_view name = is_interrupt ? "interrupt" : kNames[index / 2];
  const EventTypeId type = state_type(name, kRuntimeGroup);
  if (kind == kBeginIdle) sink_.set_type_color(type, kIdleColor);
  const bool is_begin = is_interrupt ? kind == kBeginInterrupt : index % 2 == 0;
  if (is_interrupt) {
    member(R"("event":)", numbers_.next());
    member(R"("from":)", numbers_.next());
  }
  if (is_begin) {
    open_.begin(lane_, type, time_, params(), offset_);
  } else {
    open_.end_of(lane_, type, time_, offset_);
  }
  return true;
}

// The fields after the kind are: a queue's MTYPE TIME EVENT PE; a received message's MTYPE [ENTRY]
// TIME EVENT PE BYTES; a phase's PHASE TIME; otherwise TIME.
bool PeLog::add_instant(int64_t kind) {
  const auto message = [&](bool has_entry, bool has_size) {
    const size_t count = 4 + (has_entry ? 1 : 0) + (has_size ? 1 : 0);
    if (!numbers_.has(count)) return false;
    member(R"("type":)", numbers_.next());
    if (has_entry) text_member("entry", entry_of(numbers_.next()).name);
    see(numbers_.next());
    member(R"("event":)", numbers_.next());
    member(R"("from":)", numbers_.next());
    if (has_size) member(R"("bytes":)", numbers_.next());
    return true;
  };
  std::string_view name;
  switch (kind) {
    case kEnqueue:
    case kDequeue:
      if (!message(false, false)) return false;
      punctual(kind == kEnqueue ? "enqueue" : "dequeue", kMessageGroup, params_id());
      return true;
    case kMessageReceived:
      if (!message(numbers_.has(6), true)) return false;
      punctual("message received", kMessageGroup, params_id());
      return true;
    case kEndPhase:
      if (!numbers_.has(2)) return false;
      member(R"("phase":)", numbers_.next());
      name = "end of phase";
      break;
    case kBeginComputation:
      name = "begin computation";
      break;
    case kEndComputation:
      name = "end computation";
      break;
    case kBeginTrace:
      name = "begin trace";
      break;
    case kEndTrace:
      name = "end trace";
      break;
    default:
      return false;
  }
  if (!numbers_.has(1)) return false;
  see(numbers_.next());
  has_ended_ |= kind == kEndComputation;
  // Everything open ends where tracing stops.
  if (kind == kEndTrace) {
    open_.end_all(lane_, time_);
    begun_.clear();
  }
  punctual(name, kRuntimeGroup, params_id());
  return true;
}

// MTYPE ENTRY TIME EVENT PE [BYTES [DURATION]], then of those to many PES, of multicasts each PE.
bool PeLog::add_creation(int64_t kind) {
  if (!numbers_.has(5)) return false;
  member(R"("type":)", numbers_.next());
  const int64_t entry = numbers_.next();
  see(numbers_.next());
  const int64_t event = numbers_.next(), pe = numbers_.next();
  text_member("entry", entry_of(entry).name);
  member(R"("event":)", event);
  if (table_.version() >= 2 && numbers_.left() > 0) member(R"("bytes":)", numbers_.next());
  if (table_.version() >= 5 && numbers_.left() > 0) member(R"("creation_us":)", numbers_.next());
  uint64_t receivers = 1;
  if (kind != kCreation) {
    const int64_t pes = numbers_.left() > 0 ? numbers_.next() : 0;
    receivers = pes > 0 ? static_cast<uint64_t>(pes) : 0;
    member(R"("receivers":)", pes);
    text_.clear();
    while (numbers_.left() > 0) append_next();
    if (!text_.empty()) text_member("to", text_);
  }
  messages_.create({pe, event}, {lane_, time_, entry}, message_type(kind), params_id(), receivers);
  return true;
}

EventTypeId PeLog::message_type(int64_t kind) {
  constexpr std::string_view kNames[] = {"message", "broadcast", "multicast"};
  const size_t index = kind == kCreation ? 0 : kind == kBroadcast ? 1 : 2;
  EventTypeId& type = message_types_[index];
  if (type.is_none()) type = sink_.type(Category::kLink, kNames[index]);
  return type;
}

// MTYPE ENTRY TIME EVENT PE [BYTES [RECEIVED, of an array's element its index [CPU [COUNTER…]]]]
bool PeLog::begin_processing() {
  if (!numbers_.has(5)) return false;
  const double version = table_.version();
  member(R"("type":)", numbers_.next());
  const int64_t entry = numbers_.next();
  see(numbers_.next());
  const int64_t event = numbers_.next(), from = numbers_.next();
  member(R"("event":)", event);
  member(R"("from":)", from);
  if (version >= 2 && numbers_.left() > 0) member(R"("bytes":)", numbers_.next());
  if (version >= 4 && numbers_.left() > 0) {
    const int64_t received = numbers_.next();
    if (received > 0) member(R"("received_us":)", received);
  }
  constexpr double kHasCpu = 6.5, kHasCounters = 6.6;
  Begun begun{.type = entry_type(entry), .cpu = {}, .counters = {}};
  const size_t counters = version >= kHasCounters ? table_.counters().size() : 0;
  const size_t behind = (version >= kHasCpu ? 1 : 0) + counters;
  // An index has three numbers, since 7 four, since 9 as many as the array has dimensions: then all
  // that is left. Chares that are no array's have one, too, which says nothing.
  constexpr double kHasFour = 7, kHasDimensions = 9;
  const size_t most = version >= kHasDimensions ? numbers_.left() : version >= kHasFour ? 4 : 3;
  text_.clear();
  for (size_t i = 0; i < most && version >= 4 && numbers_.left() > behind; ++i) append_next();
  if (!text_.empty() && table_.may_have_index(entry)) text_member("index", text_);
  if (version >= kHasCpu && numbers_.left() > 0) begun.cpu = numbers_.next();
  while (numbers_.left() > 0) begun.counters.push_back(numbers_.next());
  open_.begin(lane_, begun.type, time_, params(), offset_);
  constexpr size_t kMostOpen = 1 << 14;  // of open states on a lane
  if (begun_.size() < kMostOpen) begun_.push_back(std::move(begun));
  messages_.process({from, event}, {lane_, time_, entry});
  return true;
}

// MTYPE ENTRY TIME EVENT PE [BYTES [CPU [COUNTER…]]]
bool PeLog::end_processing() {
  if (!numbers_.has(5)) return false;
  numbers_.next();
  const EventTypeId type = entry_type(numbers_.next());
  see(numbers_.next());
  numbers_.next();  // the event and the PE are those of the begin
  numbers_.next();
  if (table_.version() >= 2) numbers_.next();
  const auto begun = std::find_if(begun_.rbegin(), begun_.rend(),
                                  [type](const Begun& each) { return each.type == type; });
  if (begun != begun_.rend()) {
    if (begun->cpu && numbers_.left() > 0) {
      const int64_t cpu = numbers_.next();
      if (cpu >= *begun->cpu && *begun->cpu >= 0) member(R"("cpu_us":)", cpu - *begun->cpu);
    }
    for (size_t i = 0; i < begun->counters.size() && numbers_.left() > 0; ++i) {
      const auto end = static_cast<uint64_t>(numbers_.next());
      if (i < table_.counters().size())
        append_member(members_, table_.counters()[i],
                      static_cast<int64_t>(end - static_cast<uint64_t>(begun->counters[i])));
    }
    begun_.erase(std::next(begun).base());
  }
  open_.end_of(lane_, type, time_, offset_, params());
  return true;
}

// ID TIME EVENT PE, of pairs also a number of what nests.
bool PeLog::add_user_event(int64_t kind) {
  if (!numbers_.has(4)) return false;
  const int64_t id = numbers_.next();
  see(numbers_.next());
  const int64_t event = numbers_.next();
  numbers_.next();  // this PE
  const int64_t nested = numbers_.next();
  if (kind == kUserPair) return add_bracketed(id, event, nested);
  const std::string name = valid_utf8(table_.event_name(id));
  member(R"("event":)", event);
  if (kind == kUserEvent) {
    punctual(name, kUserGroup, params_id());
    return true;
  }
  if (nested != 0) member(R"("nested":)", nested);
  const EventTypeId type = state_type(name, kUserGroup);
  if (kind == kBeginUserPair) {
    open_.begin(user_lane(), type, time_, params(), offset_);
  } else {
    open_.end_of(user_lane(), type, time_, offset_);
  }
  return true;
}

// Both records are written when the event ends, so they stand behind each other.
bool PeLog::add_bracketed(int64_t event, int64_t number, int64_t nested) {
  const bool is_end = pair_ && pair_->event == event && pair_->number == number &&
                      pair_->nested == nested && pair_->begin <= time_;
  if (!is_end) {
    if (pair_) sink_.note("begin without an end", {offset_, user_lane(), pair_->begin});
    pair_ = Pair{.event = event, .number = number, .nested = nested, .begin = time_};
    return true;
  }
  member(R"("event":)", number);
  if (nested != 0) member(R"("nested":)", nested);
  sink_.give(
      trace::StateEvent{.begin = pair_->begin,
                        .duration = time_ - pair_->begin,
                        .params = params_id(),
                        .lane = user_lane(),
                        .type = state_type(valid_utf8(table_.event_name(event)), kUserGroup)});
  pair_.reset();
  return true;
}

// A value of the user's: VALUE [TIME]; memory: BYTES TIME.
bool PeLog::add_value(int64_t kind) {
  const bool is_memory = kind == kMemoryUsage;
  if (!numbers_.has(is_memory ? 2 : 1)) return false;
  const auto value = static_cast<double>(numbers_.next());
  // Before version 9 it stands without a time: where the log is then.
  numbers_.left() > 0 ? see(numbers_.next()) : void(time_ = last_);
  variable(is_memory ? "memory (bytes)" : "user supplied value", value);
  return true;
}

// Adds a C function; before version 7: TIME ID and the place of the call.
bool PeLog::add_function(std::string_view rest, bool is_begin) {
  const auto time = parse_number<int64_t>(take_word(rest));
  const auto id = parse_number<int64_t>(take_word(rest));
  if (!time || !id) return false;
  see(*time);
  const EventTypeId type = state_type(valid_utf8(table_.function_name(*id)), kFunctionGroup);
  if (!is_begin) {
    open_.end_of(lane_, type, time_, offset_);
    return true;
  }
  if (!trimmed(rest).empty()) text_member("at", trimmed(rest));
  open_.begin(lane_, type, time_, params(), offset_);
  return true;
}

// TIME USER-TIME VALUE PE ID
bool PeLog::add_stat(std::string_view rest) {
  const auto time = parse_number<int64_t>(take_word(rest));
  const auto user_time = parse_number<double>(take_word(rest));
  const auto value = parse_number<double>(take_word(rest));
  take_word(rest);
  const auto id = parse_number<int64_t>(take_word(rest));
  if (!time || !user_time || !value || !id) return false;
  see(*time);
  ParamsId params = ParamsId::none();
  if (*user_time >= 0) {
    append_member(members_, "user_time", fmt::format("{}", *user_time));
    params = params_id();
  }
  variable(valid_utf8(table_.stat_name(*id)), *value, params);
  return true;
}

// TIME LENGTH TEXT, or TIME END EVENT LENGTH TEXT. Nothing may stand between the length and a text
// that begins with digits, so both are told apart by what the length says.
bool PeLog::add_note(std::string_view rest, bool is_bracketed) {
  const auto time = parse_number<int64_t>(take_word(rest));
  const auto end = is_bracketed ? parse_number<int64_t>(take_word(rest)) : time;
  const auto event = is_bracketed ? parse_number<int64_t>(take_word(rest)) : 0;
  if (!time || !end || !event || *end < *time) return false;
  see(*time);
  last_ = std::max(last_, Time{*end});
  std::string_view text = trimmed(rest);
  const size_t digits = std::min(text.size(), text.find_first_not_of("0123456789"));
  size_t taken = digits;
  for (size_t i = 1; i <= digits; ++i) {
    const auto length = parse_number<uint64_t>(text.substr(0, i));
    const size_t left = text.size() - i;
    if (length && (*length == left || *length + 1 == left)) taken = i;
  }
  text_member("note", trimmed(text.substr(taken)));
  if (!is_bracketed) {
    punctual("note", kUserGroup, params_id());
    return true;
  }
  sink_.give(
      trace::StateEvent{.begin = time_,
                        .duration = Time{*end} - time_,
                        .params = params_id(),
                        .lane = user_lane(),
                        .type = state_type(valid_utf8(table_.event_name(*event)), kUserGroup)});
  return true;
}

EventTypeId PeLog::state_type(std::string_view name, std::string_view group) {
  return sink_.type(Category::kState, name, group);
}

PeLog::Entry& PeLog::entry_of(int64_t entry) {
  const size_t index = entry_index_.insert(static_cast<uint64_t>(entry), entries_.size());
  if (index == entries_.size()) entries_.push_back({.name = table_.entry_name(entry)});
  return entries_[index];
}

EventTypeId PeLog::entry_type(int64_t entry) {
  auto& [name, type] = entry_of(entry);
  if (type.is_none()) type = state_type(valid_utf8(name), kEntryGroup);
  return type;
}

// They need not nest with what the runtime does.
LaneId PeLog::user_lane() {
  if (user_lane_.is_none()) {
    user_lane_ =
        sink_.add_lane({.name = "user events", .parent = lane_, .kind = trace::LaneKind::kGroup});
  }
  return user_lane_;
}

void PeLog::member(std::string_view quoted_name, int64_t value) {
  if (members_.size() > 1) members_ += ',';
  members_ += quoted_name;
  append_number(members_, value);
}

void PeLog::text_member(std::string_view name, std::string_view value) {
  append_member(members_, name, value);
}

std::string_view PeLog::params() {
  if (members_.size() == 1) return {};
  return members_ += '}';
}

ParamsId PeLog::params_id() { return sink_.params(params()); }

void PeLog::punctual(std::string_view name, std::string_view group, ParamsId params) {
  sink_.give(trace::PunctualEvent{.time = time_,
                                  .params = params,
                                  .lane = lane_,
                                  .type = sink_.type(Category::kPunctual, name, group)});
}

void PeLog::variable(std::string_view name, double value, ParamsId params) {
  if (!std::isfinite(value)) return;
  sink_.give(trace::VariableSample{.time = time_,
                                   .value = value,
                                   .params = params,
                                   .lane = lane_,
                                   .type = sink_.type(Category::kVariable, name)});
}

}  // namespace weft::formats::projections

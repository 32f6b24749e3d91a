#include "core/formats/messages/log/message_log.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/formats/base/json_members.h"
#include "core/formats/messages/log/message_text.h"
#include "core/trace/message_id.h"

namespace weft::formats::messages {
namespace {

void append_members(std::string& json, std::string_view members) {
  if (members.empty()) return;
  if (!json.empty()) json += ',';
  json += members;
}

void append_fields(const LogRecord& record, std::string& json) {
  for (const auto& [key, value] : record.others) append_member(json, key, value);
  append_members(json, record.params);
}

void add_data(std::string_view data, MessageNote& note) {
  if (append_bytes(note.payload, data)) return;
  note.payload.clear();
  append_member(note.params, "data", data);
}

void append_uid(std::string& json, uint64_t uid) {
  json += R"("uid":)";
  append_number(json, uid);
}

}  // namespace

bool is_message(std::string_view kind) {
  constexpr std::array kKinds = {kSend, kReceive, kData, kDone, kDrop};
  return std::ranges::find(kKinds, kind) != kKinds.end();
}

void LogRecord::clear_fields() {
  placed = {};
  others.clear();
}

std::optional<Field> field_named(std::string_view name) {
  constexpr std::array<std::string_view, kFieldCount> kNames = {"Uid",  "Sender", "Receiver",
                                                                "Type", "Data",   "Queue"};
  const auto* const at = std::ranges::find_if(
      kNames, [&](std::string_view known) { return equals_ignoring_case(known, name); });
  if (at == kNames.end()) return std::nullopt;
  return static_cast<Field>(at - kNames.begin());
}

void LogRecord::add_field(std::string_view name, std::string_view value) {
  if (const auto field = field_named(name)) return place(*field, value);
  others.emplace_back(name, value);
}

MessageLog::MessageLog(trace::EventSink& sink, uint64_t max_bytes)
    : sink_(sink), pairing_(sink, max_bytes, [this](LaneId lane) {
        return std::string(lane_names_[lane.value()]);
      }) {}

void MessageLog::add(const LogRecord& record, uint64_t offset) {
  const auto time = parse_time(record.time);
  if (!time) return sink_.loss("record without a time", offset);
  choose_time_base(is_in_seconds(record.time), offset);
  is_message(record.kind) ? add_message(record, *time, offset) : add_other(record, *time);
}

void MessageLog::set_metadata(std::string_view key, std::string_view value) {
  const auto base = time_base_from_name(value);
  if (key == "time_base" && base) {
    if (has_time_base_ && !is_in_seconds_ && *base != said_base_)
      return sink_.note("time_base behind the first record: not used", trace::LossPlace::nowhere());
    if (!has_time_base_) said_base_ = *base;
  }
  sink_.set_metadata(valid_utf8(key), valid_utf8(value));
}

void MessageLog::finish() {
  for (const End& end : early_ends_) lose(end);
  pairing_.finish();
  if (!has_time_base_) sink_.set_time_base(TimeBase::kTicks);
}

// The first event decides.
void MessageLog::choose_time_base(bool is_in_seconds, uint64_t offset) {
  if (has_time_base_) {
    if (is_in_seconds != is_in_seconds_) sink_.note("time in another form", offset);
    return;
  }
  has_time_base_ = true;
  is_in_seconds_ = is_in_seconds;
  sink_.set_time_base(is_in_seconds ? TimeBase::kNanoseconds : said_base_);
}

void MessageLog::add_message(const LogRecord& record, Time time, uint64_t offset) {
  const auto uid_text = record.field(Field::kUid);
  const auto uid = uid_text ? parse_number(*uid_text) : std::nullopt;
  if (!uid) return sink_.loss("message without a uid", offset);
  if (record.kind == kDone) return end_handling({*uid, receiver_of(record, *uid), time, offset});
  note_.clear();
  MessageNote& note = note_;
  note.uid = *uid;
  note.offset = offset;
  note.time = time;
  note.sender = lane_of(record, Field::kSender);
  note.receiver = lane_of(record, Field::kReceiver);
  if (const auto type = record.field(Field::kType)) note.type = message_type(*type);
  if (const auto data = record.field(Field::kData)) add_data(*data, note);
  if (record.kind == kSend) {
    append_fields(record, note.params);
    if (note.sender.is_none()) return sink_.loss("send without a sender", offset);
    pairing_.send(note);
  } else if (record.kind == kReceive) {
    if (note.receiver.is_none()) return sink_.loss("receive without a receiver", offset);
    pairing_.receive(note);
    begin_handling(note.receiver, {*uid, time, pairing_.type_of(*uid)});
  } else {
    if (record.kind == kDrop) add_drop(record, note);
    pairing_.add(note);
  }
}

void MessageLog::add_drop(const LogRecord& record, MessageNote& note) {
  append_fields(record, note.params);
  append_members(note.params, trace::kDroppedMember);
  note.is_drop = true;
  const LaneId lane = receiver_of(record, note.uid);
  punctual(record, note.time, lane.is_none() ? lane_named("events") : lane, "message dropped",
           note.uid);
}

// A queue may take another message, or the same once more, before it is done with the first: the
// answer that its handler waits for, say. Of a log that tells no ends only the newest are kept.
void MessageLog::begin_handling(LaneId lane, const Handling& handling) {
  constexpr ptrdiff_t kKept = 64;
  while (lane.value() >= handlings_.size()) handlings_.emplace_back(&memory_);
  Handlings& begun = handlings_[lane.value()];
  if (begun.size() == 2 * kKept) begun.erase(begun.begin(), begun.begin() + kKept);
  begun.push_back(handling);
  const auto early = std::ranges::find_if(early_ends_, [&](const End& end) {
    return end.uid == handling.uid && end.lane == lane && end.time >= handling.begin;
  });
  if (early == early_ends_.end()) return;
  close(*early);
  early_ends_.erase(early);
}

// Buffers are written out of order, but not by much: of the ends that came before their begins only
// the newest are kept.
void MessageLog::end_handling(const End& end) {
  constexpr size_t kKept = 64;
  if (close(end)) return;
  if (end.lane.is_none()) return lose(end);
  if (early_ends_.size() == kKept) {
    lose(early_ends_.front());
    early_ends_.pop_front();
  }
  early_ends_.push_back(end);
}

void MessageLog::lose(const End& end) {
  sink_.loss("end of a handling that did not begin", end.offset);
}

// Ends the newest that it can be the end of; false: none.
bool MessageLog::close(const End& end) {
  if (end.lane.is_none() || end.lane.value() >= handlings_.size()) return false;
  Handlings& begun = handlings_[end.lane.value()];
  const auto newest = std::ranges::find_if(begun.rbegin(), begun.rend(), [&](const Handling& one) {
    return one.uid == end.uid && one.begin <= end.time;
  });
  if (newest == begun.rend()) return false;
  const Handling handling = *newest;
  begun.erase(std::prev(newest.base()));
  json_ = '{';
  append_uid(json_, end.uid);
  json_ += '}';
  const EventTypeId type = pairing_.type_of(end.uid);
  sink_.give(trace::StateEvent{.begin = handling.begin,
                               .duration = end.time - handling.begin,
                               .params = sink_.params(json_),
                               .lane = end.lane,
                               .type = handled_type(type.is_none() ? handling.type : type)});
  return true;
}

LaneId MessageLog::receiver_of(const LogRecord& record, uint64_t uid) {
  const LaneId said = lane_of(record, Field::kReceiver);
  return said.is_none() ? pairing_.receiver_of(uid) : said;
}

EventTypeId MessageLog::handled_type(EventTypeId message) {
  const auto [it, is_new] = handled_.try_emplace(message.value(), EventTypeId::none());
  if (is_new) {
    const std::string_view name = message.is_none() ? kPlainType : names_.at(message.value());
    it->second = sink_.type(trace::Category::kState, name);
  }
  return it->second;
}

void MessageLog::add_other(const LogRecord& record, Time time) {
  const LaneId queue = lane_of(record, Field::kQueue);
  const LaneId lane = queue.is_none() ? lane_of(record, Field::kSender) : queue;
  const auto uid = record.field(Field::kUid);
  punctual(record, time, lane.is_none() ? lane_named("events") : lane, record.kind,
           uid ? parse_number(*uid) : std::nullopt);
}

void MessageLog::punctual(const LogRecord& record, Time time, LaneId lane, std::string_view name,
                          std::optional<uint64_t> uid) {
  std::string params;
  if (uid) append_uid(params, *uid);
  append_fields(record, params);
  sink_.give(trace::PunctualEvent{
      .time = time,
      .params = params.empty() ? ParamsId::none() : sink_.params('{' + params + '}'),
      .lane = lane,
      .type = sink_.type(trace::Category::kPunctual, valid_utf8(name))});
}

// The lane that a field names; none where there is no such field. "process/queue" is a lane below
// a lane.
LaneId MessageLog::lane_of(const LogRecord& record, Field field) {
  const auto text = record.field(field);
  return text && !text->empty() ? lane_named(*text) : LaneId::none();
}

LaneId MessageLog::lane_named(std::string_view text) {
  const auto* const known = lanes_.find(text);
  if (known != nullptr) return known->second;
  const size_t slash = text.find('/');
  const bool has_process = slash != std::string_view::npos && slash > 0;
  const std::string name = valid_utf8(canonical_id(has_process ? text.substr(slash + 1) : text));
  const std::string process(has_process ? text.substr(0, slash) : "");
  auto& [full_name, lane] = *lane_by_name_.try_emplace(process + '/' + name, LaneId::none()).first;
  if (lane.is_none()) {
    LaneId parent = LaneId::none();
    if (has_process) {
      LaneId& of_process = value_of(processes_, process, LaneId::none());
      if (of_process.is_none())
        of_process =
            sink_.add_lane({.name = valid_utf8(process), .kind = trace::LaneKind::kProcess});
      parent = of_process;
    }
    lane = sink_.add_lane({.name = name, .parent = parent, .kind = trace::LaneKind::kQueue});
  }
  lane_names_.resize(std::max<size_t>(lane_names_.size(), lane.value() + 1));
  lane_names_[lane.value()] = std::string_view(full_name).substr(has_process ? 0 : 1);
  lanes_.try_emplace(text, lane);
  return lane;
}

EventTypeId MessageLog::message_type(std::string_view text) {
  EventTypeId& type = value_of(types_, text, EventTypeId::none());
  if (!type.is_none()) return type;
  const std::string name = valid_utf8(canonical_id(text));
  type = sink_.type(trace::Category::kLink, name);
  names_.try_emplace(type.value(), name);
  return type;
}

}  // namespace weft::formats::messages

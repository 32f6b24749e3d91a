#include "core/formats/messages/log/message_event.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/base/ascii.h"
#include "core/base/text_hash.h"
#include "core/formats/messages/log/message_text.h"

namespace weft::formats::messages {
namespace {

using Words = std::pair<std::string_view, std::string_view>;

// The field of a record that a field of an event is.
std::string_view record_field(std::string_view name) {
  constexpr std::array<Words, 3> kNames = {
      {{"MessageId", "Uid"}, {"MessageData", "Data"}, {"MessageType", "Type"}}};
  const auto at = std::ranges::find_if(
      kNames, [&](const Words& known) { return equals_ignoring_case(known.first, name); });
  return at == kNames.end() ? name : at->second;
}

std::string_view record_kind(std::string_view event) {
  constexpr std::array<Words, 5> kKinds = {
      {{"send", kSend}, {"receive", kReceive}, {"data", kData}, {"done", kDone}, {"drop", kDrop}}};
  const auto at = std::ranges::find_if(
      kKinds, [&](const Words& kind) { return equals_ignoring_case(kind.first, event); });
  return at == kKinds.end() ? event : at->second;
}

}  // namespace

MessageEventLog::Meaning MessageEventLog::meaning_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Said>, 4> kNames = {
      {{"Time", Said::kTime},
       {"SendTime", Said::kSendTime},
       {"ReceiveTime", Said::kReceiveTime},
       {"Event", Said::kKind}}};
  for (const auto& [known, said] : kNames) {
    if (equals_ignoring_case(known, name)) return {said};
  }
  const auto field = field_named(record_field(name));
  return field ? Meaning{Said::kField, *field} : Meaning{};
}

// All events have the same few names; those that mean something have places of their own.
MessageEventLog::Meaning MessageEventLog::known_meaning(std::string_view name) {
  if (name.empty()) return {};
  const auto letter = [&](size_t i) { return size_t{static_cast<uint8_t>(name[i])}; };
  const size_t letters = letter(0) + letter(name.size() / 2) + 3 * letter(name.size() - 1);
  Name& known = names_[letters % names_.size()];
  if (!TextHash::are_equal(known.text, name)) known = {std::string(name), meaning_of(name)};
  return known.meaning;
}

// Fills the record's fields; the kind is empty where the event does not say one.
MessageEventLog::Times MessageEventLog::take_fields(const MessageEvent& event,
                                                    std::string_view& kind) {
  Times times;
  record_.clear_fields();
  record_.params = event.params;
  for (const auto& [name, value] : event.fields) {
    const Meaning meaning = known_meaning(name);
    switch (meaning.said) {
      case Said::kTime:
        times.of_event = value;
        break;
      case Said::kSendTime:
        times.send = value;
        break;
      case Said::kReceiveTime:
        times.receive = value;
        break;
      case Said::kKind:
        kind = record_kind(value);
        break;
      case Said::kField:
        record_.place(meaning.field, value);
        break;
      case Said::kOther:
        record_.others.emplace_back(name, value);
        break;
    }
  }
  return times;
}

void MessageEventLog::add(const MessageEvent& event, uint64_t offset) {
  constexpr size_t kMostHeldBytes = size_t{64} << 10;
  const bool is_first_time = !has_times_ && is_timed(event);
  if (!has_times_ && !is_first_time) {
    hold(event, offset);
    if (held_bytes_ > kMostHeldBytes) decide(false);
    return;
  }
  if (is_first_time) decide(true);
  take(event, offset);
}

bool MessageEventLog::is_timed(const MessageEvent& event) {
  return std::ranges::any_of(event.fields, [&](const Words& field) {
    const Said said = known_meaning(field.first).said;
    return !field.second.empty() &&
           (said == Said::kTime || said == Said::kSendTime || said == Said::kReceiveTime);
  });
}

void MessageEventLog::hold(const MessageEvent& event, uint64_t offset) {
  Held& held = held_.emplace_back();
  held.offset = offset;
  held.event.params = event.params;
  held_bytes_ += sizeof held + event.params.size();
  for (const auto& [name, value] : event.fields) {
    held.event.fields.emplace_back(held.event.keep(std::string(name)),
                                   held.event.keep(std::string(value)));
    held_bytes_ += 2 * sizeof(std::string) + name.size() + value.size();
  }
}

void MessageEventLog::decide(bool has_times) {
  has_times_ = has_times;
  if (!has_times) sink_.set_metadata("time", "the number of the event: the log has no times");
  for (const Held& held : held_) take(held.event, held.offset);
  held_.clear();
}

void MessageEventLog::finish() {
  if (!held_.empty()) decide(false);
  log_.finish();
}

void MessageEventLog::take(const MessageEvent& event, uint64_t offset) {
  std::string_view kind;
  Times times = take_fields(event, kind);
  const bool has_time = !(times.of_event.empty() && times.send.empty() && times.receive.empty());
  ++events_;
  if (*has_times_ && !has_time) return sink_.loss("record without a time", offset);
  if (!*has_times_ && has_time) sink_.note("time not used: the first events have none", offset);
  if (!*has_times_) {
    number_ = std::to_string(events_ - 1);
    times = {.of_event = number_};
  }
  if (kind.empty()) {
    const auto uid = record_.field(Field::kUid);
    if (!uid || !parse_number(*uid)) return sink_.loss("message without a uid", offset);
    return add_whole(times, offset);
  }
  record_.time = !times.of_event.empty() ? times.of_event
                 : kind == kSend         ? times.send
                                         : times.receive;
  record_.kind = kind;
  log_.add(record_, offset);
}

void MessageEventLog::add_whole(Times times, uint64_t offset) {
  const bool is_sent = !times.send.empty() || times.receive.empty();
  const bool is_received = !times.receive.empty() || times.send.empty();
  if (is_sent) {
    record_.kind = kSend;
    record_.time = times.send.empty() ? times.of_event : times.send;
    log_.add(record_, offset);
  }
  if (!is_received || !record_.field(Field::kReceiver)) return;
  if (is_sent) record_.placed[static_cast<size_t>(Field::kData)] = {};
  record_.kind = kReceive;
  record_.time = times.receive.empty() ? times.of_event : times.receive;
  log_.add(record_, offset);
}

}  // namespace weft::formats::messages

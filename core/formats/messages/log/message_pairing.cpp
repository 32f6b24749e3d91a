#include "core/formats/messages/log/message_pairing.h"

#include <fmt/core.h>

#include <iterator>

#include "core/base/numbers.h"
#include "core/formats/base/json_text.h"
#include "core/trace/message_id.h"

namespace weft::formats::messages {
namespace {

constexpr std::string_view kNeverReceived = "message never received";
constexpr std::string_view kNeverSent = "message received but never sent";
constexpr std::string_view kOfNoMessage = "data of no message";
constexpr std::string_view kGivenUp = "message whose other end was no longer waited for";

// Size of a list's node, a table's node and the fields.
constexpr uint64_t kMessageBytes = 224;

// The most memory that a reused message keeps.
constexpr uint64_t kMostKeptBytes = 4096;

template <class Id>
void set_if_said(Id& id, Id said) {
  if (!said.is_none()) id = said;
}

template <class Id>
void set_if_new(Id& id, Id said) {
  if (id.is_none()) id = said;
}

}  // namespace

void MessagePairing::send(const MessageNote& note) { set_end(note, &Message::send); }
void MessagePairing::receive(const MessageNote& note) { set_end(note, &Message::receive); }
void MessagePairing::add(const MessageNote& note) { merge(message_of(note), note); }

EventTypeId MessagePairing::type_of(uint64_t uid) const {
  const auto at = by_uid_.find(uid);
  return at == by_uid_.end() ? EventTypeId::none() : at->second->type;
}

LaneId MessagePairing::receiver_of(uint64_t uid) const {
  const auto at = by_uid_.find(uid);
  return at == by_uid_.end() ? LaneId::none() : at->second->receiver;
}

void MessagePairing::set_end(const MessageNote& note, End end) {
  const auto known = by_uid_.find(note.uid);
  const bool is_said_twice = known != by_uid_.end() && (*known->second).*end;
  if (known == by_uid_.end() && given_up_.contains(note.uid)) {
    sink_.loss(kGivenUp, note.offset);
  } else if (is_said_twice || (known == by_uid_.end() && used_.contains(note.uid))) {
    sink_.note(trace::kIdUsedAgain, note.offset);
  }
  // Records of one message have one type, unless a line says otherwise.
  EventTypeId type = EventTypeId::none();
  if (is_said_twice) {
    const auto message = known->second;
    type = message->type;
    give(message->send && message->receive ? complete_ : waiting_, message);
  }
  Message& message = message_of(note);
  message.*end = note.time;
  set_if_said(message.type, type);
  if (end == &Message::send) set_if_said(message.sender, note.sender);
  if (end == &Message::receive) set_if_said(message.receiver, note.receiver);
  merge(message, note);
  if (!message.send || !message.receive) return;
  complete_.splice(complete_.end(), waiting_, by_uid_.at(note.uid));
  if (complete_.size() > kSettled) give(complete_, complete_.begin());
}

// The message of the note's uid; begun where there is none.
MessagePairing::Message& MessagePairing::message_of(const MessageNote& note) {
  const auto known = by_uid_.find(note.uid);
  if (known != by_uid_.end()) return *known->second;
  while (bytes_ + kMessageBytes > max_bytes_ && !(waiting_.empty() && complete_.empty())) {
    if (complete_.empty()) give_up(waiting_.front());
    Messages& list = complete_.empty() ? waiting_ : complete_;
    give(list, list.begin());
  }
  if (over_.empty()) {
    waiting_.emplace_back();
    by_uid_[note.uid] = std::prev(waiting_.end());
  } else {
    waiting_.splice(waiting_.end(), over_, over_.begin());
    ByUid::node_type node = std::move(over_nodes_.back());
    over_nodes_.pop_back();
    node.key() = note.uid;
    node.mapped() = std::prev(waiting_.end());
    by_uid_.insert(std::move(node));
  }
  Message& message = waiting_.back();
  message.uid = note.uid;
  message.offset = note.offset;
  bytes_ += bytes_of(message);
  return message;
}

// That its other end is missing is only known where that comes after all.
void MessagePairing::give_up(const Message& message) {
  if (given_up_.intervals() < kMaxIntervals) return given_up_.insert(message.uid);
  sink_.loss(kGivenUp, message.offset);
}

uint64_t MessagePairing::bytes_of(const Message& message) {
  return kMessageBytes + message.params.size() + message.payload.size();
}

void MessagePairing::merge(Message& message, const MessageNote& note) {
  bytes_ -= bytes_of(message);
  set_if_new(message.sender, note.sender);
  set_if_new(message.receiver, note.receiver);
  set_if_said(message.type, note.type);
  message.is_dropped |= note.is_drop;
  if (!note.params.empty()) {
    if (!message.params.empty()) message.params += ',';
    message.params += note.params;
  }
  message.payload.insert(message.payload.end(), note.payload.begin(), note.payload.end());
  bytes_ += bytes_of(message);
}

void MessagePairing::write_params(const Message& message) {
  json_ = R"({"uid":)";
  append_number(json_, message.uid);
  if (!message.params.empty()) (json_ += ',') += message.params;
  const auto append_lane = [&](std::string_view key, LaneId lane) {
    if (lane.is_none()) return;
    json_ += key;
    json::append_quoted(json_, name_of_(lane));
  };
  if (!message.send) append_lane(R"(,"sender":)", message.sender);
  if (!message.receive) append_lane(R"(,"receiver":)", message.receiver);
  json_ += '}';
}

void MessagePairing::give(Messages& list, Messages::iterator message) {
  const Message& m = *message;
  if (m.send || m.receive) {
    if (!m.receive) sink_.note(kNeverReceived, {m.offset, m.sender, m.send});
    if (!m.send) sink_.note(kNeverSent, {m.offset, m.receiver, m.receive});
    write_params(m);
    if (m.type.is_none() && plain_type_.is_none())
      plain_type_ = sink_.type(trace::Category::kLink, kPlainType);
    links_.push_back({.send = m.send.value_or(Time{}),
                      .receive = m.receive.value_or(Time{}),
                      .params = sink_.params(json_, m.payload),
                      .source = m.send ? m.sender : LaneId::none(),
                      .target = m.receive ? m.receiver : LaneId::none(),
                      .type = m.type.is_none() ? plain_type_ : m.type});
    if (links_.size() >= kLinksAtOnce) flush();
    if (used_.intervals() < kMaxIntervals) used_.insert(m.uid);
  } else if (!m.is_dropped) {
    sink_.loss(kOfNoMessage, m.offset);
  }
  bytes_ -= bytes_of(m);
  ByUid::node_type node = by_uid_.extract(m.uid);
  const bool is_kept = over_.size() < kSettled && bytes_of(m) < kMostKeptBytes;
  if (!is_kept) {
    list.erase(message);
    return;
  }
  message->params.clear();
  message->payload.clear();
  *message = {.params = std::move(message->params), .payload = std::move(message->payload)};
  over_.splice(over_.end(), list, message);
  over_nodes_.push_back(std::move(node));
}

void MessagePairing::flush() {
  sink_.links(links_);
  links_.clear();
}

void MessagePairing::finish() {
  for (Messages* list : {&complete_, &waiting_}) {
    while (!list->empty()) give(*list, list->begin());
  }
  flush();
}

}  // namespace weft::formats::messages

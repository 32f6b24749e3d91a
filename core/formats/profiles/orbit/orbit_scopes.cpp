// Events made through Orbit's API: scopes, strings, values of tracks.
#include <fmt/format.h>

#include <algorithm>

#include "core/formats/base/args_text.h"
#include "core/formats/profiles/orbit/orbit_fields.h"
#include "core/formats/profiles/orbit/orbit_player.h"
#include "core/formats/stacks/joined_params.h"

namespace weft::formats::orbit {
namespace {

enum : uint32_t { kPid = 1, kTid, kTime };  // of all of them

double value_of(uint32_t number, const Field& field) {
  switch (number) {
    case kTrackDouble:
      return field.real();
    case kTrackFloat:
      return static_cast<double>(field.real32());
    case kTrackInt:
      return field.int32();
    case kTrackInt64:
      return static_cast<double>(field.integer());
    default:
      return static_cast<double>(field.value);
  }
}

std::string named(std::string_view name, std::string_view otherwise) {
  return std::string(name.empty() ? otherwise : name);
}

}  // namespace

void Player::add_scope(const Message& message) {
  enum : uint32_t { kName = 4, kColor = 13, kGroup, kAddress };
  ArgsText json;
  if (message.has(kGroup)) json.add("group", message.number(kGroup));
  if (message.has(kAddress)) json.add_pointer("address", message.number(kAddress));
  last_ = std::max(last_, message.time(kTime));
  open_.begin(thread(message.uint32(kPid), message.uint32(kTid)),
              type(named(encoded_text(message, kName), "scope"), "scope", message.uint32(kColor)),
              message.time(kTime), json.take(), offset_);
}

void Player::end_scope(const Message& message) {
  last_ = std::max(last_, message.time(kTime));
  open_.end(thread(message.uint32(kPid), message.uint32(kTid)), message.time(kTime), offset_);
}

// Asynchronous scopes overlap, so there is a lane for each name.
void Player::add_async_scope(const Message& message) {
  enum : uint32_t { kName = 4, kColor = 13, kId, kAddress };
  constexpr size_t kMostOpen = 1 << 18;
  const std::string name = named(encoded_text(message, kName), "scope");
  ArgsText json;
  json.add("id", message.number(kId));
  json.add("begun by", thread_name(message.uint32(kTid)));
  if (message.has(kAddress)) json.add_pointer("address", message.number(kAddress));
  OpenScope scope{.begin = message.time(kTime),
                  .lane = below(of_process(message.uint32(kPid), "asynchronous scopes"), name),
                  .type = type(name, "asynchronous scope", message.uint32(kColor)),
                  .json = json.take(),
                  .offset = offset_};
  last_ = std::max(last_, scope.begin);
  const auto it = scopes_.find(message.number(kId));
  if (it != scopes_.end()) {  // of the same number, which never ended
    give_lost_scope(it->second, scope.begin);
    it->second = std::move(scope);
  } else if (scopes_.size() == kMostOpen) {
    sink_.loss("scope beyond the most that are open", offset_);
  } else {
    scopes_.emplace(message.number(kId), std::move(scope));
  }
}

// One that nobody ended.
void Player::give_lost_scope(const OpenScope& scope, Time end) {
  sink_.note("begin without an end", {scope.offset, scope.lane, scope.begin});
  add_state(scope.lane, scope.begin, end - scope.begin, scope.type, scope.json);
}

void Player::end_async_scope(const Message& message) {
  enum : uint32_t { kId = 4 };
  const Time time = message.time(kTime);
  const auto it = scopes_.find(message.number(kId));
  if (it == scopes_.end()) {
    const LaneId lane = of_process(message.uint32(kPid), "asynchronous scopes");
    return sink_.note("end without a begin", {offset_, lane, time});
  }
  ArgsText json;
  json.add("ended by", thread_name(message.uint32(kTid)));
  add_state(it->second.lane, it->second.begin, time - it->second.begin, it->second.type,
            stacks::joined_params(it->second.json, json.take()));
  scopes_.erase(it);
}

// Said of the asynchronous scope of that number.
void Player::add_string(const Message& message) {
  enum : uint32_t { kText = 4, kId = 13 };
  ArgsText json;
  const std::string text = encoded_text(message, kText);
  json.add("text", text);
  json.add("id", message.number(kId));
  const auto it = scopes_.find(message.number(kId));
  if (it != scopes_.end() && !it->second.json.contains("\"text\":")) {
    ArgsText more;
    more.continue_object(it->second.json);
    more.add("text", text);
    it->second.json = more.take();
  }
  add_instant(thread(message.uint32(kPid), message.uint32(kTid)), message.time(kTime), "string",
              "API", json.take());
}

void Player::add_track_value(uint32_t number, const Message& message) {
  enum : uint32_t { kValue = 4, kName };
  const LaneId lane = of_process(message.uint32(kPid), "tracks");
  add_variable(lane, message.time(kTime), named(encoded_text(message, kName), "track"),
               value_of(number, message[kValue]));
}

}  // namespace weft::formats::orbit

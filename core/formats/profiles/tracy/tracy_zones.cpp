// Messages and threads: their zones and samples of a Tracy trace.
#include <fmt/format.h>

#include <utility>

#include "core/formats/base/args_text.h"
#include "core/formats/profiles/tracy/tracy_player.h"

namespace weft::formats::tracy {
namespace {

using trace::Category;

}  // namespace

// How many zones each place has: they are counted when they are read.
void Player::read_zone_counts() {
  constexpr uint64_t kEntryBytes = sizeof(int16_t) + sizeof(uint64_t);
  const auto skip_counts = [this] {
    for (uint64_t left = count(); left > 0 && in_.go_on(); --left) in_.skip(kEntryBytes);
  };
  skip_counts();
  if (is_at_least(7, 15)) skip_counts();
}

// Which thread said a message stands with the thread.
void Player::read_messages() {
  int64_t time = 0;
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
    const auto address = in_.take<uint64_t>();
    Message message{.time = next(time), .text = TextRef::take(in_)};
    message.color = in_.take<uint32_t>();
    message.callstack = in_.take_24();
    constexpr uint8_t kInfo = 2;
    message.severity = kInfo;
    if (is_at_least(13, 2)) {
      message.source = in_.take<uint8_t>();
      message.severity = in_.take<uint8_t>();
    }
    if (!in_.is_ok()) break;
    message_at_.insert(address, messages_.size());
    messages_.push_back(message);
  }
  extras_.read(in_, is_at_least(7, 5));
}

void Player::give_message(Message& message, LaneId lane) {
  if (std::exchange(message.is_given, true)) return;
  constexpr std::string_view kSeverities[] = {"trace",   "debug", "message",
                                              "warning", "error", "fatal"};
  constexpr uint32_t kNoColor = 0xFFFFFFFF;
  const std::string_view severity =
      message.severity < std::size(kSeverities) ? kSeverities[message.severity] : "message";
  ArgsText params;
  params.add("text", texts_.of(message.text));
  if (message.color != kNoColor) params.add("color", fmt::format("#{:06x}", rgb_of(message.color)));
  if (message.source != 0) params.add("source", "Tracy");
  punctual(lane, message.time, sink_.type(Category::kPunctual, severity, "messages"), params.take(),
           message.callstack);
}

void Player::give_messages_left() {
  for (Message& message : messages_) {
    if (message.is_given) continue;
    if (!sink_.keep_going()) break;
    give_message(message, lanes_.program());
  }
  messages_ = {};
  message_at_ = {};
}

void Player::read_threads() {
  in_.take<uint64_t>();  // zones, and what has children
  in_.take<uint64_t>();
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
    const auto tid = in_.take<uint64_t>();
    in_.take<uint64_t>();                         // zones
    if (is_at_least(7, 9)) in_.take<uint64_t>();  // samples in the kernel
    const bool is_fiber = is_at_least(7, 11) && in_.take<uint8_t>() != 0;
    const int32_t hint = is_at_least(11, 1) ? in_.take<int32_t>() : 0;
    const auto zones = in_.take<uint32_t>();
    if (!in_.is_ok()) return;
    const LaneId lane = lanes_.own_thread(tid, is_fiber, hint);
    read_zones(lane, zones);
    read_messages_of(lane);
    if (is_at_least(7, 14)) read_samples(tid, true);
    read_samples(tid, false);
  }
  give_messages_left();
}

void Player::read_messages_of(LaneId lane) {
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
    const size_t* const at = message_at_.find(in_.take<uint64_t>());
    if (at != nullptr && in_.is_ok()) give_message(messages_[*at], lane);
  }
}

void Player::read_samples(uint64_t tid, bool is_at_switch) {
  int64_t time = 0;
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
    const int64_t at = next(time);
    const uint32_t callstack = in_.take_24();
    if (in_.is_ok() && is_time(at, LaneId::none()))
      stacks_.sample(tid, at, callstack, is_at_switch);
  }
}

// Times are differences to what was before.
void Player::read_zones(LaneId lane, uint32_t count) {
  int64_t time = 0;
  read_nested(
      open_, count,
      [&](OpenZone& zone) {
        zone.place = in_.take<int16_t>();
        zone.begin = next(time);
        zone.extra = in_.take<uint32_t>();
        zone.children = in_.take<uint32_t>();
      },
      [&](const OpenZone& zone, uint32_t depth) {
        const int64_t end = next(time);
        if (in_.is_ok()) give_zone(lane, zone, end, depth);
        return in_.is_ok();
      },
      [&](const OpenZone& zone, uint32_t depth) { give_zone(lane, zone, -1, depth); });
}

Player::ZoneKind& Player::kind_of(int16_t number) {
  // Both kinds of places are counted from where 0 is.
  const auto index = number < 0 ? static_cast<size_t>(-(2 * int32_t{number}) - 1)
                                : static_cast<size_t>(2 * int32_t{number});
  if (index >= kinds_.size()) kinds_.resize(index + 1);
  ZoneKind& kind = kinds_[index];
  if (kind.is_known) return kind;
  kind.is_known = true;
  const Place* const place = places_.at(number);
  if (place == nullptr) {
    kind.type = sink_.type(Category::kState, fmt::format("zone {}", number));
    return kind;
  }
  const std::string_view function = texts_.of(place->function), file = texts_.of(place->file);
  std::string_view name = texts_.of(place->name);
  if (name.empty()) name = function.empty() ? "zone" : function;
  kind.type = sink_.type(Category::kState, name, file);
  if (place->color != 0) sink_.set_type_color(kind.type, rgb_of(place->color));
  ArgsText params;
  if (!function.empty() && function != name) params.add("function", function);
  if (!file.empty()) params.add("file", file);
  if (place->line != 0) params.add("line", place->line);
  kind.params = params.take();
  if (!kind.params.empty()) kind.params_id = sink_.params(kind.params);
  return kind;
}

void Player::give_zone(LaneId lane, const OpenZone& zone, int64_t end, uint32_t depth) {
  ZoneKind& kind = kind_of(zone.place);
  end = end_of(zone.begin, end, lane, "zone");
  if (zone.extra == 0 && zone.begin >= 0 && end >= zone.begin && is_time(end, lane)) {  // most are
    sink_.give(trace::StateEvent{.begin = {zone.begin},
                                 .duration = {end - zone.begin},
                                 .params = kind.params_id,
                                 .lane = lane,
                                 .type = kind.type,
                                 .nesting = depth});
    return;
  }
  const ZoneExtra& extra = extras_.at(zone.extra);
  EventTypeId type = kind.type;
  ArgsText params;
  if (!kind.params.empty()) params.continue_object(kind.params);
  if (const std::string_view name = texts_.of(extra.name); !name.empty()) {
    const Place* const place = places_.at(zone.place);
    type = sink_.type(Category::kState, name,
                      place == nullptr ? std::string_view() : texts_.of(place->file));
  }
  if (const std::string_view text = texts_.of(extra.text); !text.empty()) params.add("text", text);
  if (extra.color != 0) params.add("color", fmt::format("#{:06x}", rgb_of(extra.color)));
  state(lane, zone.begin, end, type, params.take(), extra.callstack, depth);
}

}  // namespace weft::formats::tracy

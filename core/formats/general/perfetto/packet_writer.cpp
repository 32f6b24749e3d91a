#include "core/formats/general/perfetto/packet_writer.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <protozero/pbf_writer.hpp>

#include "core/base/text.h"
#include "core/formats/general/perfetto/own_numbers.h"
#include "core/formats/general/perfetto/packet_field.h"

namespace weft::formats::perfetto {
namespace {

using Json = nlohmann::ordered_json;

// Fields of TrackEvent.
enum EventField : uint32_t {
  kCategoryIid = 3,
  kAnnotation = 4,
  kLegacyEvent = 6,
  kType = 9,
  kNameIid = 10,
  kTrackUuid = 11,
  kCounterValue = 30,
  kRealCounterValue = 44
};

constexpr int kMostJsonDepth = 32;

void add_value(protozero::pbf_writer& annotation, const Json& value, int depth);

void add_annotation(protozero::pbf_writer& parent, uint32_t field, const std::string* name,
                    const Json& value, int depth) {
  protozero::pbf_writer annotation(parent, field);
  constexpr uint32_t kName = 10;
  if (name != nullptr) annotation.add_string(kName, *name);
  add_value(annotation, value, depth);
}

void add_value(protozero::pbf_writer& annotation, const Json& value, int depth) {
  constexpr uint32_t kBool = 2, kUint = 3, kInt = 4, kDouble = 5, kString = 6, kJson = 9,
                     kEntry = 11, kElement = 12;
  // Null has no field, and an object without a member would read back as nothing.
  const bool is_plain_json =
      value.is_null() || (value.is_structured() && (value.empty() || depth >= kMostJsonDepth));
  if (is_plain_json) {
    annotation.add_string(kJson, value.dump());
  } else if (value.is_object()) {
    for (const auto& [name, member] : value.items())
      add_annotation(annotation, kEntry, &name, member, depth + 1);
  } else if (value.is_array()) {
    for (const Json& element : value)
      add_annotation(annotation, kElement, nullptr, element, depth + 1);
  } else if (value.is_boolean()) {
    annotation.add_bool(kBool, value.get<bool>());
  } else if (value.is_number_unsigned()) {
    annotation.add_uint64(kUint, value.get<uint64_t>());
  } else if (value.is_number_integer()) {
    annotation.add_int64(kInt, value.get<int64_t>());
  } else if (value.is_number_float()) {
    annotation.add_double(kDouble, value.get<double>());
  } else if (value.is_string()) {
    annotation.add_string(kString, value.get<std::string>());
  }
}

// Not so the 0 with a sign.
bool is_whole_number(double value) {
  constexpr double kMost = 9e15;
  const bool has_sign_only = value == 0 && std::signbit(value);
  return std::abs(value) < kMost && value == std::floor(value) && !has_sign_only;
}

}  // namespace

uint64_t PacketWriter::number_of(Numbers& numbers, std::string_view text, bool& is_new) {
  const auto [entry, was_added] = numbers.try_emplace(text, numbers.size() + 1);
  is_new = was_added;
  return entry->second;
}

// The packet's own fields are there; a sequence that begins says so.
void PacketWriter::close_packet() {
  constexpr uint32_t kCleared = 1, kNeedsState = 2, kOnlySequence = 1;
  protozero::pbf_writer packet(packet_);
  packet.add_uint32(kSequence, kOnlySequence);
  packet.add_uint32(kSequenceFlags, is_first_ ? kCleared : kNeedsState);
  is_first_ = false;
  protozero::pbf_writer(bytes_).add_message(1, packet_);
  packet_.clear();
}

void PacketWriter::add_event(const EventPacket& event) {
  message_.clear();
  inner_.clear();
  {
    protozero::pbf_writer message(message_);
    protozero::pbf_writer interned(inner_);
    const auto intern = [&](Numbers& numbers, std::string_view text, uint32_t where,
                            uint32_t field) {
      if (text.empty()) return;
      bool is_new = false;
      const uint64_t number = number_of(numbers, text, is_new);
      message.add_uint64(field, number);
      if (!is_new) return;
      protozero::pbf_writer entry(interned, where);
      entry.add_uint64(1, number);
      entry.add_string(2, text.data(), text.size());
    };
    constexpr uint32_t kCategories = 1, kNames = 2;
    if (event.kind != kLegacy) message.add_uint32(kType, event.kind);
    message.add_uint64(kTrackUuid, event.track);
    intern(categories_, event.category, kCategories, kCategoryIid);
    intern(names_, event.name, kNames, kNameIid);
    if (event.kind == kLegacy) {
      constexpr uint32_t kPhase = 2, kUnscopedId = 6, kBindsToEnclosing = 12;
      protozero::pbf_writer legacy(message, kLegacyEvent);
      legacy.add_int32(kPhase, event.phase);
      legacy.add_uint64(kUnscopedId, event.flow);
      if (event.phase == 'f') legacy.add_bool(kBindsToEnclosing, true);
    }
  }
  message_ += event.annotations;
  protozero::pbf_writer packet(packet_);
  packet.add_uint64(kTimestamp, static_cast<uint64_t>(event.time));
  if (!inner_.empty()) packet.add_message(kInternedData, inner_);
  packet.add_message(kTrackEvent, message_);
  close_packet();
}

void PacketWriter::add_sample(int64_t time, uint64_t track, double value) {
  constexpr uint32_t kCounter = 4;
  protozero::pbf_writer packet(packet_);
  packet.add_uint64(kTimestamp, static_cast<uint64_t>(time));
  {
    protozero::pbf_writer event(packet, kTrackEvent);
    event.add_uint32(kType, kCounter);
    event.add_uint64(kTrackUuid, track);
    if (is_whole_number(value)) {
      event.add_int64(kCounterValue, static_cast<int64_t>(value));
    } else {
      event.add_double(kRealCounterValue, value);
    }
  }
  close_packet();
}

void PacketWriter::add_track(const TrackPacket& track) {
  constexpr uint32_t kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5, kCounter = 8,
                     kOrdering = 11, kRank = 12, kMerge = 15, kMergeKey = 17, kExplicit = 3,
                     kByKey = 3;
  protozero::pbf_writer packet(packet_);
  {
    protozero::pbf_writer descriptor(packet, kTrackDescriptor);
    descriptor.add_uint64(kUuid, track.uuid);
    if (track.parent != 0) descriptor.add_uint64(kParent, track.parent);
    if (track.pid >= 0) {
      constexpr uint32_t kPid = 1, kTid = 2, kThreadName = 5, kProcessName = 6;
      const bool is_thread = track.tid >= 0;
      protozero::pbf_writer owner(descriptor, is_thread ? kThread : kProcess);
      owner.add_int32(kPid, track.pid);
      if (is_thread) owner.add_int64(kTid, track.tid);
      owner.add_string(is_thread ? kThreadName : kProcessName, track.name.data(),
                       track.name.size());
    }
    if (track.pid < 0 || std::max(track.pid, track.tid) >= kFirstOwnNumber)
      descriptor.add_string(kName, track.name.data(), track.name.size());
    if (track.is_counter) descriptor.add_message(kCounter, std::string());
    descriptor.add_uint32(kOrdering, kExplicit);
    descriptor.add_int32(kRank, track.rank);
    descriptor.add_uint32(kMerge, kByKey);
    descriptor.add_uint64(kMergeKey, track.merge_key);
  }
  close_packet();
}

std::string annotations_of(std::string_view json, std::span<const std::byte> payload) {
  std::string text;
  protozero::pbf_writer event(text);
  const Json object = Json::parse(json, nullptr, false);
  if (object.is_object()) {
    for (const auto& [name, value] : object.items())
      add_annotation(event, kAnnotation, &name, value, 0);
  }
  if (!payload.empty()) {
    const std::string name = "payload";
    add_annotation(event, kAnnotation, &name, Json(hexadecimal(payload)), 0);
  }
  return text;
}

}  // namespace weft::formats::perfetto

#include "core/formats/general/perfetto/track_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/general/perfetto/fields.h"

namespace weft::formats::perfetto {
namespace {

using trace::Category;

constexpr std::string_view kNoTime = "track event without a time";
constexpr size_t kMostNames = size_t{1} << 20;
constexpr size_t kMostAsync = size_t{1} << 18;  // ids whose lanes are remembered

int64_t ns_of_us(int64_t us) {
  int64_t ns = 0;
  if (__builtin_mul_overflow(us, kNsPerUs, &ns)) return us < 0 ? INT64_MIN : INT64_MAX;
  return ns;
}

enum FlowScope : uint64_t { kTrackEventFlow, kLegacyFlow, kBoundFlow };

bool is_legacy_flow(char phase) { return phase == 's' || phase == 't' || phase == 'f'; }

// The parts of a nestable asynchronous event, and those of its older form.
bool is_async(char phase) {
  return std::string_view("bneSTpF").find(phase) != std::string_view::npos && phase != 0;
}

// The key of a type that a sequence does not remember.
constexpr uint32_t kNoKey = UINT32_MAX;
uint32_t key_of(uint64_t category, Category kind) {
  constexpr uint64_t kMostCategory = (1 << 24) - 1;
  if (category >= kMostCategory) return kNoKey;
  return static_cast<uint32_t>(category << 8) | static_cast<uint32_t>(kind);
}

uint64_t hash_of(std::string_view text, uint64_t seed = 0) {
  constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
  return (std::hash<std::string_view>()(text) ^ seed * kOdd) * kOdd;
}

}  // namespace

inline Track& TrackEvents::track_of(uint64_t uuid, Sequence& sequence) {
  if (sequence.last_track == nullptr || sequence.last_uuid != uuid) {
    sequence.last_uuid = uuid;
    sequence.last_track = &tracks_.track(uuid);
  }
  return *sequence.last_track;
}

// Most events, of a track and a type that are known: the same as add_event(), in fewer steps.
// False: it is none of these.
inline bool TrackEvents::add_plain(const PlainTrackEvent& event, Sequence& sequence, Time time) {
  using enum TrackEventType;
  const uint64_t uuid = event.has_track ? event.track : sequence.track.value_or(0);
  if (uuid == 0) return false;
  Track& track = track_of(uuid, sequence);
  if (track.lane.is_none()) return false;
  Action action = Action::kEnd;
  EventTypeId type = EventTypeId::none();
  if (event.type == kEnd) {
    if (event.name_iid != 0) return false;
  } else if (event.type == kBegin || event.type == kInstant) {
    const bool is_begin = event.type == kBegin;
    action = is_begin ? Action::kBegin : Action::kInstant;
    type = sequence.type_of(
        event.name_iid,
        key_of(event.category_iid, is_begin ? Category::kState : Category::kPunctual));
    if (type.is_none()) return false;
  } else {
    return false;
  }
  timeline_.add({.time = time,
                 .stack = track.stack,
                 .stack_slot = &track.stack_slot,
                 .name = number_of_name(type),
                 .offset = offset_,
                 .lane = track.lane,
                 .type = type,
                 .action = action});
  return true;
}

void TrackEvents::add(const ParsedPacket& packet, std::string_view message, Sequence& sequence,
                      const Time* packet_time) {
  offset_ = packet.offset;
  if (packet.is_plain) {
    if (packet_time == nullptr) return sink_.loss(kNoTime, offset_);
    if (add_plain(packet.event, sequence, *packet_time)) return;
    event_.take(packet.event);
    return add_event(sequence, *packet_time);
  }
  if (!event_.parse(message)) return sink_.loss("track event damaged", offset_);
  std::optional<Time> time;
  if (packet_time != nullptr) time = *packet_time;
  if (event_.time_delta_us || event_.time_us) {
    const auto told = time_within(sequence);
    if (!told) return sink_.loss(told.error(), offset_);
    time = *told;
  }
  if (!time) return sink_.loss(kNoTime, offset_);
  add_event(sequence, *time);
}

void TrackEvents::add_event(Sequence& sequence, Time time) {
  if (event_.has_more) add_counters(sequence, time);
  if (event_.type == TrackEventType::kCounter) {
    const auto track = event_.track ? event_.track : sequence.track;
    if (!track || !event_.counter) return sink_.loss("counter without a track or value", offset_);
    return add_sample(*track, *event_.counter, sequence, time);
  }
  const Place place = place_of(sequence);
  Record record{.time = time,
                .stack = place.stack,
                .stack_slot = place.stack_slot,
                .offset = offset_,
                .lane = place.lane};
  if (event_.type == TrackEventType::kNone) return add_legacy(record, place, sequence);
  const bool is_instant = event_.type == TrackEventType::kInstant;
  const bool is_end = event_.type == TrackEventType::kEnd;
  const bool is_change = event_.type == TrackEventType::kState;
  // A change that has no name ends what is, and begins nothing.
  const bool is_no_more = is_change && event_.name.empty() && event_.name_iid == 0;
  set_type(record, is_instant ? Category::kPunctual : Category::kState, is_end || is_no_more,
           sequence);
  record.action = event_.type == TrackEventType::kBegin ? Action::kBegin
                  : is_end                              ? Action::kEnd
                  : is_change                           ? Action::kChange
                                                        : Action::kInstant;
  if (!event_.has_more) return timeline_.add(record);
  add_args(sequence);
  add_flows(record, sequence);
  add_gpu_links(record);
  give(record);
}

// An end has the type of what it ends: its name only says which that is.
void TrackEvents::set_type(Record& record, Category category, bool is_end, Sequence& sequence) {
  if (is_end) {
    record.name = number_of_name(name_text(sequence));
    return;
  }
  record.type = type_of(category, sequence);
  record.name = number_of_name(record.type);
}

void TrackEvents::give(Record record) {
  record.args = timeline_.keep_args(args_.take());
  timeline_.add(record);
}

// Times within the event are of an older form: microseconds of the monotonic clock.
std::expected<Time, std::string_view> TrackEvents::time_within(Sequence& sequence) {
  constexpr std::string_view kNever = "track event whose time the clock never shows";
  int64_t us = event_.time_us.value_or(0), ns = 0;
  if (event_.time_delta_us) {
    if (!sequence.thread) return std::unexpected(kNoTime);
    if (__builtin_add_overflow(sequence.thread->time_us, *event_.time_delta_us, &us))
      return std::unexpected(kNever);
    sequence.thread->time_us = us;
  }
  if (__builtin_mul_overflow(us, kNsPerUs, &ns) || ns < 0) return std::unexpected(kNever);
  const auto time = clocks_.time_of(sequence.id, Clocks::kMonotonic, static_cast<uint64_t>(ns));
  return time.value_or(Time{ns});
}

std::string_view TrackEvents::name_text(const Sequence& sequence) const {
  if (!event_.name.empty()) return translations_.of_slice(event_.name);
  const uint64_t iid = event_.name_iid != 0 ? event_.name_iid
                       : event_.has_legacy  ? event_.legacy.name_iid
                                            : 0;
  if (iid == 0) return {};
  return translations_.of_slice(sequence.text(Interned::kEventName, iid));
}

EventTypeId TrackEvents::type_of(Category kind, Sequence& sequence) {
  const bool is_interned = event_.name.empty() && event_.categories.empty() &&
                           event_.category_iids.size() <= 1 && event_.name_iid != 0;
  const uint64_t category = event_.category_iids.empty() ? 0 : event_.category_iids.front();
  const uint32_t key = key_of(category, kind);
  Sequence::KnownType* const known =
      is_interned && key != kNoKey ? sequence.known_type(event_.name_iid, kind == Category::kLink)
                                   : nullptr;
  if (known == nullptr) return make_type(kind, sequence);
  if (!known->type.is_none() && known->category_and_kind == key) return known->type;
  const EventTypeId type = make_type(kind, sequence);
  const bool is_known = !name_text(sequence).empty() &&
                        (category == 0 || !sequence.text(Interned::kCategory, category).empty());
  if (is_known) *known = {type, key};
  return type;
}

// A number for the name, the same in all sequences.
uint32_t TrackEvents::number_of_name(std::string_view text) {
  if (text.empty()) return 0;
  if (const auto* const known = names_.find(text)) return known->second;
  if (names_.size() >= kMostNames) return static_cast<uint32_t>(hash_of(text) >> 32) | 1U << 31;
  const auto number = static_cast<uint32_t>(names_.size() + 1);
  names_.try_emplace(text, number);
  return number;
}

std::string TrackEvents::categories_text(const Sequence& sequence) const {
  std::string all;
  const auto add = [&](std::string_view text) {
    if (!all.empty()) all += ',';
    all += text;
  };
  for (const uint64_t iid : event_.category_iids) add(sequence.text(Interned::kCategory, iid));
  for (const std::string_view text : event_.categories) add(text);
  return all;
}

// Its first event calls a track that has no name.
LaneId TrackEvents::lane_of(Track& track, const Sequence& sequence) {
  if (!track.lane.is_none()) return track.lane;
  const std::string_view name = name_text(sequence);
  return tracks_.lane(track, name.empty() ? categories_text(sequence) : std::string(name));
}

EventTypeId TrackEvents::make_type(Category kind, const Sequence& sequence) {
  const std::string_view text = name_text(sequence);
  std::string name = valid_utf8(text);
  if (name.empty() && kind == Category::kLink) name = "flow";
  if (name.empty() && event_.name_iid != 0) {
    sink_.loss("interned name that is not known", offset_);
    name = fmt::format("name {}", event_.name_iid);
  }
  const EventTypeId type = sink_.type(kind, name, valid_utf8(categories_text(sequence)));
  if (type.value() >= name_of_type_.size() && type.value() < kMostNames)
    name_of_type_.resize(type.value() + 1);
  if (type.value() < kMostNames) name_of_type_[type.value()] = number_of_name(text);
  return type;
}

TrackEvents::Place TrackEvents::place_of_task(int32_t tid, int32_t pid) {
  const LaneId lane = lanes_.task(tid, {}, pid);
  return {lane, lane.value(), pid};
}

TrackEvents::Place TrackEvents::place_of(Sequence& sequence) {
  if (event_.has_legacy && event_.legacy.tid >= 0) {
    const int32_t pid = sequence.thread ? sequence.thread->pid : -1;
    return place_of_task(event_.legacy.tid, event_.legacy.pid >= 0 ? event_.legacy.pid : pid);
  }
  if (event_.has_legacy && event_.legacy.pid >= 0) {
    const LaneId lane = lanes_.process(event_.legacy.pid);
    return {lane, lane.value(), event_.legacy.pid};
  }
  const std::optional<uint64_t>& uuid = event_.track ? event_.track : sequence.track;
  const bool is_legacy = event_.has_legacy && event_.type == TrackEventType::kNone;
  if (uuid.value_or(0) == 0 && sequence.thread && (!uuid || is_legacy))
    return place_of_task(sequence.thread->tid, sequence.thread->pid);
  Track& track = track_of(uuid.value_or(0), sequence);
  const LaneId lane = lane_of(track, sequence);
  return {lane, track.stack, event_.has_legacy ? tracks_.process_of(track) : -1, &track.stack_slot};
}

void TrackEvents::add_counters(Sequence& sequence, Time time) {
  const auto add_all = [&](const auto& values, const std::vector<uint64_t>& own,
                           const std::vector<uint64_t>& usual) {
    const std::vector<uint64_t>& tracks = own.empty() ? usual : own;
    for (size_t i = 0; i < values.size() && i < tracks.size(); ++i)
      add_sample(tracks[i], static_cast<double>(values[i]), sequence, time);
    if (values.size() > tracks.size())
      sink_.loss("counter value without a track", offset_, values.size() - tracks.size());
  };
  add_all(event_.extra_values, event_.extra_tracks, sequence.counters);
  add_all(event_.extra_real_values, event_.extra_real_tracks, sequence.real_counters);
}

void TrackEvents::add_sample(uint64_t uuid, double value, Sequence& sequence, Time time) {
  Track& track = tracks_.track(uuid);
  if (track.kind == TrackKind::kUnknown) track.kind = TrackKind::kCounter;
  if (track.is_incremental) value = sequence.counter_values[uuid] += value;
  timeline_.add_sample({.time = time,
                        .value = value * track.multiplier,
                        .lane = lane_of(track, sequence),
                        .type = tracks_.variable(track)});
}

void TrackEvents::add_flows(Record& record, Sequence& sequence) {
  const bool is_bound = event_.has_legacy && event_.legacy.bind_id.has_value();
  if (event_.flows.empty() && !is_bound) return;
  const EventTypeId type = type_of(Category::kLink, sequence);
  std::vector<FlowRef> flows;
  flows.reserve(event_.flows.size() + 1);
  for (const TrackEvent::Flow& flow : event_.flows)
    flows.push_back(
        {{flow.id, kTrackEventFlow}, type, flow.ends ? FlowPart::kEnd : FlowPart::kStep});
  if (is_bound) {
    constexpr uint64_t kIn = 1, kOut = 2;
    const uint64_t direction = event_.legacy.flow_direction;
    flows.push_back({{*event_.legacy.bind_id, kBoundFlow},
                     type,
                     direction == kIn    ? FlowPart::kArrive
                     : direction == kOut ? FlowPart::kBegin
                                         : FlowPart::kStep});
  }
  record.flows = timeline_.keep_flows(std::move(flows));
}

// The stages of GPUs that the event handed in, and those that it waited for.
void TrackEvents::add_gpu_links(const Record& record) {
  constexpr uint32_t kCorrelation = 3000;
  const auto it = std::ranges::find(event_.typed_arguments, kCorrelation, &Field::number);
  if (it == event_.typed_arguments.end()) return;
  for_each_field(it->bytes, [&](const Field& field) {
    if (field.number != 1 && field.number != 2) return;
    const auto role = field.number == 1 ? GpuLinks::Role::kSubmits : GpuLinks::Role::kWaits;
    for_each_number(field, [&](uint64_t number) {
      gpu_links_.add({.role = role, .lane = record.lane, .number = number, .begin = record.time},
                     offset_);
    });
  });
}

// Events of a scope share an id; a local id belongs to its process.
uint64_t TrackEvents::legacy_id(const Place& place, const Sequence& sequence) const {
  const LegacyEvent& legacy = event_.legacy;
  uint64_t id = hash_of(legacy.id_scope, legacy.id);
  const bool has_category = !event_.categories.empty() || !event_.category_iids.empty();
  if (has_category) {
    id = hash_of(event_.categories.empty()
                     ? sequence.text(Interned::kCategory, event_.category_iids.front())
                     : event_.categories.front(),
                 id);
  }
  if (legacy.id_kind == LegacyEvent::IdKind::kLocal)
    id = hash_of("local", id ^ static_cast<uint64_t>(place.pid));
  return id;
}

void TrackEvents::add_legacy(Record record, const Place& place, Sequence& sequence) {
  if (!event_.has_legacy) {
    // It has values of counters only, or nothing.
    const bool has_values = !event_.extra_values.empty() || !event_.extra_real_values.empty();
    if (!has_values) sink_.loss("track event without a type", offset_);
    return;
  }
  const LegacyEvent& legacy = event_.legacy;
  if (is_legacy_flow(legacy.phase)) return add_legacy_flow(record, sequence);
  if (is_async(legacy.phase)) return add_async(record, place, sequence);
  const bool is_state = legacy.phase == 'B' || legacy.phase == 'E' || legacy.phase == 'X';
  set_type(record, is_state ? Category::kState : Category::kPunctual, legacy.phase == 'E',
           sequence);
  add_args(sequence);
  add_flows(record, sequence);
  switch (legacy.phase) {
    case 'B':
      record.action = Action::kBegin;
      break;
    case 'E':
      record.action = Action::kEnd;
      break;
    case 'X':
      record.action = Action::kComplete;
      if (legacy.duration_us < 0) sink_.loss("complete event of negative duration", offset_);
      record.duration = {std::max<int64_t>(ns_of_us(legacy.duration_us), 0)};
      break;
    case 'i':
    case 'I': {
      constexpr uint64_t kGlobal = 1, kProcess = 2;
      if (legacy.instant_scope == kGlobal) record.lane = tracks_.global();
      if (legacy.instant_scope == kProcess && place.pid >= 0)
        record.lane = lanes_.process(place.pid);
      break;
    }
    default:
      args_.add("phase", std::string_view(&legacy.phase, legacy.phase == 0 ? 0 : 1));
  }
  give(record);
}

void TrackEvents::add_legacy_flow(Record record, Sequence& sequence) {
  const LegacyEvent& legacy = event_.legacy;
  const uint64_t id = hash_of(name_text(sequence), legacy_id({}, sequence));
  const FlowPart part = legacy.phase == 's'         ? FlowPart::kBegin
                        : legacy.phase == 't'       ? FlowPart::kStep
                        : legacy.binds_to_enclosing ? FlowPart::kArrive
                                                    : FlowPart::kArriveAtNext;
  record.action = Action::kFlow;
  record.flows =
      timeline_.keep_flows({{{id, kLegacyFlow}, type_of(Category::kLink, sequence), part}});
  add_args(sequence);
  give(record);
}

// Events within asynchronous work of the same id lie on its lane.
LaneId TrackEvents::lane_of_async(uint64_t id, const Place& place, const Sequence& sequence,
                                  bool is_begin, bool is_end) {
  const auto it = open_async_.find(id);
  if (it == open_async_.end()) {
    const LaneId lane = tracks_.async(place.pid, name_text(sequence));
    if (is_begin && open_async_.size() < kMostAsync) open_async_[id] = {lane, 1};
    return lane;
  }
  const LaneId lane = it->second.lane;
  if (is_begin) ++it->second.open;
  if (is_end && --it->second.open == 0) open_async_.erase(it);
  return lane;
}

void TrackEvents::add_async(Record record, const Place& place, Sequence& sequence) {
  const char phase = event_.legacy.phase;
  const bool is_begin = phase == 'b' || phase == 'S', is_end = phase == 'e' || phase == 'F';
  set_type(record, is_begin || is_end ? Category::kState : Category::kPunctual, is_end, sequence);
  record.stack = legacy_id(place, sequence) | uint64_t{1} << 63;
  record.stack_slot = nullptr;
  record.lane = lane_of_async(record.stack, place, sequence, is_begin, is_end);
  record.action = is_begin ? Action::kBegin : is_end ? Action::kEnd : Action::kInstant;
  add_args(sequence);
  add_flows(record, sequence);
  give(record);
}

}  // namespace weft::formats::perfetto

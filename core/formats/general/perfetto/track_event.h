// A TrackEvent as it is written, taken apart and not yet understood. Views into the packet.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/formats/general/perfetto/fields.h"

namespace weft::formats::perfetto {

enum class TrackEventType : uint8_t { kNone, kBegin, kEnd, kInstant, kCounter, kState };
// `before` where the field has none that is known.
inline TrackEventType type_from(TrackEventType before, const Field& field) {
  const bool is_known = field.value <= static_cast<uint64_t>(TrackEventType::kState);
  return is_known ? static_cast<TrackEventType>(field.value) : before;
}

// The fields of most track events.
struct PlainTrackEvent {
  uint64_t track = 0;
  uint32_t category_iid = 0, name_iid = 0;  // 0: none
  TrackEventType type = TrackEventType::kNone;
  bool has_track = false;
};
struct LegacyEvent {
  char phase = 0;
  uint64_t name_iid = 0;
  int64_t duration_us = 0;
  uint64_t id = 0;
  enum class IdKind : uint8_t { kNone, kUnscoped, kLocal, kGlobal };
  IdKind id_kind = IdKind::kNone;
  std::string_view id_scope;
  std::optional<uint64_t> bind_id;
  bool binds_to_enclosing = false;
  uint64_t flow_direction = 0;  // 1 in, 2 out, 3 both
  uint64_t instant_scope = 0;   // 1 global, 2 process, 3 thread
  int32_t pid = -1, tid = -1;   // where they are not the track's
};

struct TrackEvent {
  TrackEventType type = TrackEventType::kNone;
  std::vector<uint64_t> category_iids;
  std::vector<std::string_view> categories;
  uint64_t name_iid = 0;
  std::string_view name;
  std::optional<uint64_t> track;

  bool has_more = false;  // than these: most have not
  std::optional<double> counter;
  std::vector<uint64_t> extra_tracks, extra_real_tracks;
  std::vector<int64_t> extra_values;
  std::vector<double> extra_real_values;
  struct Flow {
    uint64_t id;
    bool ends;
  };
  std::vector<Flow> flows;
  std::vector<std::string_view> annotations;
  bool has_legacy = false;
  LegacyEvent legacy;
  std::optional<int64_t> time_us, time_delta_us;
  std::optional<int64_t> thread_time_us, thread_time_delta_us;
  std::optional<int64_t> instructions, instructions_delta;
  // Fields that become parameters: correlation, call stack, source location, log message, task.
  std::vector<Field> details;
  std::vector<Field> typed_arguments;  // messages of single programs

  // Forgets what was before, but not the memory. False: damaged; what stood before that is there.
  bool parse(std::string_view message);
  // The same for an event already parsed.
  void take(const PlainTrackEvent& plain);

 private:
  void clear();
  bool add_field(const Field& field);
  bool add_more(const Field& field);
  bool parse_legacy(std::string_view message);
};

}  // namespace weft::formats::perfetto

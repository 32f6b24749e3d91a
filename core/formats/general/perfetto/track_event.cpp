#include "core/formats/general/perfetto/track_event.h"

#include <utility>

namespace weft::formats::perfetto {
void TrackEvent::clear() {
  type = TrackEventType::kNone;
  category_iids.clear();
  categories.clear();
  name_iid = 0;
  name = {};
  track.reset();
  if (!std::exchange(has_more, false)) return;
  counter.reset();
  extra_tracks.clear();
  extra_real_tracks.clear();
  extra_values.clear();
  extra_real_values.clear();
  flows.clear();
  annotations.clear();
  has_legacy = false;
  time_us.reset();
  time_delta_us.reset();
  thread_time_us.reset();
  thread_time_delta_us.reset();
  instructions.reset();
  instructions_delta.reset();
  details.clear();
  typed_arguments.clear();
}

void TrackEvent::take(const PlainTrackEvent& plain) {
  clear();
  type = plain.type;
  if (plain.category_iid != 0) category_iids.push_back(plain.category_iid);
  name_iid = plain.name_iid;
  if (plain.has_track) track = plain.track;
}

[[gnu::always_inline]] inline bool TrackEvent::add_field(const Field& field) {
  switch (field.number) {
    case 3:
      return for_each_number(field, [&](uint64_t n) { category_iids.push_back(n); });
    case 9:
      type = type_from(type, field);
      return true;
    case 10:
      name_iid = field.value;
      return true;
    case 11:
      track = field.value;
      return true;
    case 22:
      categories.push_back(field.bytes);
      return true;
    case 23:
      name = field.bytes;
      return true;
    default:
      has_more = true;
      return add_more(field);
  }
}

bool TrackEvent::parse(std::string_view message) {
  clear();
  bool is_good = true;
  const bool is_whole =
      for_each_field(message, [&](const Field& field) { is_good &= add_field(field); });
  return is_whole && is_good;
}

bool TrackEvent::add_more(const Field& field) {
  switch (field.number) {
    case 1:
      time_delta_us = field.integer();
      break;
    case 2:
      thread_time_delta_us = field.integer();
      break;
    case 4:
      annotations.push_back(field.bytes);
      break;
    case 6:
      has_legacy = true;
      return parse_legacy(field.bytes);
    case 8:
      instructions_delta = field.integer();
      break;
    case 12:
      return for_each_number(field,
                             [&](uint64_t n) { extra_values.push_back(static_cast<int64_t>(n)); });
    case 16:
      time_us = field.integer();
      break;
    case 17:
      thread_time_us = field.integer();
      break;
    case 20:
      instructions = field.integer();
      break;
    case 30:
      counter = static_cast<double>(field.integer());
      break;
    case 31:
      return for_each_number(field, [&](uint64_t n) { extra_tracks.push_back(n); });
    case 36:
    case 42:
      return for_each_number(field, [&](uint64_t n) { flows.push_back({n, field.number == 42}); });
    case 47:
    case 48:
      return for_each_fixed64(field, [&](uint64_t n) { flows.push_back({n, field.number == 48}); });
    case 44:
      counter = field.real();
      break;
    case 45:
      return for_each_number(field, [&](uint64_t n) { extra_real_tracks.push_back(n); });
    case 46:
      return for_each_fixed64(
          field, [&](uint64_t n) { extra_real_values.push_back(std::bit_cast<double>(n)); });
    case 5:
    case 21:
    case 33:
    case 34:
    case 52:
    case 53:
    case 54:
    case 55:
    case 56:
    case 57:
      details.push_back(field);
      break;
    default:
      typed_arguments.push_back(field);
      break;
  }
  return true;
}

bool TrackEvent::parse_legacy(std::string_view message) {
  legacy = {};
  return for_each_field(message, [&](const Field& field) {
    using enum LegacyEvent::IdKind;
    switch (field.number) {
      case 1:
        legacy.name_iid = field.value;
        break;
      case 2:
        legacy.phase = static_cast<char>(field.value < 128 ? field.value : 0);
        break;
      case 3:
        legacy.duration_us = field.integer();
        break;
      case 6:
      case 10:
      case 11:
        legacy.id = field.value;
        legacy.id_kind = field.number == 6 ? kUnscoped : field.number == 10 ? kLocal : kGlobal;
        break;
      case 7:
        legacy.id_scope = field.bytes;
        break;
      case 8:
        legacy.bind_id = field.value;
        break;
      case 12:
        legacy.binds_to_enclosing = field.flag();
        break;
      case 13:
        legacy.flow_direction = field.value;
        break;
      case 14:
        legacy.instant_scope = field.value;
        break;
      case 18:
        legacy.pid = field.int32();
        break;
      case 19:
        legacy.tid = field.int32();
        break;
      default:
        break;
    }
  });
}

}  // namespace weft::formats::perfetto

// Counts what a format cannot express while a trace is written, to tell the user: events that
// cannot be written, and other losses.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"

namespace weft::formats {

class LeftOut {
 public:
  enum class What : uint8_t {
    kEvents,
    kParams,       // of an event
    kGroups,       // of a type
    kColors,       // of a type
    kKinds,        // of a lane
    kOrder,        // of a lane among its siblings
    kDepth,        // of a state that is in others, but not written so
    kEmpty,        // a lane without events
    kBackslashes,  // at the end of a lane's name, where they keep a slash from separating lanes
    kMetadata,     // a key with its value
    kCharacters,   // replaced characters of a name
    kEmptyNames,   // of a lane that gets another name, or none
    kEqualNames,   // of a lane that gets another name, or becomes one with another
    kEmptyTypes,   // names of a type that gets another
  };

  void add(What what, uint64_t count = 1) { counts_[static_cast<size_t>(what)] += count; }

  // For formats in nanoseconds; cycles and ticks are kept as they are.
  void set_time_base(TimeBase base) { base_ = base; }
  int64_t ns_from(int64_t ticks);
  // Likewise for formats without negative times: all times of a trace are shifted if the first
  // event that is in reach begins before 0. It must be the earliest.
  int64_t ns_from_zero(int64_t ticks);

  // Whether an event has a time beyond those that a file in nanoseconds can have; such an event is
  // counted. To be asked before its times are.
  bool is_out_of_reach(Time first, Time last);
  // Likewise for formats without negative times, with the shift.
  bool is_out_of_reach_from_zero(Time first, Time last);

  uint64_t events() const { return counts_[static_cast<size_t>(What::kEvents)]; }
  // Descriptions such as "2 events", "parameters of 7 events"; empty: nothing is left out.
  std::vector<std::string> said() const;

 private:
  // Returns nullopt beyond the range of times.
  std::optional<int64_t> exact_ns_from(int64_t ticks) const;
  bool is_within_reach(Time first, Time last, int64_t shift_ns) const;

  std::array<uint64_t, static_cast<size_t>(What::kEmptyTypes) + 1> counts_{};
  TimeBase base_ = TimeBase::kNanoseconds;
  bool has_no_unit_ = false;
  bool has_fractions_ = false;
  std::optional<int64_t> shift_ns_;
};

}  // namespace weft::formats

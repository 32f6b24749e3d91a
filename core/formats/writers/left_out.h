// What a format has no words for, counted while a trace is written in it, so that whoever writes it
// is told: events that cannot be written, and what else is lost of the trace.
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
    kParams,      // of an event
    kGroups,      // of a type
    kColors,      // of a type
    kKinds,       // of a lane
    kOrder,       // of a lane among its siblings
    kEmpty,       // a lane without events
    kSlashes,     // in the name of a lane, where they part names
    kMetadata,    // a key with its value
    kCharacters,  // of a name: others stand in their place
  };

  void add(What what, uint64_t count = 1) { counts_[static_cast<size_t>(what)] += count; }

  // For formats whose times are nanoseconds; cycles and ticks are given as they are.
  void set_time_base(TimeBase base) { base_ = base; }
  int64_t ns_from(int64_t ticks);
  // Likewise for formats without times before 0: of a trace that begins there all stand later. The
  // first time that is asked for is the least.
  int64_t ns_from_zero(int64_t ticks);

  uint64_t events() const { return counts_[static_cast<size_t>(What::kEvents)]; }
  // "2 events", "parameters of 7 events"; empty: nothing is left out.
  std::vector<std::string> said() const;

 private:
  std::array<uint64_t, static_cast<size_t>(What::kCharacters) + 1> counts_{};
  TimeBase base_ = TimeBase::kNanoseconds;
  bool has_no_unit_ = false;
  bool has_fractions_ = false;
  std::optional<int64_t> shift_ns_;
};

}  // namespace weft::formats

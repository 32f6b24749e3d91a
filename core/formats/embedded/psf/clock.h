// Converts wrapping 32-bit timestamps to ticks, and ticks to nanoseconds.
#pragma once

#include <cstdint>

#include "core/base/time.h"
#include "core/formats/embedded/psf/session.h"

namespace weft::formats::psf {

class Clock {
 public:
  // Call when the recorder starts: takes the timer's position.
  void start(const Session& session);
  // Returns the next event's time. With one core a timer that goes back has wrapped; several cores
  // may lag slightly behind each other.
  Time time(uint32_t timestamp);
  Time now() const { return now_; }
  bool has_frequency() const { return frequency_ > 0; }

 private:
  uint64_t ticks(uint32_t timestamp);
  uint64_t ticks_of_system(uint32_t timestamp);
  int64_t exact(uint64_t ticks) const;

  Timer timer_ = Timer::kUp;
  uint64_t round_ = uint64_t{1} << 32;  // number of timer values
  uint64_t frequency_ = 0;
  uint64_t total_ = 0, last_ = 0;
  uint8_t system_tick_ = 0;
  uint64_t system_ticks_ = 0;
  bool has_cores_ = false, is_started_ = false;
  int64_t shift_ = 0;  // offset of a restart, when the timer began anew
  Time now_;
};

}  // namespace weft::formats::psf

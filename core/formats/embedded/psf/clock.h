// Timestamps of 32 bits → ticks that do not come round, and these → nanoseconds.
#pragma once

#include <cstdint>

#include "core/base/time.h"
#include "core/formats/embedded/psf/session.h"

namespace weft::formats::psf {

class Clock {
 public:
  // The recorder was started: where the timer was then.
  void start(const Session& session);
  // Of the next event. With one core a timer that is behind came round; several cores may be a
  // little behind each other.
  Time time(uint32_t timestamp);
  Time now() const { return now_; }
  bool has_frequency() const { return frequency_ > 0; }

 private:
  uint64_t ticks(uint32_t timestamp);
  uint64_t ticks_of_system(uint32_t timestamp);
  int64_t exact(uint64_t ticks) const;

  Timer timer_ = Timer::kUp;
  uint64_t round_ = uint64_t{1} << 32;  // how many values the timer has
  uint64_t frequency_ = 0;
  uint64_t total_ = 0, last_ = 0;
  uint8_t system_tick_ = 0;
  uint64_t system_ticks_ = 0;
  bool has_cores_ = false, is_started_ = false;
  int64_t shift_ = 0;  // of a later start, whose timer began anew
  Time now_;
};

}  // namespace weft::formats::psf

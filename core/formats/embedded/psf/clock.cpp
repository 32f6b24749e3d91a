#include "core/formats/embedded/psf/clock.h"

#include <algorithm>
#include <limits>

#include "core/base/saturating.h"
#include "core/base/time.h"

namespace weft::formats::psf {
namespace {

constexpr uint32_t kCounterBits = 24;
constexpr uint32_t kCounterMask = (1u << kCounterBits) - 1;

bool is_of_system(Timer timer) { return timer == Timer::kTickUp || timer == Timer::kTickDown; }
bool is_down(Timer timer) {
  return timer == Timer::kDown || timer == Timer::kTickDown || timer == Timer::kPeriodDown;
}

}  // namespace

void Clock::start(const Session& session) {
  timer_ = session.timer;
  has_cores_ = session.cores > 1;
  if (session.frequency > 0) frequency_ = session.frequency;
  const bool has_period = timer_ != Timer::kUp && timer_ != Timer::kDown && session.period > 0;
  round_ = has_period ? session.period : uint64_t{1} << (is_of_system(timer_) ? kCounterBits : 32);
  system_tick_ = static_cast<uint8_t>(session.latest >> kCounterBits);
  system_ticks_ = session.ticks;
  last_ = is_down(timer_) && session.latest > 0 ? round_ - 1 - session.latest % round_
                                                : session.latest % round_;
  total_ = is_of_system(timer_) ? system_ticks_ * round_ : session.wraparounds * round_ + last_;
  const int64_t begin = exact(total_);
  shift_ = is_started_ ? std::max<int64_t>(now_.ticks - begin, 0) : 0;
  is_started_ = true;
}

Time Clock::time(uint32_t timestamp) {
  const uint64_t value = is_of_system(timer_) ? ticks_of_system(timestamp) : ticks(timestamp);
  const int64_t at = exact(value);
  const Time time{at > std::numeric_limits<int64_t>::max() - shift_ ? at : at + shift_};
  now_ = std::max(now_, time);
  return time;
}

uint64_t Clock::ticks(uint32_t timestamp) {
  const uint64_t value = is_down(timer_) ? round_ - 1 - timestamp % round_ : timestamp % round_;
  const uint64_t passed = value >= last_ ? value - last_ : value + round_ - last_;
  if (has_cores_ && passed > round_ / 2) return total_ - std::min(total_, round_ - passed);
  last_ = value;
  return total_ += passed;
}

// The tick may be counted a little after its counter began anew: time stands still then.
uint64_t Clock::ticks_of_system(uint32_t timestamp) {
  const auto tick = static_cast<uint8_t>(timestamp >> kCounterBits);
  system_ticks_ += static_cast<uint8_t>(tick - system_tick_);
  system_tick_ = tick;
  const uint64_t counter = timestamp & kCounterMask;
  const uint64_t within =
      timer_ == Timer::kTickDown ? round_ - 1 - std::min(counter, round_ - 1) : counter;
  return total_ = std::max(total_, system_ticks_ * round_ + within);
}

int64_t Clock::exact(uint64_t ticks) const {
  return frequency_ == 0 ? saturated(ticks) : saturating_scale(ticks, kNsPerSecond, frequency_);
}

}  // namespace weft::formats::psf

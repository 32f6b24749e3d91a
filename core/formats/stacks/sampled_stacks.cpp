#include "core/formats/stacks/sampled_stacks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "core/base/percentiles.h"

namespace weft::formats::stacks {

void SampledStacks::add(Time time, std::span<const EventTypeId> frames, bool is_held) {
  // Of several events that were sampled at once.
  if (time == last_.time && std::ranges::equal(frames, last_.frames)) return;
  if (!last_.frames.empty()) end_last(time - last_.time, is_held);
  last_.time = time;
  last_.frames.assign(frames.begin(), frames.end());
}

Duration SampledStacks::told_interval() {
  if (are_few()) return {};
  if (!is_known_) take_quartile();
  return interval_;
}

void SampledStacks::finish(Duration of_others) {
  if (are_few() && of_others.ticks > 0) gaps_.assign(1, of_others.ticks);
  give_first();
  last_.gap.ticks = std::max<int64_t>(interval_.ticks, 1);
  last_.is_held = false;
  if (!last_.frames.empty()) give(last_);
  last_ = {};
}

void SampledStacks::end_last(Duration gap, bool is_held) {
  last_.gap = gap;
  last_.is_held = is_held;
  if (!is_held) learn(gap);
  if (!waits_) return give(last_);
  first_.push_back(std::exchange(last_, {}));
  if (first_.size() == kFirst) give_first();
}

void SampledStacks::learn(Duration gap) {
  constexpr size_t kLearnedAt = 16;  // gaps: often enough, and for next to nothing
  if (is_known_ || gap.ticks <= 0) return;
  if (gaps_seen_ < kGaps) gaps_.push_back(0);
  gaps_[gaps_seen_++ % kGaps] = gap.ticks;
  if (!waits_ && gaps_seen_ % kLearnedAt == 0) take_quartile();
}

void SampledStacks::take_quartile() {
  if (gaps_.empty()) return;
  std::array<int64_t, kGaps> gaps;
  const auto end = std::ranges::copy(gaps_, gaps.begin()).out;
  const auto quartile = gaps.begin() + static_cast<std::ptrdiff_t>((gaps_.size() - 1) / 4);
  std::nth_element(gaps.begin(), quartile, end);
  interval_.ticks = *quartile;
}

void SampledStacks::give_first() {
  if (!waits_) return;
  waits_ = false;
  take_quartile();
  for (const Sample& sample : first_) give(sample);
  first_ = {};
}

// Samples are taken late at times: up to twice the interval is near. Of two at the same time the
// later counts.
void SampledStacks::give(const Sample& sample) {
  const Duration shown{std::max<int64_t>(interval_.ticks, 1)};
  const bool is_near =
      sample.gap.ticks >= 0 && (sample.is_held || sample.gap.ticks / 2 <= shown.ticks);
  const Duration lasted = is_near ? sample.gap : shown;
  timeline_.add(lane_, sample.frames, sample.time, sample.time + lasted);
}

void finish_all(std::span<SampledStacks* const> threads, Duration interval) {
  if (interval.ticks == 0) {
    std::vector<Duration> told;
    for (SampledStacks* const each : threads)
      if (const Duration own = each->told_interval(); own.ticks > 0) told.push_back(own);
    interval = median_of(std::move(told));
  }
  for (SampledStacks* const each : threads) each->finish(interval);
}

}  // namespace weft::formats::stacks

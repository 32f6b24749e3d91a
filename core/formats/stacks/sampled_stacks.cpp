#include "core/formats/stacks/sampled_stacks.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace weft::formats::stacks {

void SampledStacks::add(Time time, std::span<const EventTypeId> frames) {
  if (!last_.frames.empty()) end_last(time - last_.time);
  last_.time = time;
  last_.frames.assign(frames.begin(), frames.end());
}

void SampledStacks::finish() {
  give_first();
  last_.gap = interval_;
  if (!last_.frames.empty()) give(last_);
  last_.frames.clear();
}

void SampledStacks::end_last(Duration gap) {
  last_.gap = gap;
  learn(gap);
  if (!waits_) return give(last_);
  first_.push_back(std::exchange(last_, {}));
  if (first_.size() == kFirst) give_first();
}

void SampledStacks::learn(Duration gap) {
  constexpr size_t kLearnedAt = 16;  // gaps: often enough, and for next to nothing
  if (is_known_ || gap.ticks <= 0) return;
  gaps_[gaps_seen_++ % kGaps] = gap.ticks;
  if (!waits_ && gaps_seen_ % kLearnedAt == 0) take_quartile();
}

void SampledStacks::take_quartile() {
  const size_t count = std::min(gaps_seen_, kGaps);
  if (count == 0) return;
  std::array<int64_t, kGaps> gaps = gaps_;
  const auto quartile = gaps.begin() + static_cast<std::ptrdiff_t>((count - 1) / 4);
  std::nth_element(gaps.begin(), quartile, gaps.begin() + static_cast<std::ptrdiff_t>(count));
  interval_.ticks = *quartile;
}

void SampledStacks::give_first() {
  if (!waits_) return;
  waits_ = false;
  take_quartile();
  for (const Sample& sample : first_) give(sample);
  first_ = {};
}

// Samples are taken late at times: up to twice the interval is near.
void SampledStacks::give(const Sample& sample) {
  const Duration shown{std::max<int64_t>(interval_.ticks, 1)};
  const bool is_near = sample.gap.ticks > 0 && sample.gap.ticks / 2 <= shown.ticks;
  const Duration lasted = is_near ? sample.gap : shown;
  timeline_.add(lane_, sample.frames, sample.time, sample.time + lasted);
}

}  // namespace weft::formats::stacks

#include "core/formats/stacks/sampled_stacks.h"

#include <algorithm>

namespace weft::formats::stacks {

void SampledStacks::add(Time time, std::span<const EventTypeId> frames) {
  if (!frames_.empty()) give(time - time_);
  time_ = time;
  frames_.assign(frames.begin(), frames.end());
}

// Samples are taken late at times: up to twice the interval is near.
void SampledStacks::give(Duration gap) {
  if (frames_.empty()) return;
  if (!is_given_ && gap.ticks > 0)
    interval_.ticks = interval_.ticks == 0 ? gap.ticks : std::min(gap.ticks, interval_.ticks);
  const Duration shown{std::max<int64_t>(interval_.ticks, 1)};
  const bool is_near = gap.ticks > 0 && gap.ticks / 2 <= shown.ticks;
  timeline_.add(lane_, frames_, time_, time_ + (is_near ? gap : shown));
  frames_.clear();
}

}  // namespace weft::formats::stacks

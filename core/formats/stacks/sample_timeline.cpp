#include "core/formats/stacks/sample_timeline.h"

#include <algorithm>

namespace weft::formats::stacks {

bool SampleTimeline::add(LaneId lane, std::span<const EventTypeId> frames, Time time) {
  Thread& thread = threads_[lane.value()];
  const bool is_in_order = !thread.has_sample || thread.time <= time;
  end_sample(lane.value(), thread, time);
  thread.time = time;
  thread.has_sample = true;
  thread.frames.assign(frames.begin(), frames.end());
  return is_in_order;
}

void SampleTimeline::finish() {
  for (auto& [lane, thread] : threads_) end_sample(lane, thread, std::nullopt);
  timeline_.finish();
}

// Until the next one of the thread, where that is near enough.
void SampleTimeline::end_sample(uint32_t lane, Thread& thread, std::optional<Time> next) {
  if (!thread.has_sample || thread.frames.empty()) return;
  const int64_t gap = next ? (*next - thread.time).ticks : 0;
  if (gap > 0)
    thread.shortest_gap = thread.shortest_gap == 0 ? gap : std::min(gap, thread.shortest_gap);
  const int64_t shortest = std::max<int64_t>(thread.shortest_gap, 1);
  const bool is_near = gap > 0 && gap / 2 <= shortest;
  timeline_.add(LaneId(lane), thread.frames, thread.time,
                thread.time + Duration{is_near ? gap : shortest});
  thread.frames.clear();
}

}  // namespace weft::formats::stacks

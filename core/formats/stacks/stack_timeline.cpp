#include "core/formats/stacks/stack_timeline.h"

#include <cstdint>

namespace weft::formats::stacks {

void StackTimeline::add(LaneId lane, std::span<const EventTypeId> frames, Time begin, Time end) {
  while (lane.value() >= open_.size()) open_.emplace_back(&memory_);
  Open& open = open_[lane.value()];
  size_t common = 0;
  if (open.end == begin) {
    while (common < open.frames.size() && common < frames.size() &&
           open.frames[common].type == frames[common])
      ++common;
  }
  // Nothing that was open ends here: if the next stack does not go on, it ends it.
  if (begin == end) {
    if (common < frames.size())
      sink_.note("stack that lasts no time", trace::LossPlace::on_time_line(lane, begin));
    return;
  }
  close(lane, open, common);
  open.frames.reserve(frames.size());
  for (const EventTypeId type : frames.subspan(common)) open.frames.push_back({type, begin});
  open.end = end;
}

void StackTimeline::finish() {
  for (uint32_t lane = 0; lane < open_.size(); ++lane) close(LaneId(lane), open_[lane], 0);
  open_.clear();
}

void StackTimeline::close(LaneId lane, Open& open, size_t depth) {
  states_.clear();
  for (size_t i = depth; i < open.frames.size(); ++i) {
    states_.push_back({.begin = open.frames[i].begin,
                       .duration = open.end - open.frames[i].begin,
                       .lane = lane,
                       .type = open.frames[i].type,
                       .nesting = static_cast<uint32_t>(i)});
  }
  if (!states_.empty()) sink_.states(states_);
  open.frames.resize(depth, {EventTypeId::none(), {}});
}

}  // namespace weft::formats::stacks

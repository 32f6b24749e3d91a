#include "core/formats/profiles/stack_text/stack_output.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/text.h"

namespace weft::formats::stack_text {

EventTypeId StackOutput::type_of(const Frame& frame) {
  return sink_.type(trace::Category::kState,
                    frame.name.empty() ? std::string("(unknown)") : valid_utf8(frame.name),
                    valid_utf8(frame.object));
}

void StackOutput::add(std::string_view lane, std::span<const EventTypeId> frames, int64_t weight,
                      ParamsId labels) {
  stacks::WeightedStacks& stacks = lane_of(lane);
  if (!labels.is_none() && weight > 0) {
    sink_.give(trace::PunctualEvent{.time = stacks.now(),
                                    .params = labels,
                                    .lane = stacks.lane(),
                                    .type = sink_.type(trace::Category::kPunctual, "labels")});
  }
  stacks.add(frames, weight);
}

void StackOutput::add_to_dump(std::string_view lane, std::span<const EventTypeId> frames,
                              int64_t dump) {
  timeline_.add(lane_of(lane).lane(), frames, Time{dump}, Time{dump + 1});
}

void StackOutput::add_state_to_dump(std::string_view lane, std::string_view state, int64_t dump) {
  LaneId& of = value_of(state_lanes_, lane, LaneId::none());
  if (of.is_none()) of = sink_.add_lane({.name = "state", .parent = lane_of(lane).lane()});
  const EventTypeId type = sink_.type(trace::Category::kState, valid_utf8(state), "state");
  timeline_.add(of, {&type, 1}, Time{dump}, Time{dump + 1});
}

stacks::WeightedStacks& StackOutput::lane_of(std::string_view name) {
  if (auto* const known = lanes_.find(name)) return known->second;
  const LaneId lane = sink_.add_lane({.name = valid_utf8(name), .kind = trace::LaneKind::kThread});
  return lanes_.try_emplace(name, timeline_, lane).first->second;
}

bool InnermostFirst::add(EventTypeId frame) {
  if (frames_.size() == kMostDepth) return false;
  frames_.push_back(frame);
  return true;
}

std::vector<EventTypeId> InnermostFirst::take() {
  std::ranges::reverse(frames_);
  return std::exchange(frames_, {});
}

std::string_view without_offset(std::string_view name) {
  const size_t plus = name.rfind('+');
  if (plus == std::string_view::npos || plus == 0 || plus + 1 == name.size()) return name;
  std::string_view digits = name.substr(plus + 1);
  const bool is_hexadecimal = take_prefix(digits, "0x");
  const bool are_digits = std::ranges::all_of(
      digits, [&](char c) { return is_digit(c) || (is_hexadecimal && c >= 'a' && c <= 'f'); });
  return are_digits && !digits.empty() ? name.substr(0, plus) : name;
}

}  // namespace weft::formats::stack_text

#include "core/formats/profiles/stack_text/call_tree.h"

namespace weft::formats::stack_text {

bool CallTree::add(size_t depth, EventTypeId frame, int64_t total, std::optional<int64_t> self) {
  if (depth > open_.size() || depth >= kMostDepth) return false;
  close(depth);
  if (depth > 0) open_.back().below = saturating_add(open_.back().below, total);
  open_.push_back({total, self});
  frames_.push_back(frame);
  return true;
}

void CallTree::begin(std::string_view lane) {
  close(0);
  lane_ = lane;
}

void CallTree::close(size_t depth) {
  while (open_.size() > depth) {
    const Node& node = open_.back();
    const int64_t weight = node.self.value_or(saturating_sub(node.total, node.below));
    if (weight > 0 && order_ == Order::kCallersFirst) {
      output_.add(lane_, frames_, weight);
    } else if (weight > 0) {
      const std::vector<EventTypeId> reversed(frames_.rbegin(), frames_.rend());
      output_.add(lane_, reversed, weight);
    }
    open_.pop_back();
    frames_.pop_back();
  }
}

}  // namespace weft::formats::stack_text

// Stacks that share their callers: each is a frame and its caller's stack, as profilers store them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/strong_id.h"

namespace weft::formats::stacks {

class StackTree {
 public:
  static constexpr int64_t kNoCaller = -1;

  // Adds the next stack; returns false if its caller is not known yet: the stack then begins at its
  // own frame.
  bool add(EventTypeId frame, int64_t caller) {
    const auto size = static_cast<int64_t>(nodes_.size());
    const bool is_known = caller >= kNoCaller && caller < size && caller < kNone;
    shown_ = kNoCaller;
    nodes_.push_back(
        {frame, is_known ? static_cast<uint32_t>(caller) : kNone});  // kNoCaller is kNone
    return is_known;
  }
  size_t size() const { return nodes_.size(); }

  // Returns the frames from outermost to innermost, valid until the next call; empty for unknown
  // stacks. Frames below kMostDepth are left out. O(depth).
  std::span<const EventTypeId> frames(int64_t stack) {
    if (stack < 0) return {};
    // Samples that follow each other often are of one stack.
    if (stack == shown_) return shown();
    shown_ = stack;
    frames_.clear();
    for (auto at = static_cast<size_t>(stack); at < nodes_.size(); at = nodes_[at].caller)
      frames_.push_back(nodes_[at].frame);
    std::ranges::reverse(frames_);
    return shown();
  }

 private:
  std::span<const EventTypeId> shown() const {
    return std::span(frames_).first(std::min(frames_.size(), kMostDepth));
  }

  static constexpr size_t kMostDepth = 4096;
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Node {
    EventTypeId frame;
    uint32_t caller;
  };
  std::vector<Node> nodes_;
  std::vector<EventTypeId> frames_;  // of the stack returned last
  int64_t shown_ = kNoCaller;
};

}  // namespace weft::formats::stacks

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
    const auto at = is_known ? static_cast<uint32_t>(caller) : kNone;  // kNoCaller is kNone
    shown_ = kNoCaller;
    nodes_.push_back({frame, at, at == kNone ? 1 : nodes_[at].depth + 1});
    return is_known;
  }
  size_t size() const { return nodes_.size(); }

  // Returns the frames from outermost to innermost, valid until the next call; empty for unknown
  // stacks. Frames below kMostDepth are left out. O(depth).
  std::span<const EventTypeId> frames(int64_t stack) {
    auto at = static_cast<size_t>(stack);
    if (stack < 0 || at >= nodes_.size()) return {};
    // Samples that follow each other often are of one stack.
    if (stack != shown_) {
      shown_ = stack;
      frames_.resize(nodes_[at].depth, EventTypeId::none());
      for (size_t left = frames_.size(); left > 0; at = nodes_[at].caller)
        frames_[--left] = nodes_[at].frame;
    }
    return std::span(frames_).first(std::min(frames_.size(), kMostDepth));
  }

 private:
  static constexpr size_t kMostDepth = 4096;
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Node {
    EventTypeId frame;
    uint32_t caller;
    uint32_t depth;  // 1: no caller
  };
  std::vector<Node> nodes_;
  std::vector<EventTypeId> frames_;  // of the stack returned last
  int64_t shown_ = kNoCaller;
};

}  // namespace weft::formats::stacks

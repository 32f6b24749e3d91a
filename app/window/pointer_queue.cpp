#include "app/window/pointer_queue.h"

#include <algorithm>

namespace weft::app {

PointerQueue::State PointerQueue::next_frame(float x, float y) {
  apart_s_.reset();
  if (waiting_.empty()) {
    state_.x = x;
    state_.y = y;
    return state_;
  }
  const ButtonEvent& next = waiting_.front();
  const bool has_moved = next.x != state_.x || next.y != state_.y;
  state_.x = next.x;
  state_.y = next.y;
  if (!next.is_down && has_moved) return state_;
  const auto button = static_cast<size_t>(next.button);
  state_.is_down[button] = next.is_down;
  if (next.is_down) {
    apart_s_ = std::max(0.0, next.from_s - pressed_s_[button]);
    pressed_s_[button] = next.to_s;
  }
  waiting_.pop_front();
  return state_;
}

float PointerQueue::double_click_s(float most_s) const {
  if (!apart_s_) return most_s;
  return *apart_s_ < most_s ? std::numeric_limits<float>::max() : 0;
}

}  // namespace weft::app

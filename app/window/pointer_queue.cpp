#include "app/window/pointer_queue.h"

namespace weft::app {

PointerQueue::State PointerQueue::next_frame(float x, float y) {
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
  state_.is_down[static_cast<size_t>(next.button)] = next.is_down;
  waiting_.pop_front();
  return state_;
}

}  // namespace weft::app

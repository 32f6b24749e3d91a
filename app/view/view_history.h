// The view of a trace (which part of it is shown, and how), and the steps that led there.
//
// Each trace has one, shared by all its panels; a panel pinned to a view has its own. Which lanes
// there are is kept separately (LaneView). Plain values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/view/time_line.h"
#include "app/view/time_window.h"
#include "app/view/view_filter.h"
#include "core/layout/lanes.h"

namespace weft::app {

inline constexpr size_t kMostOpenRuns = 1'000;

// The state that undo restores.
struct View {
  TimeWindow window;
  double scroll_px = 0;  // how far the lanes are scrolled down
  // The trace's place on the time line that it shares with others (time_line.h).
  Duration offset;
  ClockRate rate = {};
  ViewFilter filter = {};
  // Runs of repeated messages that the sequence diagram draws one by one, not as one.
  std::vector<TimeRange> open_runs = {};
  bool operator==(const View&) const = default;
};

// Returns a number for a new gesture, whose changes are one step. Used on the frame thread.
inline uint32_t new_gesture() {
  static uint32_t last = 0;
  return ++last;
}

// A history of earlier values, for undo and redo. Steps taken together (several traces moved at
// once) share a number; later steps have greater numbers, in every history.
template <class Value>
class Steps {
 public:
  // Records `old`, which is being replaced. Within one gesture (other than 0), only its first value
  // is kept.
  void leave(Value old, uint32_t gesture, uint64_t number) {
    if (gesture == 0 || gesture != last_gesture_) {
      if (undo_.size() == kMost) undo_.erase(undo_.begin());
      undo_.push_back({std::move(old), number});
    }
    redo_.clear();
    last_gesture_ = gesture;
  }
  // The numbers of the steps that undo and redo would take; nullopt: there is none.
  std::optional<uint64_t> undo_number() const { return number_of(undo_); }
  std::optional<uint64_t> redo_number() const { return number_of(redo_); }
  // Whether the last step is of this gesture, and no other came since.
  bool is_of(uint32_t gesture) const { return gesture != 0 && gesture == last_gesture_; }
  void undo(Value& now) { move(now, undo_, redo_); }  // there is a step
  void redo(Value& now) { move(now, redo_, undo_); }
  void drop_redo() { redo_.clear(); }

 private:
  struct Step {
    Value value;
    uint64_t number;
  };
  static constexpr size_t kMost = 1000;

  static std::optional<uint64_t> number_of(const std::vector<Step>& steps) {
    return steps.empty() ? std::nullopt : std::optional(steps.back().number);
  }
  void move(Value& now, std::vector<Step>& from, std::vector<Step>& to) {
    Step step = std::move(from.back());
    from.pop_back();
    to.push_back({std::exchange(now, std::move(step.value)), step.number});
    last_gesture_ = 0;
  }

  std::vector<Step> undo_, redo_;  // the last element is taken first
  uint32_t last_gesture_ = 0;
};

// The smaller number; nullopt if both are.
inline std::optional<uint64_t> first_of(std::optional<uint64_t> a, std::optional<uint64_t> b) {
  return a && b ? std::min(a, b) : std::max(a, b);
}

// What a view follows while its trace grows.
enum class Follow {
  kNothing,  // nothing: the view stays where it is
  kWhole,    // the whole trace
  kEnd       // its end, at the same zoom
};

struct ViewHistory {
  View view;
  Follow follow = Follow::kWhole;  // until the view is moved
  bool is_apart = false;           // a panel's own view: no other trace follows it
  Steps<View> steps;
};

// Which lanes a trace shows, and how: shared by all its panels. Immutable; every change makes a new
// one.
struct LaneView {
  layout::CollapsedLanes collapsed;
  layout::LaneArrangement arrangement;
};
using LaneViewPtr = std::shared_ptr<const LaneView>;

}  // namespace weft::app

// Converts between a trace's own time and folded time, in which stretches that are cut out have no
// length.
//
// Navigation (zooming, panning, easing) happens in folded time, where the axis is linear.
// Everything else that speaks of a window, commands and panels alike, means the trace's own time. A
// value; without cuts, both are the same.
#pragma once

#include <memory>
#include <utility>

#include "app/view/time_window.h"
#include "core/base/time_cuts.h"

namespace weft::app {

class FoldedTime {
 public:
  FoldedTime() = default;
  // `cuts` may be null: nothing is cut.
  explicit FoldedTime(std::shared_ptr<const TimeCuts> cuts) : cuts_(std::move(cuts)) {}

  const std::shared_ptr<const TimeCuts>& cuts() const { return cuts_; }
  Time fold(Time t) const { return cuts_ ? cuts_->folded(t) : t; }
  Time unfold(Time t) const { return cuts_ ? cuts_->unfolded(t) : t; }
  TimeWindow fold(const TimeWindow& window) const;
  TimeWindow unfold(const TimeWindow& folded) const;

 private:
  std::shared_ptr<const TimeCuts> cuts_;
};

}  // namespace weft::app

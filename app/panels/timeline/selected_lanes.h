// The lanes that a selected range covers: the selected lanes and those below them, or all.
#pragma once

#include <span>
#include <vector>

#include "app/panels/panels.h"
#include "core/layout/lane_groups.h"
#include "core/trace/model.h"

namespace weft::app {

// Refers to the input; made anew in each frame, at the cost of a bit per lane if some are selected.
class SelectedLanes {
 public:
  explicit SelectedLanes(const PanelInput& input);

  bool are_all() const { return is_selected_.empty(); }  // whether no lanes are selected
  // Whether a lane, or all of a group, is covered. Call only unless are_all().
  bool has(LaneId lane) const;

 private:
  const trace::Dictionary& dictionary_;
  std::span<const layout::LaneGroup> groups_;
  std::vector<bool> is_selected_;  // by lane: whether it is selected
};

}  // namespace weft::app

// The lanes that a range is of where some are selected: they, and what lies below them.
#pragma once

#include <span>
#include <vector>

#include "app/panels/panels.h"
#include "core/layout/lane_groups.h"
#include "core/trace/model.h"

namespace weft::app {

// Refers to the input; made anew in each frame, at a bit for each lane where some are selected.
class SelectedLanes {
 public:
  explicit SelectedLanes(const PanelInput& input);

  bool are_all() const { return is_selected_.empty(); }  // none is selected by itself
  // Of a group: all of it. Not asked where they are all.
  bool has(LaneId lane) const;

 private:
  const trace::Dictionary& dictionary_;
  std::span<const layout::LaneGroup> groups_;
  std::vector<bool> is_selected_;  // by itself
};

}  // namespace weft::app

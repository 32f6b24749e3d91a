#include "app/panels/timeline/selected_lanes.h"

#include <algorithm>

namespace weft::app {

SelectedLanes::SelectedLanes(const PanelInput& input)
    : dictionary_(input.model->trace->dictionary()), groups_(input.trace->arrangement().groups) {
  if (input.trace->selected_lanes.empty()) return;
  is_selected_.resize(dictionary_.lanes.size());
  for (const LaneId lane : input.trace->selected_lanes) {
    if (lane.value() < is_selected_.size()) is_selected_[lane.value()] = true;
  }
}

bool SelectedLanes::has(LaneId lane) const {
  if (const layout::LaneGroup* group = layout::find_group(groups_, lane))
    return std::ranges::all_of(group->lanes, [this](LaneId of) { return has(of); });
  // At most as many steps as there are lanes: a broken trace must not cause an endless loop.
  for (size_t i = 0; i < is_selected_.size() && lane.value() < is_selected_.size(); ++i) {
    if (is_selected_[lane.value()]) return true;
    lane = dictionary_.lane(lane).parent;
  }
  return false;
}

}  // namespace weft::app

// What the gutter of lanes writes beside its lines. A name that does not fit is cut so that it
// keeps its last word, or what tells it from the names of lines near it: whatever is scrolled.
//
// Cost: a look-up for each name that does not fit; where its stretch of lines is seen for the first
// time, or with another room, about 1 ms.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "app/panels/panels.h"
#include "core/layout/lanes.h"

namespace weft::app {

bool is_variable(const PanelInput& input, const layout::DisplayRow& row);
// Whether something is said beside a row: beside a lane's first, and those of its variables.
bool has_own_line(const PanelInput& input, const layout::DisplayRow& row);
// Of such a line in the tree: below its lane's first row it is the lane's, and stands as the lanes
// below it do.
int depth_of_line(const PanelInput& input, const layout::DisplayRow& row);

class LaneLabels {
 public:
  // The name of a line of these lanes, cut to `room` px in the current font.
  const std::string& cut(const PanelInput& input, const layout::Lanes& lanes,
                         const layout::DisplayRow& line, const std::string& name, float room);

 private:
  // Lines of one depth, of which each is told from the others.
  struct Stretch {
    std::vector<uint32_t> rows;  // of the lanes, in order
    std::vector<std::string> names;
    std::vector<bool> are_variables;  // of the names: "lane · variable"
    std::map<int, std::vector<std::string>> by_room;
  };
  using StretchKey = std::tuple<const layout::Lanes*, uint32_t, int>;  // which, and their depth

  void forget_if_changed(const PanelInput& input);
  Stretch& stretch_of(const PanelInput& input, const layout::Lanes& lanes, uint32_t row, int depth);

  std::map<StretchKey, Stretch> stretches_;
  std::shared_ptr<const TraceModel> model_;  // that they are of
  float font_px_ = 0;
  size_t letters_ = 0;  // letters that the fonts had
};

}  // namespace weft::app

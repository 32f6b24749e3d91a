// Draws the frame around the selected element in the timeline, in its row or on the line of the
// folded lane that hides it.
#pragma once

#include <optional>

#include "app/panels/timeline/time_axis.h"
#include "core/query/element.h"

namespace weft::app {

// Top (from the top of the tree of lanes) and height of the element's row; nullopt if its lane is
// not shown. Links have no row of their own.
struct RowPlace {
  double y = 0;
  float height = 0;
};
std::optional<RowPlace> row_place(const store::Trace& trace, const layout::Lanes& lanes,
                                  const query::ElementRef& element);

// Draws it in an area that shows these lanes from `scroll_px` on.
void draw_element_outline(const PanelInput& input, const TimeAxis& axis, const Area& area,
                          const layout::Lanes& lanes, double scroll_px,
                          const query::ElementRef& element, Duration duration);

}  // namespace weft::app

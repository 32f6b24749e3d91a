// The difference of two flame graphs, as the flame panel shows it: boxes are as wide as in B, in
// warm colours if B takes more than A, in cool ones if it takes less. Each side is a part of an
// open trace; both may be parts of the same trace. (C-12, B-08)
//
//   A [1 before.json] [Whole trace]   B [2 after.json] [Whole trace]   [By time][By share]
//
// Colours differ in lightness as well as hue (blue and orange), and boxes show the difference in
// percent.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/toolbar.h"
#include "core/query/metrics/flame_difference.h"

namespace weft::app {

struct ComparedParts {
  std::optional<Scope> a, b;  // nullopt: nothing to compare; `problem` says why
  bool by_share = false;      // compares shares of each side's total, not times
  std::string problem;
};

ComparedParts choose_parts(const PanelInput& input, Toolbar& bar, PanelOutput& output);

// From -1 (missing in B) to 1 (missing in A); 0: no difference.
double change_of(const query::FlameDifference& difference, uint32_t node, bool by_share);
layout::Rgb color_of_change(double change, layout::Theme theme);

// The text behind a name: "  +12.3 %"
std::string percent_text(const query::FlameDifference& difference, uint32_t node, bool by_share);
// Shows the figures of both sides and their differences, as in the comparison.
void show_change(const PanelInput& input, const query::FlameDifference& difference, uint32_t node,
                 const std::string& name);
// Draws the legend of the colours at the left of a line below the graph, and the sums at its right.
void draw_change_line(const PanelInput& input, const Area& line,
                      const query::FlameDifference& difference);
// One row for each path that either side has.
Sheet sheet_of_changes(const std::shared_ptr<const query::FlameDifference>& difference,
                       const std::function<std::string(uint32_t)>& name_of,
                       const std::function<std::string(uint32_t)>& path_of);

}  // namespace weft::app

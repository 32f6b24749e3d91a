// Two flame graphs laid upon each other, as the flame panel shows them: as wide as B, warm where B
// takes more than A, cool where it takes less. Each side is a part of an open trace; two parts of
// one will do. (C-12, B-08)
//
//   A [1 before.json] [Whole trace]   B [2 after.json] [Whole trace]   [By time][By share]
//
// Colours differ in lightness as well as hue (blue and orange), and boxes say by how many percent.
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
  std::optional<Scope> a, b;  // none: there is nothing of it, and `problem` says why
  bool by_share = false;      // of all of its side, so that sides of different lengths compare
  std::string problem;
};

ComparedParts choose_parts(const PanelInput& input, Toolbar& bar, PanelOutput& output);

// From -1, where nothing is left in B, to 1, where A had nothing; 0 is no difference.
double change_of(const query::FlameDifference& difference, uint32_t node, bool by_share);
layout::Rgb color_of_change(double change, layout::Theme theme);

// What stands behind a name: "  +12.3 %"
std::string percent_text(const query::FlameDifference& difference, uint32_t node, bool by_share);
// The figures of both sides and their differences, as the comparison has them.
void show_change(const PanelInput& input, const query::FlameDifference& difference, uint32_t node,
                 const std::string& name);
// What the colours mean, at the left of a line below the graph, and the sums at its right.
void draw_change_line(const PanelInput& input, const Area& line,
                      const query::FlameDifference& difference);
// A line for each path that either has.
Sheet sheet_of_changes(const std::shared_ptr<const query::FlameDifference>& difference,
                       const std::function<std::string(uint32_t)>& name_of,
                       const std::function<std::string(uint32_t)>& path_of);

}  // namespace weft::app

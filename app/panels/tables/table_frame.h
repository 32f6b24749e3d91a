// The state of one draw() of a table: where its columns and rows lie, and how cells are drawn. The
// view handles input.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/panels/tables/scroll_bar.h"
#include "app/panels/tables/table_view.h"

namespace weft::app {

struct TableView::Frame {
  static constexpr float kPadPx = 8;
  static constexpr float kIndentPx = 14;
  static constexpr float kEyePx = 17;
  static constexpr float kTitleArrowPx = 14;
  static constexpr float kLeastColumnPx = 30;

  const TableInput& input;
  const TableRows& rows;
  PanelOutput& output;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec2 mouse = ImGui::GetIO().MousePos;
  bool is_hovered = false;
  bool has_keys = false;
  TableOptions options = {};
  std::vector<bool> hidden = {};  // by column: hidden ones have no width
  std::vector<bool> bare = {};    // by column: empty ones are as wide as their titles
  std::vector<float> edges = {};  // left edges of the columns, and the right edge of the last
  float title_y = 0;              // below the titles of groups, if there are any
  float filter_y = 0;
  bool has_filters = false;  // whether the fields below the titles are shown
  // By column: what is wrong with a filter that cannot be applied.
  std::map<size_t, std::string> filter_errors = {};
  Area body = {};    // the rows, without the bars
  float row_px = 0;  // height of a row
  TableAnswer answer = {};

  const Theme& theme() const { return input.panel.theme; }
  std::string option(const char* name) const { return std::string(input.prefix) + name; }
  float scaled(float px) const { return std::round(px * input.panel.scale); }
  static std::optional<float> dragged_width(const Json* widths, std::string_view column);
  void find_filter_errors();
  // `text_px`: asked for what the texts of a column want, where there is more room than usual.
  void lay_out(float& scroll_x, const std::function<float(size_t column)>& text_px);
  float content_width() const { return edges.back() - edges.front(); }
  bool is_seen(size_t column) const {
    return !hidden[column] && edges[column] < body.x1 && edges[column + 1] > body.x0;
  }
  ScrollBar::Input scroll_bar(const Area& area) const {
    return {area, input.panel.scale, theme().text_dim, is_hovered};
  }
  // The width of a column's title, and of the visible part of its content, in logical pixels.
  float title_width(size_t column) const;  // with room for the arrow
  float fitted_width(size_t column, uint64_t first_row, uint64_t rows_seen) const;
  void draw_cell(uint64_t row, const TableRow& state, size_t column, float y);
  void draw_footer();
};

}  // namespace weft::app

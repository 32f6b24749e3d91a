#include "app/panels/lane_tree.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace weft::app {
namespace {

using layout::DisplayRow;

// The rows of one lane that are visible, as one line of the tree.
struct Line {
  const DisplayRow* first = nullptr;
  float y0 = 0, y1 = 0;  // on the screen, of what is visible of it
};

constexpr float kIndentPx = 14;

void draw_fold_mark(const PanelInput& input, ImVec2 middle, bool is_folded, bool is_hovered) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float r = 3.5F * input.scale;
  const ImU32 color = is_hovered ? input.theme.text : input.theme.text_dim;
  if (is_folded) {
    list.AddTriangleFilled({middle.x - r * 0.6F, middle.y - r}, {middle.x - r * 0.6F, middle.y + r},
                           {middle.x + r * 0.9F, middle.y}, color);
  } else {
    list.AddTriangleFilled({middle.x - r, middle.y - r * 0.6F}, {middle.x + r, middle.y - r * 0.6F},
                           {middle.x, middle.y + r * 0.9F}, color);
  }
}

void draw_line(const PanelInput& input, const Area& area, const Line& line, PanelOutput& output) {
  const DisplayRow& row = *line.first;
  const TraceModel& model = *input.model;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Area bounds = {area.x0, line.y0, area.x1, line.y1};
  const bool is_hovered = ImGui::IsWindowHovered() && bounds.contains(mouse);
  const bool is_folded = row.kind == DisplayRow::Kind::kSummary;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (is_hovered && row.can_fold) {
    list.AddRectFilled({bounds.x0, bounds.y0}, {bounds.x1, bounds.y1}, input.theme.stripe);
  }

  const float font_px = ImGui::GetFontSize();
  const float text_y =
      line.y0 + std::max(0.0F, (std::min(line.y1 - line.y0, row.height) - font_px) / 2);
  const float x = area.x0 + (8 + kIndentPx * std::min<float>(row.indent, 8)) * input.scale;
  const ImVec2 mark = {x + 4 * input.scale, text_y + font_px / 2};
  if (row.can_fold) draw_fold_mark(input, mark, is_folded, is_hovered);
  const bool is_group = row.kind != DisplayRow::Kind::kRow;
  const std::string label =
      layout::label_of(model.trace->dictionary(), model.trace->rows(), model.lanes, row);
  const float text_x = x + 14 * input.scale;
  const float width = ImGui::CalcTextSize(label.data(), label.data() + label.size()).x;
  const float room = area.x1 - text_x - 8 * input.scale;
  draw_printable(list, {text_x, text_y},
                 is_group ? input.theme.text : faded(input.theme.text, 0.85F), label, width, room);
  if (!is_hovered) return;
  const bool on_mark = mouse.x < text_x;
  if (width > room && !on_mark) {
    ImGui::BeginTooltip();
    show_text(label);
    ImGui::EndTooltip();
  }
  if (!row.can_fold) return;
  if ((on_mark || is_group) ? ImGui::IsMouseClicked(ImGuiMouseButton_Left)
                            : ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    output.commands.push_back({"lane.toggle", {{"lane", row.lane.value()}}});
  }
}

}  // namespace

void draw_lane_tree(const PanelInput& input, const Area& area, double scroll_px,
                    PanelOutput& output) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({area.x0, area.y0}, {area.x1, area.y1}, true);
  const auto y_of = [&](double y) { return area.y0 + static_cast<float>(y - scroll_px); };
  const bool is_small = input.session.row_height_px < 15;
  ImGui::PushFont(is_small ? input.fonts.small : input.fonts.body);
  const float least = ImGui::GetFontSize() * 0.8F;

  // A name whose line is too low for it is left out; hovering and zooming rows bring it back.
  float free_from = area.y0 - 1;
  Line line;
  const auto finish = [&] {
    if (!line.first) return;
    if (line.first->is_first && line.first->indent == 0 && line.y0 > area.y0) {
      list.AddLine({area.x0, std::floor(line.y0) + 0.5F}, {area.x1, std::floor(line.y0) + 0.5F},
                   input.theme.border);
    }
    if (line.y1 - line.y0 >= least && line.y0 >= free_from - 3) {
      draw_line(input, area, line, output);
      free_from = line.y0 + ImGui::GetFontSize();
    }
  };
  const double bottom = scroll_px + static_cast<double>(area.height());
  for (const DisplayRow& row : input.model->lanes.visible(scroll_px, bottom)) {
    const float y0 = std::max(area.y0, y_of(row.y));
    const float y1 = y_of(row.y + row.height);
    const bool is_variable = row.kind == DisplayRow::Kind::kRow &&
                             input.model->trace->row(row.row).kind == store::RowKind::kVariable;
    if (line.first && line.first->lane == row.lane && !is_variable) {
      line.y1 = y1;
      continue;
    }
    finish();
    line = {&row, y0, y1};
  }
  finish();
  ImGui::PopFont();
  list.PopClipRect();
}

}  // namespace weft::app

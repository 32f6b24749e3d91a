#include "app/panels/timeline/lane_tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "app/panels/drag.h"
#include "app/panels/hairline.h"
#include "app/panels/menu_item.h"
#include "app/panels/text_field.h"
#include "app/panels/timeline/selected_lanes.h"
#include "app/session/losses.h"
#include "core/base/text.h"
#include "core/base/value_text.h"

namespace weft::app {
namespace {

using layout::DisplayRow;

constexpr float kIndentPx = 14;

// The line above `row` of the lane or group that it is in; null: it is a root.
const DisplayRow* parent_of(const layout::Lanes& lanes, const DisplayRow* row) {
  const uint16_t indent = row->indent;
  while (row != lanes.rows().data() && row->indent >= indent) --row;
  return row->indent < indent ? lanes.line_of(row->lane) : nullptr;
}

// The line itself or the one above it that is a sibling of `lane`; null: there is none.
const DisplayRow* sibling_above(const layout::Lanes& lanes, const DisplayRow* row, LaneId lane) {
  const DisplayRow* dragged = lanes.line_of(lane);
  if (!dragged) return nullptr;
  while (row && row->indent > dragged->indent) row = parent_of(lanes, row);
  const bool is_sibling =
      row && row->indent == dragged->indent && parent_of(lanes, row) == parent_of(lanes, dragged);
  return is_sibling ? row : nullptr;
}

// The sibling that stands after it on the screen; none: it is the last.
LaneId sibling_after(const layout::Lanes& lanes, const DisplayRow* row) {
  const LaneId from = row->lane;
  const uint16_t indent = row->indent;
  const auto rows = lanes.rows();
  for (; row != rows.data() + rows.size() && row->indent >= indent; ++row) {
    if (row->indent == indent && row->lane != from) return row->lane;
  }
  return LaneId::none();
}

// The place of a lane that is dragged beyond its siblings: the first among them, or the last, at
// that edge.
struct FamilyEnd {
  layout::LaneMove move;
  double edge = 0;
};
std::optional<FamilyEnd> family_end(const layout::Lanes& lanes, const DisplayRow* row,
                                    LaneId lane) {
  const DisplayRow* dragged = lanes.line_of(lane);
  if (!dragged) return std::nullopt;
  const auto rows = lanes.rows();
  const auto is_within = [&](const DisplayRow& at) { return at.indent >= dragged->indent; };
  if (row->y > dragged->y) {
    if (sibling_after(lanes, dragged).is_none()) return std::nullopt;
    const DisplayRow* last = dragged;
    while (last + 1 != rows.data() + rows.size() && is_within(last[1])) ++last;
    return FamilyEnd{{lane, LaneId::none()}, last->y + last->height};
  }
  const DisplayRow* first = dragged;
  for (const DisplayRow* at = dragged; at != rows.data() && is_within(at[-1]); --at) {
    if (at[-1].indent == dragged->indent) first = at - 1;
  }
  if (first->lane == lane) return std::nullopt;
  return FamilyEnd{{lane, first->lane}, lanes.line_of(first->lane)->y};
}

// From the line of `lane` to that of `last`, which is where the next such list ends, too.
Command selection_of_lines(const layout::Lanes& lanes, LaneId lane, LaneId last) {
  const DisplayRow* from = lanes.line_of(lane);
  const DisplayRow* to = lanes.line_of(last);
  if (!to) to = from;
  Json numbers = Json::array();
  for (const ptrdiff_t step = from <= to ? 1 : -1;; from += step) {
    const bool holds_others = from->kind == DisplayRow::Kind::kHeader;
    if (from->is_first && !holds_others) numbers.push_back(from->lane.value());
    if (from == to) break;
  }
  return {"select.lanes", {{"lanes", std::move(numbers)}}};
}

bool is_group_line(const DisplayRow& row) {
  return row.kind == DisplayRow::Kind::kSummary ||
         (row.kind == DisplayRow::Kind::kHeader && row.can_fold);
}

// The room that values of a variable take beside its name, whichever is shown: a name that is cut
// anew with each number of digits would flicker. Those of merged samples are two.
float room_of_value(const store::Row& row, float shown) {
  const float one =
      std::max(text_width(format_value(row.min_value)), text_width(format_value(row.max_value)));
  if (shown <= one) return one;
  const float short_one = std::max(text_width(format_short_value(row.min_value)),
                                   text_width(format_short_value(row.max_value)));
  return std::max(shown, 2 * std::min(one, short_one) + text_width(" … "));
}

float indent_of(const PanelInput& input, const DisplayRow& row) {
  const int depth = std::min(depth_of_line(input, row), 8);
  return (8 + kIndentPx * static_cast<float>(depth)) * input.scale;
}

}  // namespace

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

void LaneTree::draw(const PanelInput& input, const layout::Lanes& lanes, const Area& area,
                    double scroll_px, const ValueOf& value_of, PanelOutput& output) {
  hits_.update(input);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({area.x0, area.y0}, {area.x1, area.y1}, true);
  const auto y_of = [&](double y) { return area.y0 + static_cast<float>(y - scroll_px); };
  const bool is_small = input.session.look.row_height_px < 15;
  ImGui::PushFont(is_small ? input.fonts.small : input.fonts.body);
  const float least = ImGui::GetFontSize() * 0.8F;

  // A name whose line is too low for it is left out; it is told where one points at the line.
  float free_from = area.y0 - 1;
  const SelectedLanes selected(input);
  Line line;
  const auto finish_line = [&](float end) {
    if (!line.first) return;
    line.end = end;
    if (line.first->is_first && line.first->indent == 0 && line.y0 > area.y0) {
      // Aligned with the lines in the picture beside it.
      draw_hairline_across(list, line.y0 - 1, area.x0, area.x1, input.theme.border);
    }
    const bool is_named = line.y1 - line.y0 >= least && line.y0 >= free_from - 3;
    if (is_named) {
      draw_line(input, area, line, value_of);
      free_from = line.y0 + ImGui::GetFontSize();
    }
    const Area bounds = {area.x0, line.y0, area.x1, std::min(line.end, area.y1)};
    if (bounds.contains(ImGui::GetIO().MousePos) && ImGui::IsWindowHovered()) {
      const bool is_on_mark =
          ImGui::GetIO().MousePos.x < area.x0 + indent_of(input, *line.first) + 14 * input.scale;
      handle_line(input, line, is_on_mark, output);
      if (!is_named && !drag_) tell_name(input, line.first->lane);
    }
    if (drag_ && bounds.contains(ImGui::GetIO().MousePos)) follow_drag(input, area, line);
  };
  const double bottom = scroll_px + static_cast<double>(area.height());
  for (const DisplayRow& row : lanes.visible(scroll_px, bottom)) {
    const float y0 = std::max(area.y0, y_of(row.y));
    const float y1 = y_of(row.y + row.height);
    const bool stands_alone = has_own_line(input, row);
    if (line.first && line.first->lane == row.lane && !stands_alone) {
      line.y1 = y1;
      continue;
    }
    finish_line(y0);
    // The name of a lane stays visible while its first rows are scrolled away.
    const DisplayRow* named = stands_alone ? &row : lanes.line_of(row.lane);
    line = {named ? named : &row, &lanes, y0, y1, y1};
    line.is_below_selected = !selected.are_all() && selected.has(row.lane);
  }
  finish_line(line.y1);
  ImGui::PopFont();
  list.PopClipRect();
}

void LaneTree::tell_name(const PanelInput& input, LaneId lane) {
  const layout::LaneGroup* group = layout::find_group(input.trace->arrangement().groups, lane);
  tell(input, lane, group ? group->name : input.model->trace->dictionary().path_text(lane));
}

void LaneTree::tell(const PanelInput& input, LaneId lane, const std::string& name,
                    uint32_t rows_left_out) {
  ImGui::BeginTooltip();
  show_text(name);
  if (rows_left_out > 0)
    show_text(
        counted(rows_left_out, "row") + " not drawn while it is folded: deeper states, variables",
        input.theme.text_dim);
  if (has_overlaps(input.model->trace->dictionary().report, lane))
    show_text("states here overlap and lie in none of each other: they have rows of their own",
              input.theme.text_dim);
  ImGui::EndTooltip();
}

void LaneTree::draw_line(const PanelInput& input, const Area& area, const Line& line,
                         const ValueOf& value_of) {
  const DisplayRow& row = *line.first;
  const TraceModel& model = *input.model;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Area bounds = {area.x0, line.y0, area.x1, line.y1};
  const Area reach = {area.x0, line.y0, area.x1, line.end};
  const bool is_hovered = ImGui::IsWindowHovered() && reach.contains(mouse);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool is_selected = layout::has_lane(input.trace->selected_lanes, row.lane);
  if (is_selected || line.is_below_selected || is_hovered) {
    list.AddRectFilled({bounds.x0, bounds.y0}, {bounds.x1, bounds.y1},
                       is_selected              ? input.theme.selection
                       : line.is_below_selected ? faded(input.theme.selection, 0.5F)
                                                : input.theme.stripe);
  }
  const Reveal& reveal = input.trace->last_reveal();
  const bool is_gone_to =
      reveal.is_lane_alone && reveal.lane == row.lane && row.is_first && reveal.serial != left_;
  if (is_gone_to) {
    list.AddRectFilled({bounds.x0, bounds.y0}, {bounds.x1, bounds.y1}, input.theme.stripe);
    list.AddRectFilled({bounds.x0, bounds.y0}, {bounds.x0 + 3 * input.scale, bounds.y1},
                       input.theme.accent);
  }
  const float font_px = ImGui::GetFontSize();
  const float text_y =
      line.y0 + std::max(0.0F, (std::min(line.y1 - line.y0, row.height) - font_px) / 2);
  const float x = area.x0 + indent_of(input, row);
  const bool is_folded = row.kind == DisplayRow::Kind::kSummary;
  if (row.can_fold) {
    draw_fold_mark(input, {x + 4 * input.scale, text_y + font_px / 2}, is_folded, is_hovered);
  }
  const bool is_group = is_group_line(row);
  const std::string label = layout::label_of(model.trace->dictionary(), model.trace->rows(),
                                             *line.lanes, row, model.is_flat());
  const float text_x = x + 14 * input.scale;
  const float width = text_width(label);
  float right = draw_hits(input, row, area.x1 - 8 * input.scale, text_y);
  if (is_variable(input, row)) {
    const auto& values = model.trace->row(row.row);
    const bool has_axis = !layout::has_words(model.trace->dictionary(), values);
    if (has_axis) right = draw_value_axis(input, row, right, line.y1);
    // The axis already shows the value of a constant.
    const bool is_asked = value_of && (!has_axis || values.max_value > values.min_value);
    if (const std::string value = is_asked ? value_of(row) : ""; !value.empty()) {
      const float value_width = text_width(value);
      draw_printable(list, {right - value_width, text_y}, input.theme.text, value, value_width,
                     value_width);
      const float kept = has_axis ? room_of_value(values, value_width) : value_width;
      right -= kept + 6 * input.scale;
    }
  }
  const float room = right - text_x;
  const bool is_dragged = drag_ && drag_->has_moved && drag_->lane == row.lane;
  const std::string& shown =
      width > room ? labels_.cut(input, *line.lanes, row, label, room) : label;
  draw_printable(list, {text_x, text_y},
                 is_dragged ? input.theme.accent
                 : is_group ? input.theme.text
                            : faded(input.theme.text, 0.85F),
                 shown, text_width(shown), room);
  const bool is_on_name = is_hovered && mouse.x >= text_x && !drag_;
  const uint32_t left_out = row.is_summary() ? line.lanes->summary(row).rows_of_others : 0;
  const bool has_more = left_out > 0 || has_overlaps(model.trace->dictionary().report, row.lane);
  if (is_on_name && (width > room || has_more)) tell(input, row.lane, label, left_out);
}

// The lane's count, left of `right`; where it begins.
float LaneTree::draw_hits(const PanelInput& input, const DisplayRow& row, float right,
                          float y) const {
  const bool has_hits = row.is_first && hits_.are_counted();
  const uint64_t hits = has_hits ? hits_.of(row.lane) : 0;
  if (hits == 0) return right;
  const std::string text = format_count(hits);
  const float width = text_width(text);
  draw_printable(*ImGui::GetWindowDrawList(), {right - width, y}, input.theme.accent, text, width,
                 width);
  return right - width - 6 * input.scale;
}

// Draws the values at the top and the bottom of a variable's curve, left of `right`; returns their
// left edge.
float LaneTree::draw_value_axis(const PanelInput& input, const DisplayRow& row, float right,
                                float bottom) {
  const auto& values = input.model->trace->row(row.row);
  ImGui::PushFont(input.fonts.small);
  const float font_px = ImGui::GetFontSize();
  // So that what stands left of them is aligned, whatever they are.
  const float least_width = text_width("-0.00");
  float left = right;
  const auto draw = [&](const std::string& text, float y) {
    const float width = text_width(text);
    draw_printable(*ImGui::GetWindowDrawList(), {right - width, std::floor(y)},
                   input.theme.text_dim, text, width, width);
    left = std::min(left, right - std::max(width, least_width) - 6 * input.scale);
  };
  const bool is_constant = !(values.max_value > values.min_value);
  std::string least = format_short_value(values.min_value);
  std::string most = format_short_value(values.max_value);
  const bool is_exact =
      std::strtod(fmt::format("{:.3g}", values.max_value).c_str(), nullptr) == values.max_value;
  // As short as that they cannot be told apart, or a constant would become another one.
  if (least == most && !(is_constant && is_exact)) {
    least = format_value(values.min_value);
    most = format_value(values.max_value);
  }
  if (is_constant) {
    draw(most, bottom - (row.height + font_px) / 2);
  } else if (row.height >= 2 * font_px) {
    draw(most, bottom - row.height);
    draw(least, bottom - font_px);
  }
  ImGui::PopFont();
  return left;
}

void LaneTree::handle_line(const PanelInput& input, const Line& line, bool is_on_mark,
                           PanelOutput& output) {
  const DisplayRow& row = *line.first;
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    menu_.open(row.lane);
  }
  const bool is_group = is_group_line(row);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    if (io.KeyCtrl) {
      output.commands.push_back(lane_command("select.toggle_lane", row.lane));
      return;
    }
    if (const auto& selected = input.trace->selected_lanes; io.KeyShift && !selected.empty()) {
      output.commands.push_back(selection_of_lines(*line.lanes, row.lane, selected.back()));
      return;
    }
    const bool folds_on_click = row.can_fold && (is_on_mark || is_group);
    drag_ = Drag{row.lane, folds_on_click, is_on_mark, io.MousePos.y};
  }
  const bool is_name = !is_on_mark && !is_group;
  if (row.can_fold && is_name && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    output.commands.push_back(lane_command("lane.toggle", row.lane));
  }
}

// The place where the lane would be dropped: before the sibling under the pointer or, in its lower
// half, after it; beyond all siblings, first or last.
void LaneTree::follow_drag(const PanelInput& input, const Area& area, const Line& line) {
  const float y = ImGui::GetIO().MousePos.y;
  drag_->has_moved |= is_drag(y - drag_->from_y, input.scale);
  drag_->drop.reset();
  if (!drag_->has_moved || drag_->is_on_mark) return;
  const auto draw_edge = [&](float edge) {
    ImGui::GetWindowDrawList()->AddLine({area.x0 + 4 * input.scale, std::floor(edge)},
                                        {area.x1, std::floor(edge)}, input.theme.accent,
                                        2 * input.scale);
  };
  const DisplayRow* sibling = sibling_above(*line.lanes, line.first, drag_->lane);
  if (!sibling) {
    const auto end = family_end(*line.lanes, line.first, drag_->lane);
    if (!end) return;
    drag_->drop = end->move;
    const auto edge = static_cast<float>(end->edge - line.first->y) + line.y0;
    return draw_edge(std::clamp(edge, area.y0 + 2 * input.scale, area.y1 - 2 * input.scale));
  }
  if (sibling->lane == drag_->lane) return;
  const bool is_after =
      sibling->lane != line.first->lane || y > (line.y0 + line.y1) / 2;  // below its first line
  const LaneId before = is_after ? sibling_after(*line.lanes, sibling) : sibling->lane;
  if (before == drag_->lane) return;
  drag_->drop = layout::LaneMove{drag_->lane, before};
  const DisplayRow* at = before.is_none() ? nullptr : line.lanes->line_of(before);
  draw_edge(at && at == line.first ? line.y0 : line.y1);
}

LaneTree::DragScroll LaneTree::drag_scroll(const PanelInput& input, const Area& area) const {
  if (!drag_ || !drag_->has_moved || drag_->is_on_mark || is_pinned(input, drag_->lane)) return {};
  constexpr float kEdgePx = 24, kMostPx = 96, kPxPerSecondAndPx = 10, kMostSeconds = 0.05F;
  const float y = ImGui::GetIO().MousePos.y;
  const float edge = std::min(kEdgePx * input.scale, area.height() / 4);
  const float beyond = y < area.y0 + edge   ? y - (area.y0 + edge)
                       : y > area.y1 - edge ? y - (area.y1 - edge)
                                            : 0;
  const float most = kMostPx * input.scale;
  const float seconds = std::min(ImGui::GetIO().DeltaTime, kMostSeconds);
  const float px = std::clamp(beyond, -most, most) * kPxPerSecondAndPx * seconds;
  return {static_cast<double>(px), drag_->gesture};
}

void LaneTree::finish(const PanelInput& input, PanelOutput& output) {
  if (ImGui::IsAnyMouseDown() || ImGui::GetIO().MouseWheel != 0)
    left_ = input.trace->last_reveal().serial;
  menu_.draw(input, output);
  if (!drag_ || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  if (!drag_->has_moved && drag_->can_fold) {
    output.commands.push_back(lane_command("lane.toggle", drag_->lane));
  } else if (drag_->has_moved && drag_->drop) {
    // What is kept at the top has an order of its own.
    Command move =
        lane_command(is_pinned(input, drag_->lane) ? "lane.pin" : "lane.move", drag_->lane);
    if (!drag_->drop->before.is_none()) move.args["before"] = drag_->drop->before.value();
    output.commands.push_back(std::move(move));
  }
  drag_.reset();
}

// Draws the mouse mode, left of `right`; returns its width.
float LaneTree::draw_mode(const PanelInput& input, const Area& area, float right,
                          PanelOutput& output) const {
  const char* title = kMouseModes[static_cast<size_t>(input.session.mouse_mode)].title;
  const float pad = 6 * input.scale;
  const float width = text_width(title) + 2 * pad;
  ImGui::SetCursorScreenPos({right - width, area.y0});
  if (ImGui::InvisibleButton("mode", {width, area.height()})) ImGui::OpenPopup("modes");
  if (ImGui::IsItemHovered()) {
    ImGui::BeginTooltip();
    show_text("What the left button of the mouse does: click to choose");
    ImGui::EndTooltip();
  }
  draw_text(*ImGui::GetWindowDrawList(),
            {right - width + pad, std::floor((area.y0 + area.y1 - ImGui::GetFontSize()) / 2)},
            ImGui::IsItemHovered() ? input.theme.text : input.theme.accent, title, width);
  if (ImGui::BeginPopup("modes")) {
    show_text("The left button of the mouse", input.theme.text_dim);
    for (size_t i = 0; i < kMouseModes.size(); ++i) {
      const bool is_now = static_cast<size_t>(input.session.mouse_mode) == i;
      const Command set = {"mouse.mode", {{"mode", kMouseModes[i].name}}};
      offer(input.session, {set, kMouseModes[i].title, is_now}, output.commands);
    }
    ImGui::EndPopup();
  }
  return width;
}

// Escape and the sign at its right clear it: Dear ImGui's Escape would bring back what there was.
void LaneTree::draw_filter(const PanelInput& input, float width, PanelOutput& output) {
  const bool has_text = filter_[0] != '\0';
  const float height = ImGui::GetFrameHeight(), sign = has_text ? height : 0;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg),
                     ImGui::GetStyle().FrameRounding);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
  ImGui::SetNextItemWidth(width - sign);
  bool is_changed =
      ImGui::InputTextWithHint("##lanes", "Filter lanes", filter_.data(), filter_.size());
  ImGui::PopStyleColor();
  if (ImGui::IsItemActivated()) filter_gesture_ = new_gesture();
  const bool was_editing = std::exchange(is_editing_, ImGui::IsItemActive());
  bool clears = was_editing && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  if (has_text) {
    ImGui::SetCursorScreenPos({at.x + width - sign, at.y});
    clears |= ImGui::InvisibleButton("clear", {sign, height});
    const float x = at.x + width - std::round((sign + text_width("×")) / 2);
    draw_text(list, {x, at.y + std::round((height - ImGui::GetFontSize()) / 2)},
              ImGui::IsItemHovered() ? input.theme.text : input.theme.text_dim, "×", sign);
  }
  if (clears) {
    is_changed = has_text || !input.trace->arrangement().filter.empty();
    filter_[0] = '\0';
  }
  if (is_changed)
    output.commands.push_back({"lane.filter", {{"text", filter_.data()}}, filter_gesture_});
}

void LaneTree::draw_corner(const PanelInput& input, const Area& area, PanelOutput& output) {
  const uint32_t left_out = input.model->lanes_left_out;
  const uint32_t eventless = input.model->order.eventless;
  const uint32_t rows_left_out = input.model->rows_left_out;
  const std::string note = left_out > 0        ? format_count(left_out) + " hidden"
                           : rows_left_out > 0 ? counted(rows_left_out, "row") + " hidden"
                                               : "";
  // Lanes that nobody hid, and that hold nothing, are no reason to warn.
  const bool is_only_eventless = left_out == eventless && rows_left_out == 0;
  const ImU32 color = is_only_eventless ? input.theme.text_dim : input.theme.warning;
  ImGui::PushFont(input.fonts.small);
  const float pad = 6 * input.scale;
  const float note_width = note.empty() ? 0 : text_width(note) + 2 * pad;
  const float mode_width = draw_mode(input, area, area.x1 - note_width, output);
  const float box = area.width() - note_width - mode_width - 2 * pad;
  const std::string& filter = input.trace->arrangement().filter;
  // Another command may have changed it.
  if (!is_editing_ && filter != filter_.data()) copy_into(filter, filter_);
  if (box > 40 * input.scale) {
    const float frame = std::round(3 * input.scale);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {pad, frame});
    ImGui::SetCursorScreenPos(
        {area.x0 + pad, std::floor((area.y0 + area.y1 - ImGui::GetFontSize()) / 2 - frame)});
    draw_filter(input, box, output);
    ImGui::PopStyleVar();
  }
  if (!note.empty()) {
    ImGui::SetCursorScreenPos({area.x1 - note_width, area.y0});
    if (ImGui::InvisibleButton("hidden", {note_width, area.height()})) {
      output.commands.push_back({"lane.show_all"});
    }
    if (ImGui::IsItemHovered()) {
      ImGui::BeginTooltip();
      show_text(counted(left_out, "lane") + " hidden: a click shows them all");
      if (eventless > 0) show_text(counted(eventless, "lane") + " without any event");
      if (rows_left_out > 0)
        show_text("Nothing passes the filter in " + counted(rows_left_out, "row"));
      ImGui::EndTooltip();
    }
    draw_text(
        *ImGui::GetWindowDrawList(),
        {area.x1 - note_width + pad, std::floor((area.y0 + area.y1 - ImGui::GetFontSize()) / 2)},
        ImGui::IsItemHovered() ? input.theme.text : color, note, note_width);
  }
  ImGui::PopFont();
}

}  // namespace weft::app

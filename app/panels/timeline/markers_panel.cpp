#include "app/panels/timeline/markers_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/panels/text_field.h"
#include "app/panels/timeline/marker_layer.h"
#include "app/panels/timeline/time_axis.h"
#include "app/panels/toolbar.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr int kExactDigits = 15;  // more are none that a double has

void draw_cursors(const PanelInput& input, PanelOutput& output) {
  const Markers& markers = input.trace->markers;
  if (!markers.a() && !markers.b()) return;
  const auto line = [&](const char* name, std::optional<Time> time) {
    if (!time) return;
    show_text(name, input.theme.warning);
    ImGui::SameLine(64 * input.scale);
    show_text(exact_label(*time, *input.trace));
  };
  line("A", markers.a());
  line("B", markers.b());
  if (markers.a() && markers.b()) {
    const Duration difference = *markers.b() - *markers.a();
    show_text("B − A", input.theme.text_dim);
    ImGui::SameLine(64 * input.scale);
    show_text((difference < Duration{} ? "−" : "") +
              length_label(difference < Duration{} ? *markers.a() - *markers.b() : difference,
                           *input.trace, kExactDigits));
    ImGui::SameLine();
    if (small_button("Copy")) {
      ImGui::SetClipboardText(length_label(difference, *input.trace, kExactDigits).c_str());
    }
  }
  ImGui::Spacing();
  if (small_button("Remove A and B")) output.commands.push_back({"marker.clear_cursors"});
  ImGui::Separator();
}

// Draws what the marker was set on: a flag for a time or a range, otherwise a sign like the
// element.
void draw_icon(const PanelInput& input, const Marker& marker, ImVec2 at, float r) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color = color_of(input, marker);
  const float line = r / 4;
  if (!marker.element) {
    list.AddLine({at.x - r, at.y - r}, {at.x - r, at.y + r}, color, line);
    list.AddTriangleFilled({at.x - r, at.y - r}, {at.x + r, at.y - r / 2}, {at.x - r, at.y}, color);
    return;
  }
  switch (marker.element->kind) {
    case store::RowKind::kState:
      list.AddRectFilled({at.x - r, at.y - r / 2}, {at.x + r, at.y + r / 2}, color);
      break;
    case store::RowKind::kPunctual:
      list.AddNgonFilled(at, r, color, 4);
      break;
    case store::RowKind::kVariable:
      list.AddRectFilled({at.x - r, at.y}, {at.x, at.y + r}, color);
      list.AddRectFilled({at.x, at.y - r}, {at.x + r, at.y + r}, color);
      break;
    case store::RowKind::kLinkOut:
    case store::RowKind::kLinkIn:
      list.AddRectFilled({at.x - r, at.y - r / 2}, {at.x, at.y + r / 2}, color);
      list.AddLine(at, {at.x + r, at.y}, color, line);
      list.AddTriangleFilled({at.x + r / 2, at.y - r / 2}, {at.x + 1.4F * r, at.y},
                             {at.x + r / 2, at.y + r / 2}, color);
      break;
  }
}

// A cursor is a marker without a colour.
Sheet sheet_of(const Markers& markers) {
  std::vector<Marker> all = markers.all();
  const auto add_cursor = [&](const char* name, std::optional<Time> time) {
    if (!time) return;
    Marker cursor;
    cursor.range = {*time, *time};
    cursor.name = name;
    all.push_back(std::move(cursor));
  };
  add_cursor("A", markers.a());
  add_cursor("B", markers.b());
  return sheet_of_cells({"begin", "end", "name", "note", "color", "every"}, all.size(),
                        [all](uint64_t row, size_t column) -> Cell {
                          const Marker& marker = all[row];
                          switch (column) {
                            case 0:
                              return marker.range.begin.ticks;
                            case 1:
                              return marker.range.end.ticks;
                            case 2:
                              return marker.name;
                            case 3:
                              return marker.note;
                            case 4:
                              if (marker.id == 0) return {};
                              return fmt::format("#{:06x}", kMarkerColors[marker.color]);
                            default:
                              return marker.every.ticks;
                          }
                        });
}

}  // namespace

void MarkersPanel::edit(const Marker& marker) {
  edited_ = marker.id;
  copy_into(marker.name, name_);
  copy_into(marker.note, note_);
  const bool is_once = marker.every == Duration{};
  copy_into(is_once ? "" : std::to_string(marker.every.ticks), every_);
}

void MarkersPanel::draw_editor(const PanelInput& input, const Marker& marker, PanelOutput& output) {
  const auto change = [&](const char* key, Json value) {
    output.commands.push_back({"marker.change", {{"id", marker.id}, {key, std::move(value)}}});
  };
  ImGui::SetNextItemWidth(-1);
  if (std::exchange(takes_focus_, false)) {
    ImGui::SetScrollHereY();
    focus_next_field();
  }
  ImGui::InputTextWithHint("##name", "name", name_.data(), name_.size());
  if (ImGui::IsItemDeactivatedAfterEdit()) change("name", name_.data());
  ImGui::InputTextMultiline("##note", note_.data(), note_.size(),
                            {-1, 3.5F * ImGui::GetTextLineHeightWithSpacing()});
  if (ImGui::IsItemDeactivatedAfterEdit()) change("note", note_.data());
  if (note_[0] == 0 && !ImGui::IsItemActive()) {
    const ImVec2 at = ImGui::GetItemRectMin(), pad = ImGui::GetStyle().FramePadding;
    draw_text(*ImGui::GetWindowDrawList(), {at.x + pad.x, at.y + pad.y}, input.theme.text_dim,
              "a note", ImGui::GetItemRectSize().x);
  }
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##every", "again every … (5ms; empty: once)", every_.data(),
                           every_.size());
  if (ImGui::IsItemDeactivatedAfterEdit()) {
    change("every", every_[0] == 0 ? Json(0) : Json(every_.data()));
  }
  for (size_t i = 0; i < kMarkerColors.size(); ++i) {
    if (i > 0) ImGui::SameLine(0, 4 * input.scale);
    ImGui::PushID(static_cast<int>(i));
    const ImVec4 color = ImGui::ColorConvertU32ToFloat4(marker_color(input, i));
    if (ImGui::ColorButton("##color", color, ImGuiColorEditFlags_NoTooltip)) change("color", i);
    ImGui::PopID();
  }
  if (small_button("Done")) edited_ = 0;
  ImGui::SameLine();
  if (small_button("Remove")) {
    output.commands.push_back({"marker.remove", {{"id", marker.id}}});
  }
}

void MarkersPanel::draw_marker(const PanelInput& input, const Marker& marker, const Marker* before,
                               PanelOutput& output) {
  ImGui::PushID(static_cast<int>(marker.id));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float height = line * (marker.note.empty() ? 2 : 3) + 2 * input.scale;
  if (ImGui::InvisibleButton("marker", {width, height})) {
    output.commands.push_back({"marker.show", {{"id", marker.id}}});
    edit(marker);
  }
  const bool is_hovered = ImGui::IsItemHovered();
  if (before) show_help("+ is the time since the marker above");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (is_hovered) {
    list.AddRectFilled(at, {at.x + width, at.y + height}, input.theme.selection, 3 * input.scale);
  }
  const float bar = 4 * input.scale;
  list.AddRectFilled({at.x, at.y + bar}, {at.x + bar, at.y + height - bar}, color_of(input, marker),
                     2 * input.scale);
  const float icon = ImGui::GetFontSize() / 3;
  draw_icon(input, marker,
            {at.x + 2 * bar + icon, at.y + 2 * input.scale + ImGui::GetFontSize() / 2}, icon);
  const float x = at.x + 3 * bar + 2.4F * icon;
  const float room = at.x + width - x;
  draw_text(list, {x, at.y + 2 * input.scale}, input.theme.text,
            marker.name.empty() ? "(no name)" : printable(marker.name, 120), room);
  std::string where = exact_label(marker.range.begin, *input.trace);
  if (before) {
    const Duration since = marker.range.begin - before->range.begin;
    where += "  +" + length_label(since, *input.trace, kExactDigits);
  }
  if (!marker.range.is_empty()) {
    where += "  for " + length_label(marker.range.length(), *input.trace, 6);
  }
  if (marker.every > Duration{}) {
    where += "  every " + length_label(marker.every, *input.trace, 6);
  }
  draw_text(list, {x, at.y + line}, input.theme.text_dim, where, room);
  if (!marker.note.empty()) {
    draw_text(list, {x, at.y + 2 * line}, input.theme.text_dim, printable(marker.note, 200), room);
  }
  if (edited_ == marker.id) draw_editor(input, marker, output);
  ImGui::PopID();
}

void MarkersPanel::draw(const PanelInput& input, PanelOutput& output) {
  begin_content(input.area, {10 * input.scale, 8 * input.scale});
  if (input.trace) {
    const Markers& markers = input.trace->markers;
    offer_sheet(input, "", /*is_stale=*/false, [&] { return sheet_of(markers); }, output);
    draw_cursors(input, output);
    if (const Marker* marker = markers.find(input.session.orders.edited_marker)) {
      edit(*marker);
      takes_focus_ = true;
    }
    const Marker* before = nullptr;
    for (const Marker& marker : markers.all()) {
      draw_marker(input, marker, before, output);
      before = &marker;
    }
    if (markers.is_empty()) {
      Area below = input.area;
      below.y0 = ImGui::GetCursorScreenPos().y;
      draw_notice(
          input, below,
          "No markers: M sets one at the pointer, Shift+M marks what is selected; Alt+click "
          "and Alt+Shift+click set the cursors A and B");
    } else if (small_button("Keep beside the trace")) {
      output.commands.push_back({"marker.keep_beside"});
    }
  }
  ImGui::EndChild();
}

}  // namespace weft::app

#include "app/panels/element/payload_fields.h"

#include <algorithm>
#include <vector>

#include "app/panels/menu_item.h"
#include "app/panels/timeline/lane_tree.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

// The lines that no folded one hides.
std::vector<size_t> visible_lines(const symbols::Fields& fields, const std::set<size_t>& folded) {
  std::vector<size_t> lines;
  for (size_t i = 0; i < fields.lines.size(); ++i) {
    lines.push_back(i);
    if (folded.contains(i)) i += fields.lines[i].below;
  }
  return lines;
}

}  // namespace

ByteRange PayloadFields::draw(const PanelInput& input, const symbols::Fields& fields) {
  ByteRange pointed;
  if (!fields.note.empty()) {
    ImGui::PushTextWrapPos(0);
    show_text(printable(fields.note), input.theme.warning);
    ImGui::PopTextWrapPos();
  }
  const std::vector<size_t> lines = visible_lines(fields, folded_);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines.size()), ImGui::GetTextLineHeightWithSpacing());
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      draw_line(input, fields, lines[static_cast<size_t>(i)], pointed);
  }
  clipper.End();
  if (fields.is_cut) show_text("… cut: there is more", input.theme.text_dim);
  return pointed;
}

void PayloadFields::draw_line(const PanelInput& input, const symbols::Fields& fields, size_t index,
                              ByteRange& pointed) {
  const symbols::FieldLine& line = fields.lines[index];
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
  const float height = ImGui::GetTextLineHeight();
  const float fold_px = 14 * input.scale;
  const float name_x = at.x + fold_px * static_cast<float>(line.level + 1);
  ImGui::PushID(static_cast<int>(index));
  if (ImGui::InvisibleButton("field", {width, height}) && line.below > 0 && !folded_.erase(index))
    folded_.insert(index);
  const bool is_hovered = ImGui::IsItemHovered();
  if (ImGui::BeginPopupContextItem("copy")) {
    if (plain_item("Copy", line.value.empty() ? "it has no value" : ""))
      ImGui::SetClipboardText(line.value.c_str());
    ImGui::EndPopup();
  }
  ImGui::PopID();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (is_hovered) {
    pointed = {line.first_byte, line.first_byte + line.size_bytes};
    list.AddRectFilled(at, {at.x + width, at.y + height}, input.theme.selection, 3 * input.scale);
  }
  if (line.below > 0)
    draw_fold_mark(input, {name_x - fold_px / 2, at.y + height / 2}, folded_.contains(index),
                   is_hovered);
  // Names, values and types in columns that narrow with the panel.
  const float value_x = std::max(at.x + 0.34F * width, name_x + 0.12F * width);
  const float type_x = std::max(at.x + 0.7F * width, value_x + 0.15F * width);
  const float gap = 8 * input.scale;
  const bool is_missing = line.size_bytes == 0 && !line.value.empty();
  draw_text(list, {name_x, at.y}, input.theme.text_dim, line.name, value_x - name_x - gap);
  draw_text(list, {value_x, at.y}, is_missing ? input.theme.warning : input.theme.text, line.value,
            type_x - value_x - gap);
  draw_text(list, {type_x, at.y}, input.theme.text_dim, line.type, at.x + width - type_x);
}

}  // namespace weft::app

// The type that files are opened as, and its options.
#include <algorithm>
#include <cfloat>
#include <string>
#include <vector>

#include "app/window/file_dialog.h"
#include "core/base/text.h"

namespace weft::app {

// The types by category, in the order of their first mention.
void FileDialog::draw_type(const ChromeInput& input) {
  constexpr const char* kByContent = "By their content";
  const auto name_of = [](const formats::Format& type) {
    return printable(type.icon.empty() ? type.name : type.icon + "  " + type.name, 80);
  };
  const float icon_px = 26 * input.scale;
  ImGui::AlignTextToFramePadding();
  show_text("Open as", input.theme.text_dim);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(std::min(260 * input.scale, ImGui::GetContentRegionAvail().x));
  const std::string shown = type_ ? name_of(*type_) : kByContent;
  const std::vector<formats::FormatPtr> types = formats::formats();
  float widest = 0;
  for (const formats::FormatPtr& type : types)
    widest = std::max(widest, text_width(printable(type->name, 80)));
  ImGui::SetNextWindowSizeConstraints({widest + icon_px + 40 * input.scale, 0},
                                      {FLT_MAX, 20 * ImGui::GetTextLineHeightWithSpacing()});
  if (!ImGui::BeginCombo("##type", shown.c_str(), ImGuiComboFlags_HeightLarge)) return;
  const auto offer = [&](const formats::FormatPtr& type, int id) {
    ImGui::PushID(id);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable("##one", type == type_)) {
      type_ = type;
      options_.clear();
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float x = at.x + 8 * input.scale;
    const float name_x = type ? x + icon_px : x;
    if (type) draw_text(list, {x, at.y}, input.theme.text_dim, type->icon, icon_px);
    draw_text(list, {name_x, at.y}, input.theme.text, type ? type->name : kByContent,
              ImGui::GetContentRegionAvail().x);
    ImGui::PopID();
  };
  offer(nullptr, -1);
  std::vector<std::string> categories;
  for (const formats::FormatPtr& type : types) {
    if (std::ranges::find(categories, type->category) == categories.end())
      categories.push_back(type->category);
  }
  for (const std::string& category : categories) {
    show_text(category, input.theme.text_dim);
    for (size_t i = 0; i < types.size(); ++i) {
      if (types[i]->category == category && types[i]->reads) offer(types[i], static_cast<int>(i));
    }
  }
  ImGui::EndCombo();
}

void FileDialog::draw_options(const ChromeInput& input) {
  int id = 0;
  for (const formats::Option& option : type_->options) {
    ImGui::PushID(id++);
    auto [typed, is_new] = options_.try_emplace(option.name);
    if (is_new) option.fallback.copy(typed->second.data(), typed->second.size() - 1);
    ImGui::AlignTextToFramePadding();
    show_text(option.name, input.theme.text_dim);
    ImGui::SameLine(110 * input.scale);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    ImGui::InputText("##option", typed->second.data(), typed->second.size());
    if (ImGui::IsItemHovered()) {
      ImGui::BeginTooltip();
      ImGui::PushTextWrapPos(420 * input.scale);
      show_text(option.about);
      ImGui::PopTextWrapPos();
      ImGui::EndTooltip();
    }
    ImGui::PopID();
  }
}

}  // namespace weft::app

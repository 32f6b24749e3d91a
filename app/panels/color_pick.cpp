#include "app/panels/color_pick.h"

#include <imgui.h>

#include <cmath>
#include <utility>

namespace weft::app {
namespace {

constexpr const char* kPicker = "colour";

}  // namespace

void ColorPick::open_type(const PanelInput& input, const std::string& name, layout::Rgb now) {
  open({name, {"type.color", {{"type", name}}, new_gesture()}, {}, {}},
       *input.session.look.type_colors, now);
}

// Lane colours are kept by the name that distinguishes the lane.
void ColorPick::open_lane(const PanelInput& input, LaneId lane) {
  const std::string& name = input.model->lane_colors->names[lane.value()];
  open({name, {"lane.color", {{"lane", name}}, new_gesture()}, {}, {}},
       *input.session.look.lane_colors, input.model->lane_color(lane));
}

void ColorPick::open(Picked picked, const NamedColors& users, layout::Rgb now) {
  if (const auto color = users.find(picked.name); color != users.end())
    picked.before = color->second;
  for (size_t i = 0; i < picked.color.size(); ++i)
    picked.color[i] = static_cast<float>(now >> (16 - 8 * i) & 0xFF) / 255;
  picked_ = std::move(picked);
  opens_ = true;
}

void ColorPick::draw(const PanelInput& input, PanelOutput& output) {
  if (std::exchange(opens_, false)) ImGui::OpenPopup(kPicker);
  if (!picked_ || !ImGui::BeginPopup(kPicker)) return;
  show_text(short_name(picked_->name, 60), input.theme.text_dim);
  ImGui::SetNextItemWidth(200 * input.scale);
  const auto use = [&](std::optional<layout::Rgb> rgb) {
    Command command = picked_->command;
    if (rgb) command.args["color"] = text_from_rgb(*rgb);
    output.commands.push_back(std::move(command));
  };
  if (ImGui::ColorPicker3("##color", picked_->color.data(), ImGuiColorEditFlags_NoSidePreview)) {
    layout::Rgb rgb = 0;
    for (const float part : picked_->color)
      rgb = rgb << 8 | static_cast<layout::Rgb>(std::lround(part * 255));
    use(rgb);
  }
  if (ImGui::Button("OK")) ImGui::CloseCurrentPopup();
  ImGui::SameLine();
  if (ImGui::Button("Reset")) {
    use(picked_->before);
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  if (ImGui::Button("Its own again")) {
    use(std::nullopt);
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace weft::app

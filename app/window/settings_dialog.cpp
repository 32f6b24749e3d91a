#include "app/window/settings_dialog.h"

#include <fmt/core.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/text_field.h"
#include "app/session/settings.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kTitlePx = 300;       // what is left of the values
constexpr float kLeastValuePx = 140;  // where they have less there, they stand below

std::optional<Json> draw_choice(const ChromeInput& input, const Setting& setting,
                                const std::string& value, bool& is_open) {
  const auto word_of = [](const Choice& choice) {
    return std::string(*choice.title ? std::string_view(choice.title) : choice.id);
  };
  std::vector<std::string> choices;
  std::ranges::transform(setting.choices, std::back_inserter(choices), word_of);
  const auto at = std::ranges::find(setting.choices, value, &Choice::id);
  const auto now = static_cast<size_t>(at - setting.choices.begin());
  const auto chosen = draw_form_list(input, "##value", choices, now, is_open);
  return chosen ? std::optional<Json>(setting.choices[*chosen].id) : std::nullopt;
}

// "px" of "px, 3 to 60"; empty: it has none.
std::string_view unit_of(const Setting& setting) {
  const size_t end = setting.values.find(", ");
  return end == std::string_view::npos ? "" : setting.values.substr(0, end);
}

// "3 to 60 px".
std::string bounds_of(const Setting& setting) {
  const std::string_view unit = unit_of(setting);
  return unit.empty() ? std::string(setting.values)
                      : fmt::format("{} {}", setting.values.substr(unit.size() + 2), unit);
}

std::optional<Json> draw_number(const Setting& setting, double value) {
  const double step = setting.kind == SettingKind::kWhole ? 1 : 0.1;
  const std::string format = fmt::format("%g {}", unit_of(setting));
  if (!ImGui::InputDouble("##value", &value, step, 10 * step, format.c_str(),
                          ImGuiInputTextFlags_EnterReturnsTrue))
    return std::nullopt;
  return value;
}

std::optional<Json> draw_text_setting(const Setting& setting, const std::string& value) {
  std::array<char, 64> text = {};
  copy_into(value, text);
  const std::string hint(setting.values);
  if (!ImGui::InputTextWithHint("##value", hint.c_str(), text.data(), text.size(),
                                ImGuiInputTextFlags_EnterReturnsTrue))
    return std::nullopt;
  return text.data();
}

// Draws the value; returns a new one if the user has just set it.
std::optional<Json> draw_value(const ChromeInput& input, const Setting& setting, bool& is_open) {
  const Json value = setting.get(input.session);
  switch (setting.kind) {
    case SettingKind::kFlag: {
      bool is_set = value.get<bool>();
      draw_form_box(input, "##value", is_set, is_open);
      return is_set == value.get<bool>() ? std::nullopt : std::optional<Json>(is_set);
    }
    case SettingKind::kChoice:
      return draw_choice(input, setting, value.get<std::string>(), is_open);
    case SettingKind::kWhole:
    case SettingKind::kFraction:
      return draw_number(setting, value.get<double>());
    case SettingKind::kText:
      return draw_text_setting(setting, value.get<std::string>());
  }
  return std::nullopt;
}

void draw_setting(const ChromeInput& input, const Setting& setting, bool& is_open) {
  ImGui::PushID(setting.name.data());
  ImGui::AlignTextToFramePadding();
  const float right = ImGui::GetContentRegionMax().x;
  if (right >= (kTitlePx + kLeastValuePx) * input.scale) {
    show_text(setting.title);
    ImGui::SameLine(kTitlePx * input.scale);
  } else {
    show_wrapped(setting.title, input.theme.text);
  }
  ImGui::SetNextItemWidth(-1);
  if (auto wanted = draw_value(input, setting, is_open)) {
    input.commands.push_back({"set", {{"name", setting.name}, {"value", std::move(*wanted)}}});
  }
  const bool is_number =
      setting.kind == SettingKind::kWhole || setting.kind == SettingKind::kFraction;
  show_wrapped(is_number ? fmt::format("{}; {}", setting.help, bounds_of(setting))
                         : std::string(setting.help),
               input.theme.text_dim);
  ImGui::Spacing();
  ImGui::PopID();
}

void draw_place(const ChromeInput& input, const std::filesystem::path& path, std::string_view holds,
                bool& is_open) {
  const std::string shown = printable(path.string(), 0);
  ImGui::PushID(shown.c_str());
  if (draw_form_button(input, "Copy path", {}, is_open)) ImGui::SetClipboardText(shown.c_str());
  ImGui::SameLine();
  show_wrapped(shown, input.theme.text);
  show_wrapped(holds, input.theme.text_dim);
  ImGui::Spacing();
  ImGui::PopID();
}

}  // namespace

void draw_settings(const ChromeInput& input,
                   std::span<const std::pair<std::filesystem::path, std::string_view>> places) {
  bool is_open = true;
  if (begin_dialog(input, "Settings", {560, 560}, &is_open)) {
    for (const Setting& setting : settings()) draw_setting(input, setting, is_open);
    ImGui::Separator();
    ImGui::PushFont(input.fonts.bold);
    show_text(places.empty() ? "Nothing is kept in this run" : "What is kept, and where");
    ImGui::PopFont();
    for (const auto& [path, holds] : places) draw_place(input, path, holds, is_open);
  }
  ImGui::End();
  close_with(input, is_open, "settings.show");
}

}  // namespace weft::app

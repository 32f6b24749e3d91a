// The dialogs of app/window/chrome.h.
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/panels/menu_item.h"
#include "app/window/chrome.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

// The field that was drawn last takes the key for itself, where it would but end the typing.
bool takes_escape() {
  return ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
}

struct TabStop {
  bool is_active;
  bool is_pressed;
};

// Dear ImGui has Tab go from field to field only: one that is not seen stands for what is drawn
// next, at its place.
TabStop begin_tab_stop(const char* title, bool& is_open) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  char nothing[1] = {};
  ImGui::PushID(title);
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0);
  ImGui::SetNextItemWidth(1);
  bool is_pressed =
      ImGui::InputText("##stop", nothing, sizeof nothing,
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_ReadOnly);
  ImGui::PopStyleVar();
  ImGui::PopID();
  if (takes_escape()) is_open = false;
  const bool is_active = ImGui::IsItemActive();
  is_pressed |= is_active && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Space), false);
  ImGui::SetCursorScreenPos(at);
  return {is_active, is_pressed};
}

void end_tab_stop(const ChromeInput& input, const TabStop& stop) {
  if (!stop.is_active) return;
  const float gap = std::round(2 * input.scale);
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  ImGui::GetWindowDrawList()->AddRect({from.x - gap, from.y - gap}, {to.x + gap, to.y + gap},
                                      input.theme.accent, ImGui::GetStyle().FrameRounding + gap, 0,
                                      std::max(1.0F, std::round(1.5F * input.scale)));
}

}  // namespace

bool begin_dialog(const ChromeInput& input, const char* title, ImVec2 size, bool* is_open) {
  const ImVec2 middle = {(input.area.x0 + input.area.x1) / 2, (input.area.y0 + input.area.y1) / 2};
  const ImVec2 room = {std::min(size.x * input.scale, input.area.width() * 0.95F),
                       std::min(size.y * input.scale, input.area.height() * 0.9F)};
  ImGui::SetNextWindowPos(middle, ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSize(room, ImGuiCond_Appearing);
  const bool is_shown =
      ImGui::Begin(title, is_open, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings);
  keep_inside(input.area);
  return is_shown;
}

void begin_form(const ChromeInput& input, const char* title, float width, float at, bool* is_open) {
  width = std::min(width * input.scale, input.area.width() * 0.95F);
  const ImVec2 corner = {std::floor((input.area.x0 + input.area.x1 - width) / 2),
                         std::floor(input.area.y0 + input.area.height() * at)};
  ImGui::SetNextWindowPos(corner, ImGuiCond_Appearing);
  ImGui::SetNextWindowSize({width, 0});
  ImGui::Begin(
      title, is_open,
      ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoResize);
  keep_inside(input.area);
}

bool draw_form_field(const ChromeInput& input, float x, const char* name, const char* hint,
                     std::span<char> text, bool& is_open) {
  ImGui::AlignTextToFramePadding();
  show_text(name, input.theme.text_dim);
  ImGui::SameLine(x * input.scale);
  ImGui::SetNextItemWidth(-1);
  ImGui::PushID(name);
  const bool is_entered = ImGui::InputTextWithHint("##text", hint, text.data(), text.size(),
                                                   ImGuiInputTextFlags_EnterReturnsTrue);
  if (takes_escape()) is_open = false;
  ImGui::PopID();
  return is_entered;
}

bool draw_form_button(const ChromeInput& input, const char* title, ImVec2 size, bool& is_open) {
  const TabStop stop = begin_tab_stop(title, is_open);
  const bool is_clicked = ImGui::Button(title, size);
  end_tab_stop(input, stop);
  return is_clicked || stop.is_pressed;
}

void draw_form_box(const ChromeInput& input, const char* title, bool& value, bool& is_open) {
  const TabStop stop = begin_tab_stop(title, is_open);
  ImGui::Checkbox(title, &value);
  end_tab_stop(input, stop);
  if (stop.is_pressed) value = !value;
}

std::optional<size_t> draw_form_list(const ChromeInput& input, const char* title,
                                     std::span<const std::string> choices, size_t chosen,
                                     bool& is_open) {
  const float width = ImGui::CalcItemWidth();
  const TabStop stop = begin_tab_stop(title, is_open);
  // The popup's name as in BeginCombo().
  if (stop.is_pressed) ImGui::OpenPopup(ImHashStr("##ComboPopup", 0, ImGui::GetID(title)));
  std::optional<size_t> wanted;
  ImGui::SetNextItemWidth(width);
  if (ImGui::BeginCombo(title, choices[chosen].c_str())) {
    for (size_t i = 0; i < choices.size(); ++i) {
      if (ImGui::Selectable(choices[i].c_str(), i == chosen)) wanted = i;
      if (i == chosen) ImGui::SetItemDefaultFocus();
    }
    ImGui::EndCombo();
  }
  end_tab_stop(input, stop);
  const auto is_key = [&](ImGuiKey key) {
    return stop.is_active && ImGui::IsKeyPressed(ImGui::GetKeyIndex(key));
  };
  if (is_key(ImGuiKey_UpArrow) && chosen > 0) wanted = chosen - 1;
  if (is_key(ImGuiKey_DownArrow) && chosen + 1 < choices.size()) wanted = chosen + 1;
  return wanted;
}

void keep_inside(const Area& area) {
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;  // it may be moved or sized by hand
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const ImVec2 room = {std::min(size.x, area.width()), std::min(size.y, area.height())};
  const ImVec2 inside = {std::clamp(at.x, area.x0, area.x1 - room.x),
                         std::clamp(at.y, area.y0, area.y1 - room.y)};
  if (room.x < size.x || room.y < size.y) ImGui::SetWindowSize(room);
  if (inside.x != at.x || inside.y != at.y) ImGui::SetWindowPos(inside);
}

void close_with(const ChromeInput& input, bool is_open, const char* command) {
  if (!is_open) input.commands.push_back({command, {{"shown", false}}});
}

void draw_messages(const ChromeInput& input) {
  if (!input.session.dialogs.shows_messages) return;
  bool is_open = true;
  if (begin_dialog(input, "Messages", {640, 360}, &is_open)) {
    if (input.session.messages.all.empty())
      show_text("Nothing has been said.", input.theme.text_dim);
    const std::vector<Message>& all = input.session.messages.all;
    const auto lines = [&] {
      std::string text;
      for (size_t i = all.size(); i-- > 0;) text += printable(in_words(all[i]), 0) + '\n';
      return text;
    };
    for (size_t i = all.size(); i-- > 0;) {
      const std::string text = in_words(all[i]);
      ImGui::BeginGroup();
      show_wrapped(text, all[i].is_error ? input.theme.error : input.theme.text);
      ImGui::EndGroup();
      draw_copy_menu(static_cast<int>(i), text, lines);
    }
  }
  ImGui::End();
  close_with(input, is_open, "messages.show");
}

namespace {

// A window without a frame above the panels, which have nothing to show.
bool begin_above(const char* name, ImVec2 at, ImVec2 size) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  const bool is_shown =
      ImGui::Begin(name, nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                       ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoSavedSettings |
                       ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar(2);
  return is_shown;
}

// "F1"; empty where the command has no keys.
std::string key_of(const ChromeInput& input, const char* command) {
  const std::vector<std::string> keys = input.session.keys.labels_of(command);
  return keys.empty() ? "" : keys.front();
}

struct WelcomeButton {
  std::string title;
  Command command;
};

// Draws buttons in the middle of the area's top, side by side where they fit; `area` becomes the
// part below them.
void draw_buttons(const ChromeInput& input, std::span<const WelcomeButton> buttons, Area& area) {
  const float gap = 10 * input.scale;
  const float height = std::round(ImGui::GetFrameHeight() + 4 * input.scale);
  const auto width_of = [&](const WelcomeButton& button) {
    return std::round(text_width(button.title) + 32 * input.scale);
  };
  float row = -gap, widest = 0;
  for (const WelcomeButton& button : buttons) {
    row += width_of(button) + gap;
    widest = std::max(widest, width_of(button));
  }
  const bool is_row = row <= area.width();
  const float lines = is_row ? 1 : static_cast<float>(buttons.size());
  const ImVec2 size = {is_row ? row : widest, lines * (height + gap) - gap};
  if (area.height() < size.y || area.width() < size.x) return;
  const ImVec2 corner = {std::floor((area.x0 + area.x1 - size.x) / 2), std::floor(area.y0)};
  (void)begin_above("##buttons", corner, size);
  ImVec2 at = corner;
  for (const WelcomeButton& button : buttons) {
    const float width = is_row ? width_of(button) : widest;
    ImGui::SetCursorScreenPos(at);
    if (ImGui::Button(button.title.c_str(), {width, height}))
      input.commands.push_back(button.command);
    (is_row ? at.x : at.y) += (is_row ? width : height) + gap;
  }
  ImGui::End();
  area.y0 += size.y + 14 * input.scale;
}

WelcomeButton open_button(const ChromeInput& input) {
  return {"Open…   " + key_of(input, "open.ask"), {"open.ask"}};
}

// What can be done about the file that could not be opened.
std::vector<WelcomeButton> buttons_for(const ChromeInput& input, const Refused& refused) {
  if (!refused.is_unrecognised) return {open_button(input)};
  std::vector<WelcomeButton> buttons = {{"Open as…", {"open.ask"}}};
  if (refused.may_get_type)
    buttons.push_back(
        {"Make a trace type for it", {"trace_type.begin", {{"sample", refused.path.string()}}}});
  return buttons;
}

// The files that were open last, one a line, to be clicked.
void draw_recent_files(const ChromeInput& input, const Area& area) {
  const float line = std::round(ImGui::GetFontSize() + 8 * input.scale);
  const float most = std::min(560 * input.scale, area.width() - 24 * input.scale);
  const auto room = static_cast<size_t>(std::max(0.0F, area.height() / line));
  const size_t count = std::min({input.session.recent.files.size(), room, size_t{10}});
  if (count == 0 || most < 80 * input.scale) return;
  // Names and folders are columns as wide as they need: together they stand in the middle.
  const float pad = 8 * input.scale;
  float names = 0, folders = 0;
  for (size_t i = 0; i < count; ++i) {
    const std::filesystem::path& path = input.session.recent.files[i];
    names = std::max(names, text_width(path.filename().native()));
    folders = std::max(folders, text_width(path.parent_path().native()));
  }
  names = std::min(names + 3 * pad, std::floor(most * 0.45F));
  folders = std::min(folders + pad, most - names);
  const float width = names + folders;
  const float x = std::floor((area.x0 + area.x1 - width) / 2);
  (void)begin_above("##welcome", {x, area.y0}, {width, line * static_cast<float>(count)});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (size_t i = 0; i < count; ++i) {
    const std::filesystem::path& path = input.session.recent.files[i];
    const ImVec2 at = {x, area.y0 + line * static_cast<float>(i)};
    ImGui::SetCursorScreenPos(at);
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("recent", {width, line})) {
      input.commands.push_back({"open", {{"path", path.string()}}});
    }
    ImGui::PopID();
    const bool is_hovered = ImGui::IsItemHovered();
    if (is_hovered) {
      list.AddRectFilled(at, {x + width, at.y + line}, input.theme.stripe, 4 * input.scale);
    }
    const float y = at.y + std::floor((line - ImGui::GetFontSize()) / 2);
    draw_text(list, {x + pad, y}, is_hovered ? input.theme.text : input.theme.accent,
              path.filename().string(), names - 2 * pad);
    draw_text(list, {x + names, y}, input.theme.text_dim, path.parent_path().string(),
              folders - pad);
  }
  ImGui::End();
}

// Draws centred lines, as many as it takes; returns where they end.
float draw_centered(std::string_view words, const Area& area, float y, ImU32 color, float scale) {
  const std::string safe = printable(words, 0);
  const float room = area.width() - 24 * scale;
  const char* at = safe.data();
  const char* const end = at + safe.size();
  while (at < end && y + ImGui::GetFontSize() <= area.y1) {
    const char* cut = ImGui::GetFont()->CalcWordWrapPositionA(1, at, end, room);
    if (cut == at) break;  // no room for a letter
    const float width = ImGui::CalcTextSize(at, cut).x;
    const float x = std::floor(area.x0 + (area.width() - width) / 2);
    ImGui::GetBackgroundDrawList()->AddText({x, std::floor(y)}, color, at, cut);
    y += ImGui::GetFontSize() + 2 * scale;
    at = cut;
    while (at < end && *at == ' ') ++at;
  }
  return y;
}

}  // namespace

void draw_welcome(const ChromeInput& input, const Area& area) {
  const OpenTrace* trace = input.session.trace();
  const bool has_panels = input.session.desk.layout.root().has_value();
  std::string title;
  std::string hint;
  ImU32 color = input.theme.text;
  std::vector<WelcomeButton> buttons;
  const auto& refused = input.session.refused;
  if (!trace && refused) {
    title = refused->path.filename().string() + " cannot be opened";
    hint = refused->reason;
    color = input.theme.error;
    buttons = buttons_for(input, *refused);
  } else if (!trace) {
    title = "No trace is open";
    buttons = {open_button(input)};
    const std::string keys = key_of(input, "help.show");
    hint = "Drop files here, or open them." +
           (keys.empty() ? keys : " " + keys + " shows keys and mouse.");
  } else if (trace->has_failed()) {
    title = "The trace cannot be shown";
    hint = trace->error();
    color = input.theme.error;
    buttons = {{"Read it again", {"reload"}}, {"Close it", {"close"}}};
  } else if (!trace->trace()) {
    title = "Reading " + trace->name();
    hint = "The picture appears as soon as there is something to see.";
  } else if (trace->trace()->counts().total() == 0) {
    title = trace->is_loading() ? "Nothing read yet" : "The trace holds no events";
    hint = counted(trace->trace()->dictionary().lanes.size(), "lane");
  } else if (!has_panels) {
    title = "Every panel is closed";
    hint = "View → Panels opens one; View → Layouts → Layout as at first opens all of them again.";
  } else {
    return;
  }
  // Beside the names of its lanes, where it has some.
  Area within = area;
  if (trace && trace->trace() && has_panels) {
    const float gutter = static_cast<float>(input.session.look.gutter_px) * input.scale;
    within.x0 += std::min(gutter, area.width() * 0.45F);
  }
  const float lines = 6 * ImGui::GetFontSize();
  const float top =
      std::max(8 * input.scale, std::min(area.height() * 0.42F, area.height() - lines));
  ImGui::PushFont(input.fonts.bold);
  float y = draw_centered(title, within, area.y0 + top, color, input.scale);
  ImGui::PopFont();
  y = draw_centered(hint, within, y + 8 * input.scale, input.theme.text_dim, input.scale);
  Area below = {within.x0, y + ImGui::GetFontSize(), within.x1, area.y1};
  if (!buttons.empty()) draw_buttons(input, buttons, below);
  if (!trace && has_panels) draw_recent_files(input, below);
}

}  // namespace weft::app

// Text fields: their content, and when they get the keyboard focus.
#pragma once

#include <imgui.h>

#include <span>
#include <string_view>
#include <utility>

#include "app/panels/panels.h"

namespace weft::app {

// Copies `text` into a field; what does not fit is cut off.
inline void copy_into(std::string_view text, std::span<char> field) {
  field[text.copy(field.data(), field.size() - 1)] = '\0';
}

// Gives the keyboard focus to the field drawn next. Dear ImGui 1.90.1 does so only in the focused
// window, which this sets, too.
inline void focus_next_field() {
  ImGui::SetWindowFocus();
  ImGui::SetKeyboardFocusHere();
}

// Decides when the main field of a panel takes the keyboard focus: when the panel gets the focus by
// the palette, a key or its tab, but not by a click into the panel, which means the thing that was
// clicked.
class FieldFocus {
 public:
  // Call once a frame, before the field is drawn; returns whether it takes the focus.
  bool takes(const PanelInput& input) {
    const bool had_focus = std::exchange(was_focused_, input.is_focused);
    const bool is_new = input.is_focused && !had_focus;
    const bool is_clicked = ImGui::IsAnyMouseDown() && input.area.contains(ImGui::GetMousePos());
    return is_new && !is_clicked;
  }

 private:
  bool was_focused_ = false;
};

}  // namespace weft::app

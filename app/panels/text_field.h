// Fields to type into: what they hold, and when they take the keyboard.
#pragma once

#include <imgui.h>

#include <span>
#include <string_view>
#include <utility>

#include "app/panels/panels.h"

namespace weft::app {

// What does not fit is cut.
inline void copy_into(std::string_view text, std::span<char> field) {
  field[text.copy(field.data(), field.size() - 1)] = '\0';
}

// The field that is drawn next takes the keyboard. Dear ImGui 1.90.1 gives it only to a field of
// the window that has the focus.
inline void focus_next_field() {
  ImGui::SetWindowFocus();
  ImGui::SetKeyboardFocusHere();
}

// The field of a panel that is there to be typed into takes the keyboard once the panel has got the
// focus, by the palette, a key or its tab; not by a click into the panel, which means what was
// clicked.
class FieldFocus {
 public:
  // Once a frame, before the field is drawn.
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

// What the left mouse button does on the timeline. In every mode, the wheel zooms, Shift+drag
// selects, and a drag with the right button zooms.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weft::app {

enum class MouseMode : uint8_t {
  kDrag,           // a drag moves the view, a click selects an element
  kSelect,         // a drag selects a range and the lanes beside it, a click an element
  kTimeZoomIn,     // a drag zooms to the range, a click by a step
  kTimeZoomOut,    // a drag fits what is shown into the range, a click zooms by a step
  kHeightZoomIn,   // a click makes rows higher, a drag as much as it is long
  kHeightZoomOut,  // the same, lower
};

struct MouseModeRow {
  std::string_view name;  // in journals
  const char* title;
};
inline constexpr std::array<MouseModeRow, 6> kMouseModes = {{{"drag", "Drag"},
                                                             {"select", "Select"},
                                                             {"zoom_in", "Zoom in"},
                                                             {"zoom_out", "Zoom out"},
                                                             {"higher", "Rows higher"},
                                                             {"lower", "Rows lower"}}};

inline std::optional<MouseMode> mouse_mode_from_name(std::string_view name) {
  for (size_t i = 0; i < kMouseModes.size(); ++i) {
    if (kMouseModes[i].name == name) return static_cast<MouseMode>(i);
  }
  return std::nullopt;
}

}  // namespace weft::app

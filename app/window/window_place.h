// The window's size between two runs: window.json in the state folder. Where it stands is the
// window manager's choice.
#pragma once

#include <filesystem>
#include <optional>

#include "core/base/result.h"

namespace weft::app {

struct WindowPlace {
  int width = 0, height = 0;  // not maximised, as on a display of scale 1
  bool is_maximized = false;

  bool operator==(const WindowPlace&) const = default;
};

// None where nothing was kept, or nothing that can be a window's. An empty folder keeps nothing.
std::optional<WindowPlace> read_window_place(const std::filesystem::path& folder);
Status write_window_place(const WindowPlace& place, const std::filesystem::path& folder);

}  // namespace weft::app

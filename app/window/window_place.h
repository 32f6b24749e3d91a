// Keeps the window's size between two runs: window.json in the state folder. Its position is left
// to the window manager.
#pragma once

#include <filesystem>
#include <optional>

#include "core/base/result.h"

namespace weft::app {

struct WindowPlace {
  int width = 0, height = 0;  // when not maximised, at display scale 1
  bool is_maximized = false;

  bool operator==(const WindowPlace&) const = default;
};

// nullopt if nothing was kept, or nothing that can be the size of a window. With an empty folder,
// nothing is kept.
std::optional<WindowPlace> read_window_place(const std::filesystem::path& folder);
Status write_window_place(const WindowPlace& place, const std::filesystem::path& folder);

}  // namespace weft::app

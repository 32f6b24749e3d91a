// Draws the dialog with all settings, each with a line of explanation, and the paths of the user's
// files. A change runs the command "set"; the settings are those of app/session/settings.h.
// `places`: see UserFiles::places().
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "app/window/chrome.h"

namespace weft::app {

// `places`: see UserFiles::places.
void draw_settings(const ChromeInput& input,
                   std::span<const std::pair<std::filesystem::path, std::string_view>> places);

}  // namespace weft::app

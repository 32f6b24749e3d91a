// The settings, each with a line that says what it does, and where the user's files lie. What is
// changed is the command "set"; the settings themselves are those of app/session/settings.h.
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

#include "app/window/dialog_windows.h"

#include <algorithm>

#include "app/window/settings_dialog.h"

namespace weft::app {

bool DialogWindows::has_pointer(Dialogs& dialogs) {
  const ImVec2 at = ImGui::GetIO().MousePos;
  const bool has_dialog = std::ranges::any_of(dialogs.all(), [](const bool* is) { return *is; });
  if (!has_dialog) {
    resting_pointer_ = at;
  } else if (resting_pointer_ && (resting_pointer_->x != at.x || resting_pointer_->y != at.y)) {
    resting_pointer_.reset();
  }
  return has_dialog && resting_pointer_;
}

void DialogWindows::draw(
    const ChromeInput& chrome, const Input& input,
    std::span<const std::pair<std::filesystem::path, std::string_view>> places) {
  draw_help(chrome);
  draw_messages(chrome);
  file_.draw(chrome, input);
  go_to_.draw(chrome);
  recorder_.draw(chrome);
  if (chrome.session.dialogs.shows_settings) draw_settings(chrome, places);
  remote_.draw(chrome);
  question_.draw(chrome);
  palette_.draw(chrome, input);
}

}  // namespace weft::app

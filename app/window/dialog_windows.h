// The windows above the panels: dialogs, the palette, help and lists, each shown while its flag of
// Dialogs is set. Here they are drawn in their order and keep what is typed into them.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <imgui.h>

#include "app/window/chrome.h"
#include "app/window/file_dialog.h"
#include "app/window/go_to_dialog.h"
#include "app/window/input.h"
#include "app/window/palette.h"
#include "app/window/question_dialog.h"
#include "app/window/recorder_dialog.h"
#include "app/window/remote_dialog.h"

namespace weft::app {

class DialogWindows {
 public:
  // A question by a connection takes every key; call it before anyone else reads them.
  void take_keys(const Session& session, Input& input) { question_.take_keys(session, input); }
  // Whether a dialog has come up and the pointer has not moved since: no tooltip of what it rests
  // on covers the dialog. Call it once a frame.
  bool has_pointer(Dialogs& dialogs);
  // `places`: see UserFiles::places.
  void draw(const ChromeInput& chrome, const Input& input,
            std::span<const std::pair<std::filesystem::path, std::string_view>> places);
  // Whether the next frame may show more without input, and after how many seconds what is shown
  // changes by itself; 0: it does not.
  bool is_stale() const { return file_.is_stale(); }
  double redraw_after_s() const { return remote_.is_live() ? 1 : 0; }

 private:
  FileDialog file_;
  GoToDialog go_to_;
  RecorderDialog recorder_;
  RemoteDialog remote_;
  QuestionDialog question_;
  CommandPalette palette_;
  std::optional<ImVec2> resting_pointer_;  // its place when the first dialog appeared
};

}  // namespace weft::app

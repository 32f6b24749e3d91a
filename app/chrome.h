// What surrounds the panels: menu bar, status bar, and the few dialogs. Like panels, it reads the
// session and answers with commands.
#pragma once

#include <string>
#include <vector>

#include "app/commands.h"
#include "app/panels/panels.h"
#include "app/session.h"
#include "app/theme.h"

namespace weft::app {

struct ChromeInput {
  const Session& session;
  const Theme& theme;
  const Fonts& fonts;
  float scale;
  Area area;                       // of the whole window
  std::vector<Command>& commands;  // the answer
};

// Both return their height in pixels.
float draw_menu_bar(const ChromeInput& input);
float draw_status_bar(const ChromeInput& input);

// Each draws itself while the session shows it.
void draw_losses(const ChromeInput& input);
void draw_help(const ChromeInput& input);

// What stands where nothing can be shown: how to open a trace, that one is loading, why one failed.
void draw_welcome(const ChromeInput& input, const Area& area);

class OpenDialog {
 public:
  void draw(const ChromeInput& input);

 private:
  void list_folder();

  struct Entry {
    std::string name;
    bool is_folder = false;
    uint64_t size_bytes = 0;
  };
  std::string path_;
  std::string listed_;  // the folder that `entries_` are of
  std::vector<Entry> entries_;
  bool was_shown_ = false;
};

}  // namespace weft::app

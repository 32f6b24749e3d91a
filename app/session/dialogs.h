// Dialogs and other temporary windows above the panels.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "app/base/json.h"

namespace weft::app {

// A file that the user is asked to name before a command runs: see file.ask.
struct FileWish {
  std::string title;           // of the dialog
  std::string command;         // runs with the file's path …
  std::string argument;        // … as this argument
  Json args = Json::object();  // its other arguments
  std::filesystem::path file;  // suggested to the user
  bool is_there = false;       // an existing file or folder, to be read
};

struct Dialogs {
  bool shows_help = false;
  bool shows_palette = false;
  bool shows_menus = false;  // opened by a key: the mouse needs no command
  bool shows_messages = false;
  bool shows_open_dialog = false;
  bool shows_remote = false;
  bool shows_go_to = false;
  bool shows_recorder = false;
  bool shows_settings = false;
  bool shows_find = false;
  std::string palette_asks;  // a command whose arguments it asks for when it opens; empty: none
  std::optional<FileWish> file_wish;  // set while its dialog is open

  // The flags of the palette and of the dialogs, but not of the menus or the find bar.
  std::array<bool*, 8> all() {
    return {&shows_palette, &shows_help,  &shows_messages, &shows_open_dialog,
            &shows_remote,  &shows_go_to, &shows_recorder, &shows_settings};
  }
};

}  // namespace weft::app

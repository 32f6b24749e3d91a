// What is shown above the panels for a while.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "app/base/json.h"

namespace weft::app {

// A file that is to be named by the user before a command runs: see file.ask.
struct FileWish {
  std::string title;           // of the dialog
  std::string command;         // runs with the file's path …
  std::string argument;        // … as this argument
  Json args = Json::object();  // its other arguments
  std::filesystem::path file;  // what is suggested
  bool is_there = false;       // a file or a folder to be read, not one to be written
};

struct Dialogs {
  bool shows_help = false;
  bool shows_palette = false;
  bool shows_menus = false;  // by a key: the mouse needs no command
  bool shows_messages = false;
  bool shows_losses = false;
  bool shows_open_dialog = false;
  bool shows_remote = false;
  bool shows_go_to = false;
  bool shows_recorder = false;
  bool shows_settings = false;
  bool shows_find = false;
  std::string palette_asks;  // the command whose arguments it asks for at once; empty: none
  std::optional<FileWish> file_wish;  // its dialog is open

  // The flags of the palette and of the dialogs; neither menus nor the search box are one.
  std::array<bool*, 9> all() {
    return {&shows_palette, &shows_help,  &shows_losses,   &shows_messages, &shows_open_dialog,
            &shows_remote,  &shows_go_to, &shows_recorder, &shows_settings};
  }
};

}  // namespace weft::app

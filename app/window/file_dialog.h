// The dialog that opens traces, and the one that names a file to write (Dialogs::file_wish): the
// parent folders at the top, recent files at the left, the folder's files below a line of text,
// under titles that sort them. The line is a filter for files to open, and the name of a file to
// write.
//
// Beside the buttons is the type as which files are opened: by their content, or one of the trace
// types, listed by category; a type's options are typed above.
//
// Typing filters the list; a path that begins with / or ~ goes there. Up, Down and Enter choose,
// Ctrl+click and Shift+click choose several, Backspace in the empty line goes up a folder. A worker
// lists folders, so that a slow disk delays no frame. Keys arrive as the program's chords, as in
// the palette.
#pragma once

#include <imgui.h>

#include <array>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/chrome.h"
#include "app/window/input.h"
#include "core/base/latest.h"
#include "core/formats/formats.h"

namespace weft::app {

struct FolderEntry {
  std::string name;
  bool is_folder = false;
  uint64_t size_bytes = 0;
  std::filesystem::file_time_type changed;
};

struct FolderListing {
  std::filesystem::path folder;
  std::vector<FolderEntry> entries;  // folders first, then by name
  bool is_cut = false;               // whether there are more than kMost
  std::string error;                 // why the folder cannot be read; empty: it can

  static constexpr size_t kMost = 20'000;
};
FolderListing list_folder(const std::filesystem::path& folder);

class FileDialog {
 public:
  void draw(const ChromeInput& input, const Input& keys);
  // Whether the folder is still being read, or was requested in this frame.
  bool is_stale() const { return is_stale_; }

 private:
  using Listings = Latest<std::string, FolderListing>;

  void appear(const ChromeInput& input);
  void list(const std::filesystem::path& folder);
  // Lists the folder, and clears the line if that is a filter.
  void go_to(const std::filesystem::path& folder);
  void go_up() { go_to(folder_.parent_path()); }
  static int follow_typed_path(ImGuiInputTextCallbackData* data);
  void filter(const FolderListing& listing);
  void draw_crumbs(const ChromeInput& input);
  void draw_recent(const ChromeInput& input);
  void draw_folders(const ChromeInput& input);
  // Draws one line at the left; returns whether it was clicked.
  bool draw_place(const ChromeInput& input, const std::string& name, const std::string& path);
  // Draws the titles of the columns, which sort the files.
  void draw_titles(const ChromeInput& input, const FolderListing& listing);
  void draw_files(const ChromeInput& input, const FolderListing& listing);
  bool draw_entry(const ChromeInput& input, const FolderEntry& entry, bool is_lit);
  void draw_buttons(const ChromeInput& input, const FolderListing& listing);
  void draw_type(const ChromeInput& input);
  void draw_options(const ChromeInput& input);
  void draw_save_button(const ChromeInput& input, const FolderListing& listing);
  void take_keys(const Input& keys, bool is_line_empty);
  void press(const ChromeInput& input, const FolderListing& listing);
  void press(std::string_view chord, const ChromeInput& input, const FolderListing& listing);
  void choose(const FolderEntry& entry, const ChromeInput& input);
  void open(const ChromeInput& input, const std::filesystem::path& file);
  void accept(const ChromeInput& input, const FolderListing& listing);
  void type(std::string_view text);
  // Whether the command takes `paths`.
  bool takes_several(const ChromeInput& input) const;
  // Runs the command for which the file was named.
  void save(const ChromeInput& input);

  std::unique_ptr<Listings> listings_;
  std::filesystem::path folder_;
  std::array<char, 4096> typed_{};
  std::vector<size_t> shown_;  // indices of the listing's entries
  enum class Order : uint8_t { kName, kSize, kChanged };
  Order order_ = Order::kName;  // while nothing is typed
  bool is_reversed_ = false;    // otherwise by name, or largest or newest first
  float files_px_ = 0;          // width of a line of the files
  std::shared_ptr<const FolderListing> shown_of_;
  std::string shown_for_;         // the typed text
  std::set<std::string> chosen_;  // names chosen by Ctrl+click
  formats::FormatPtr type_;       // the type to open files as; null: by content
  std::map<std::string, std::array<char, 256>> options_;  // of the type, as typed
  std::optional<size_t> selected_;                        // of those shown; what Enter takes
  bool is_folder_typed_ = false;                          // rather than entered by a click or Enter
  size_t rows_seen_ = 0;                                  // rows that fit
  std::deque<std::string> waiting_keys_;                  // chords; the first is handled next
  bool scrolls_ = false;
  bool takes_focus_ = false;
  int generation_ = 0;  // of the line: ImGui keeps the text of an active field
  bool was_shown_ = false;
  bool is_stale_ = false;
  bool is_saving_ = false;  // names a file to write
  bool is_done_ = false;
};

}  // namespace weft::app

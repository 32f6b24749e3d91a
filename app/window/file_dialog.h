// The dialog that opens traces, and the one that names a file to be written (Dialogs::file_wish):
// the folders above at the top, recent files at the left, the folder's files below a line in which
// to type, under titles that sort them. The line is a filter where files are opened, and the name
// where one is written.
//
// Beside the buttons stands as which type files are opened: by their content, or as one of the
// trace types, which are listed by category; a type's options are typed in above.
//
// Typing filters the list; a path that begins with / or ~ leads there. Up, Down and Enter choose,
// Ctrl+click and Shift+click choose several, Backspace in the empty line goes up a folder. Folders
// are listed by a worker: a slow disk holds no frame. Its keys come as the program's chords, as the
// palette's do.
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
#include "core/formats/formats.h"
#include "render/latest.h"

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
  bool is_cut = false;               // there are more than kMost
  std::string error;                 // why there is nothing

  static constexpr size_t kMost = 20'000;
};
FolderListing list_folder(const std::filesystem::path& folder);

class FileDialog {
 public:
  void draw(const ChromeInput& input, const Input& keys);
  // What the folder holds is being read, or was asked for in this frame.
  bool is_stale() const { return is_stale_; }

 private:
  using Listings = render::Latest<std::string, FolderListing>;

  void appear(const ChromeInput& input);
  void list(const std::filesystem::path& folder);
  // Lists it, and empties the line where that is a filter.
  void go_to(const std::filesystem::path& folder);
  void go_up() { go_to(folder_.parent_path()); }
  static int follow_typed_path(ImGuiInputTextCallbackData* data);
  void filter(const FolderListing& listing);
  void draw_crumbs(const ChromeInput& input);
  void draw_recent(const ChromeInput& input);
  void draw_folders(const ChromeInput& input);
  // One line at the left; whether it was clicked.
  bool draw_place(const ChromeInput& input, const std::string& name, const std::string& path);
  // The titles of the columns, which sort the files.
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
  // A command that wishes for `paths` does.
  bool takes_several(const ChromeInput& input) const;
  // Runs the command that wished for a file.
  void save(const ChromeInput& input);

  std::unique_ptr<Listings> listings_;
  std::filesystem::path folder_;
  std::array<char, 4096> typed_{};
  std::vector<size_t> shown_;  // of the listing's entries
  enum class Order : uint8_t { kName, kSize, kChanged };
  Order order_ = Order::kName;  // while nothing is typed
  bool is_reversed_ = false;    // else by name, the largest and the newest first
  float files_px_ = 0;          // width of a line of the files
  std::shared_ptr<const FolderListing> shown_of_;
  std::string shown_for_;         // what was typed
  std::set<std::string> chosen_;  // names, by Ctrl+click
  formats::FormatPtr type_;       // what files are opened as; null: what their content says
  std::map<std::string, std::array<char, 256>> options_;  // of the type, as typed
  size_t selected_ = 0;
  size_t rows_seen_ = 0;                  // that have room
  std::deque<std::string> waiting_keys_;  // chords, the first one next
  bool scrolls_ = false;
  bool takes_focus_ = false;
  int generation_ = 0;  // of the line: ImGui keeps the text of one that is being typed into
  bool was_shown_ = false;
  bool is_stale_ = false;
  bool is_saving_ = false;  // a file is to be named
  bool is_done_ = false;
};

}  // namespace weft::app

#include "app/window/file_dialog.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <optional>
#include <utility>

#include "app/base/fuzzy.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

constexpr float kSizePx = 90;
constexpr float kChangedPx = 130;
constexpr float kRecentPx = 210;
constexpr size_t kMostFolders = 6;  // at the left

// Behind the buttons, where there is room for it.
void show_several(const ChromeInput& input) {
  constexpr std::string_view kSeveral = "Ctrl+click and Shift+click choose several";
  ImGui::SameLine(0, 16 * input.scale);
  if (text_width(kSeveral) > ImGui::GetContentRegionAvail().x) return ImGui::NewLine();
  show_text(kSeveral, input.theme.text_dim);
}

bool has_room_for_facts(float width, float scale) {
  return width > 3 * (kSizePx + kChangedPx) * scale / 2;
}

std::string when(fs::file_time_type changed) {
  const auto system = std::chrono::file_clock::to_sys(changed);
  const std::time_t seconds = std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(system));
  std::tm calendar{};
  localtime_r(&seconds, &calendar);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", calendar.tm_year + 1900, calendar.tm_mon + 1,
                     calendar.tm_mday, calendar.tm_hour, calendar.tm_min);
}

fs::path home() {
  const char* path = std::getenv("HOME");
  return path && *path ? fs::path(path) : fs::path("/");
}

}  // namespace

FolderListing list_folder(const fs::path& folder) {
  FolderListing listing;
  listing.folder = folder;
  std::error_code error;
  fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    if (listing.entries.size() == FolderListing::kMost) {
      listing.is_cut = true;
      break;
    }
    std::error_code ignored;
    FolderEntry entry;
    entry.name = at->path().filename().string();
    entry.is_folder = at->is_directory(ignored);
    const uintmax_t size = entry.is_folder ? 0 : at->file_size(ignored);
    if (!ignored) entry.size_bytes = size;
    entry.changed = at->last_write_time(ignored);
    listing.entries.push_back(std::move(entry));
  }
  if (error) listing.error = error.message();
  std::ranges::sort(listing.entries, [](const FolderEntry& a, const FolderEntry& b) {
    return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name;
  });
  return listing;
}

void FileDialog::appear(const ChromeInput& input) {
  if (!listings_) {
    listings_ = std::make_unique<Listings>(
        [](const std::string& folder) { return list_folder(folder); }, input.session.host.wake);
  }
  is_done_ = false;
  waiting_keys_.clear();
  std::error_code error;
  is_saving_ = input.session.dialogs.file_wish.has_value();
  if (is_saving_ && !input.session.dialogs.file_wish->file.empty()) {
    const fs::path file = fs::absolute(input.session.dialogs.file_wish->file, error);
    go_to(file.parent_path());
    type(file.filename().string());
    return;
  }
  typed_ = {};
  const OpenTrace* trace = input.session.trace();
  if (const auto& refused = input.session.refused;
      !trace && refused && refused->is_unrecognised) {  // to open it as another type
    const fs::path file = fs::absolute(refused->path, error);
    go_to(file.parent_path());
    type(file.filename().string());
    return;
  }
  if (!folder_.empty()) {
    go_to(fs::path(folder_));
    return;
  }
  go_to(trace ? fs::absolute(trace->beside(), error).parent_path() : fs::current_path(error));
}

void FileDialog::list(const fs::path& folder) {
  folder_ = folder.lexically_normal();
  if (!folder_.has_filename() && folder_ != folder_.root_path()) folder_ = folder_.parent_path();
  chosen_.clear();
  selected_.reset();
  shown_of_ = nullptr;
}

void FileDialog::go_to(const fs::path& folder) {
  list(folder);
  is_folder_typed_ = false;
  if (!is_saving_) typed_ = {};
  takes_focus_ = true;
  ++generation_;
}

// "/var/lo" lists /var and filters by "lo". The folder is taken off the line while it is being
// typed into: the letters that follow a "/" in the same moment are typed there, too.
int FileDialog::follow_typed_path(ImGuiInputTextCallbackData* data) {
  FileDialog& dialog = *static_cast<FileDialog*>(data->UserData);
  const std::string_view text(data->Buf, static_cast<size_t>(data->BufTextLen));
  const size_t slash = text.rfind('/');
  if (slash == std::string::npos) return 0;
  fs::path folder = text.substr(0, slash + 1);
  if (text.starts_with("~/")) folder = home() / text.substr(2, slash - 1);
  dialog.list(dialog.folder_ / folder);
  dialog.is_folder_typed_ = true;
  data->DeleteChars(0, static_cast<int>(slash + 1));
  return 0;
}

void FileDialog::type(std::string_view text) {
  typed_ = {};
  text.copy(typed_.data(), typed_.size() - 1);
  ++generation_;
}

void FileDialog::filter(const FolderListing& listing) {
  const std::string typed = is_saving_ ? "" : typed_.data();
  if (shown_for_ != typed) chosen_.clear();
  shown_for_ = typed;
  shown_.clear();
  const bool shows_hidden = shown_for_.starts_with('.');
  std::vector<std::pair<int, size_t>> scored;
  for (size_t i = 0; i < listing.entries.size(); ++i) {
    const FolderEntry& entry = listing.entries[i];
    if (entry.name.starts_with('.') && !shows_hidden) continue;
    if (const auto score = fuzzy_score(shown_for_, entry.name)) scored.emplace_back(*score, i);
  }
  if (!shown_for_.empty()) {
    std::ranges::stable_sort(scored,
                             [](const auto& a, const auto& b) { return a.first > b.first; });
  }
  for (const auto& [score, i] : scored) shown_.push_back(i);
  if (shown_for_.empty()) {
    std::ranges::stable_sort(shown_, [&](size_t a, size_t b) {
      const FolderEntry& left = listing.entries[a];
      const FolderEntry& right = listing.entries[b];
      if (left.is_folder != right.is_folder) return left.is_folder;
      const FolderEntry& first = is_reversed_ ? right : left;
      const FolderEntry& second = is_reversed_ ? left : right;
      if (order_ == Order::kSize) return first.size_bytes > second.size_bytes;
      if (order_ == Order::kChanged) return first.changed > second.changed;
      return first.name < second.name;
    });
  }
  // Who typed a folder, and nothing of a name, means none of its files.
  selected_ = is_folder_typed_ && shown_for_.empty() ? std::nullopt : std::optional<size_t>(0);
  scrolls_ = true;
}

void FileDialog::draw(const ChromeInput& input, const Input& keys) {
  const auto& wish = input.session.dialogs.file_wish;
  const bool is_shown = wish || input.session.dialogs.shows_open_dialog;
  const bool has_appeared = is_shown && (!was_shown_ || is_saving_ != wish.has_value());
  was_shown_ = is_shown;
  is_stale_ = false;
  if (!was_shown_) return;
  if (has_appeared) appear(input);
  const fs::path folder = folder_;
  const auto found = listings_->find(folder.string());
  static const FolderListing nothing;
  const FolderListing& listing = found.value && !found.is_stale ? *found.value : nothing;
  bool is_open = true;
  const std::string title = wish ? printable(wish->title, 80) + "###file" : "Open traces###file";
  if (begin_dialog(input, title.c_str(), {900, 560}, &is_open)) {
    draw_crumbs(input);
    ImGui::SetNextItemWidth(-1);
    if (std::exchange(takes_focus_, false)) ImGui::SetKeyboardFocusHere();
    const bool was_empty = typed_[0] == 0;
    ImGui::PushID(generation_);
    ImGui::InputTextWithHint("##typed", is_saving_ ? "A name, or a path" : "Filter, or a path",
                             typed_.data(), typed_.size(), ImGuiInputTextFlags_CallbackAlways,
                             follow_typed_path, this);
    ImGui::PopID();
    const bool is_same = shown_of_ == found.value && (is_saving_ || shown_for_ == typed_.data());
    if (!is_same && !found.is_stale) {
      shown_of_ = found.value;
      filter(listing);
    }
    const bool has_options = !is_saving_ && type_ && !type_->options.empty();
    const float lines = has_options ? 1 + static_cast<float>(type_->options.size()) : 1;
    const float below = lines * ImGui::GetFrameHeightWithSpacing() + 4 * input.scale;
    if (ImGui::GetContentRegionAvail().x > 3 * kRecentPx * input.scale) {
      ImGui::BeginChild("recent", {kRecentPx * input.scale, -below});
      draw_recent(input);
      draw_folders(input);
      ImGui::EndChild();
      ImGui::SameLine();
    }
    ImGui::BeginGroup();
    draw_titles(input, listing);
    ImGui::BeginChild("files", {0, -below});
    files_px_ = ImGui::GetContentRegionAvail().x;
    if (!found.is_stale) draw_files(input, listing);
    ImGui::EndChild();
    ImGui::EndGroup();
    if (has_options) draw_options(input);
    is_saving_ ? draw_save_button(input, listing) : draw_buttons(input, listing);
    if (!has_appeared) take_keys(keys, was_empty);
    if (!found.is_stale && folder == folder_) press(input, listing);
  }
  ImGui::End();
  is_stale_ = found.is_stale || folder != folder_;
  close_with(input, is_open && !is_done_, is_saving_ ? "file.ask" : "open.ask");
}

void FileDialog::draw_crumbs(const ChromeInput& input) {
  fs::path so_far;
  std::optional<fs::path> wanted;
  int id = 0;
  for (const fs::path& part : folder_) {
    so_far /= part;
    ImGui::PushID(id++);
    const std::string name = printable(part.string(), 60);
    const ImVec2 size = {text_width(name) + 8 * input.scale,
                         ImGui::GetFontSize() + 4 * input.scale};
    if (id > 1) ImGui::SameLine(0, 0);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton("crumb", size)) wanted = so_far;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text(list, {at.x + 4 * input.scale, at.y + 2 * input.scale},
              ImGui::IsItemHovered() ? input.theme.accent : input.theme.text_dim, name, size.x);
    if (so_far != folder_ && part != "/") {
      constexpr const char* kSlash = "/";
      const float slash_px = text_width(kSlash);
      ImGui::SameLine(0, 0);
      draw_text(list, {ImGui::GetCursorScreenPos().x, at.y + 2 * input.scale}, input.theme.text_dim,
                kSlash, slash_px + 1);
      ImGui::Dummy({slash_px, size.y});
    }
    ImGui::PopID();
  }
  if (wanted) go_to(*wanted);
}

bool FileDialog::draw_place(const ChromeInput& input, const std::string& name,
                            const std::string& path) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool is_clicked = ImGui::Selectable("##place");
  if (ImGui::IsItemHovered()) {
    ImGui::BeginTooltip();
    show_text(path);
    ImGui::EndTooltip();
  }
  draw_text(*ImGui::GetWindowDrawList(), at, input.theme.text, name,
            (kRecentPx - 24) * input.scale);
  return is_clicked;
}

void FileDialog::draw_recent(const ChromeInput& input) {
  show_text("Recent", input.theme.text_dim);
  int id = 0;
  for (const fs::path& path : input.session.recent.files) {
    ImGui::PushID(id++);
    if (draw_place(input, path.filename().string(), path.string())) open(input, path);
    ImGui::PopID();
  }
  if (input.session.recent.files.empty()) show_text("nothing yet", input.theme.text_dim);
}

// That of the user, and those of the recent files.
void FileDialog::draw_folders(const ChromeInput& input) {
  std::vector<fs::path> folders = {home()};
  for (const fs::path& path : input.session.recent.files) {
    const fs::path folder = path.parent_path();
    if (folders.size() == kMostFolders) break;
    if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
  }
  ImGui::Spacing();
  show_text("Folders", input.theme.text_dim);
  ImGui::PushID("folders");
  std::optional<fs::path> wanted;
  for (size_t i = 0; i < folders.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const std::string name = i == 0 ? "Home" : folders[i].filename().string() + "/";
    if (draw_place(input, name, folders[i].string())) wanted = folders[i];
    ImGui::PopID();
  }
  ImGui::PopID();
  if (wanted) go_to(*wanted);
}

void FileDialog::draw_titles(const ChromeInput& input, const FolderListing& listing) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool has_facts = has_room_for_facts(files_px_, input.scale);
  const float size_px = kSizePx * input.scale, changed_px = kChangedPx * input.scale;
  const float facts = has_facts ? size_px + changed_px : 0;
  const float height = ImGui::GetFontSize() + 6 * input.scale;
  const auto title = [&](Order order, const char* name, float x, float width, bool is_right) {
    ImGui::SetCursorScreenPos({x, at.y});
    ImGui::PushID(name);
    if (ImGui::InvisibleButton("title", {std::max(1.0F, width), height})) {
      is_reversed_ = order_ == order && !is_reversed_;
      order_ = order;
      filter(listing);
    }
    ImGui::PopID();
    const bool is_order = order_ == order && typed_[0] == 0;
    const bool is_rising = (order == Order::kName) != is_reversed_;
    const std::string text = std::string(name) + (!is_order ? "" : is_rising ? "  ▲" : "  ▼");
    const float left = is_right ? x + width - 16 * input.scale - text_width(text) : x;
    draw_text(*ImGui::GetWindowDrawList(), {left, at.y},
              ImGui::IsItemHovered() ? input.theme.accent : input.theme.text_dim, text, width);
  };
  title(Order::kName, "Name", at.x + 4 * input.scale, files_px_ - facts - 4 * input.scale, false);
  if (has_facts) {
    title(Order::kSize, "Size", at.x + files_px_ - facts, size_px, true);
    title(Order::kChanged, "Changed", at.x + files_px_ - changed_px, changed_px, false);
  }
  ImGui::SetCursorScreenPos({at.x, at.y + height});
}

void FileDialog::draw_files(const ChromeInput& input, const FolderListing& listing) {
  if (!listing.error.empty()) show_text(listing.error, input.theme.error);
  if (listing.error.empty() && shown_.empty()) {
    show_text(listing.entries.empty() ? "An empty folder" : "Nothing here has these letters",
              input.theme.text_dim);
  }
  if (listing.is_cut) {
    show_text(fmt::format("The first {} of this folder; type a path for others",
                          format_count(FolderListing::kMost)),
              input.theme.warning);
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(shown_.size()), ImGui::GetTextLineHeightWithSpacing());
  if (std::exchange(scrolls_, false)) {
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const float y = static_cast<float>(selected_.value_or(0)) * line;
    rows_seen_ = static_cast<size_t>(ImGui::GetWindowHeight() / line);
    if (y < ImGui::GetScrollY() || y + line > ImGui::GetScrollY() + ImGui::GetWindowHeight()) {
      ImGui::SetScrollY(std::max(0.0F, y - ImGui::GetWindowHeight() / 2));
    }
  }
  std::optional<size_t> pressed;
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto row = static_cast<size_t>(i);
      const FolderEntry& entry = listing.entries[shown_[row]];
      ImGui::PushID(i);
      // Highlights what Enter takes: among files to write, the one that would be replaced.
      const bool is_lit = is_saving_ ? entry.name == typed_.data() : row == selected_;
      if (draw_entry(input, entry, is_lit)) pressed = row;
      ImGui::PopID();
    }
  }
  if (!pressed) return;
  if (ImGui::GetIO().KeyShift && takes_several(input)) {
    // From the one that was clicked before.
    chosen_.clear();
    const auto [first, last] = std::minmax({selected_.value_or(*pressed), *pressed});
    for (size_t row = first; row <= last; ++row) {
      const FolderEntry& between = listing.entries[shown_[row]];
      if (!between.is_folder) chosen_.insert(between.name);
    }
    return;
  }
  selected_ = *pressed;
  const FolderEntry entry = listing.entries[shown_[*pressed]];
  if (ImGui::GetIO().KeyCtrl && !entry.is_folder && takes_several(input)) {
    if (chosen_.erase(entry.name) == 0) chosen_.insert(entry.name);
  } else if (entry.is_folder || ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    choose(entry, input);
  } else if (takes_several(input)) {
    chosen_ = {entry.name};
  } else {
    type(entry.name);
  }
}

bool FileDialog::draw_entry(const ChromeInput& input, const FolderEntry& entry, bool is_lit) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const bool is_chosen = chosen_.contains(entry.name);
  const bool is_taken = chosen_.empty() ? is_lit : is_chosen;
  // An entry under the pointer must not look like the one that Enter opens.
  if (!is_taken) ImGui::PushStyleColor(ImGuiCol_HeaderHovered, input.theme.stripe);
  const bool is_pressed =
      ImGui::Selectable("##entry", is_taken, ImGuiSelectableFlags_AllowDoubleClick);
  if (!is_taken) ImGui::PopStyleColor();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool has_room = has_room_for_facts(width, input.scale);
  const float facts = (has_room ? kSizePx + kChangedPx : 0) * input.scale;
  if (is_chosen) {
    list.AddRectFilled({at.x - 3 * input.scale, at.y}, {at.x, at.y + ImGui::GetFontSize()},
                       input.theme.accent);
  }
  draw_text(list, {at.x + 4 * input.scale, at.y},
            entry.is_folder ? input.theme.accent : input.theme.text,
            entry.name + (entry.is_folder ? "/" : ""), width - facts - 12 * input.scale);
  if (has_room) {
    const float x = at.x + width - facts;
    if (!entry.is_folder) {
      const std::string size = format_bytes(entry.size_bytes);
      const float right = x + (kSizePx - 16) * input.scale - text_width(size);
      draw_text(list, {right, at.y}, input.theme.text_dim, size, kSizePx * input.scale);
    }
    draw_text(list, {x + kSizePx * input.scale, at.y}, input.theme.text_dim, when(entry.changed),
              kChangedPx * input.scale);
  }
  return is_pressed;
}

void FileDialog::draw_buttons(const ChromeInput& input, const FolderListing& listing) {
  const size_t count = chosen_.size();
  const std::string title = count > 1 ? fmt::format("Open {} files", count) : "Open";
  ImGui::BeginDisabled((shown_.empty() || !selected_) && count == 0);
  if (ImGui::Button(title.c_str())) accept(input, listing);
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) is_done_ = true;
  ImGui::SameLine(0, 16 * input.scale);
  draw_type(input);
  show_several(input);
}

// Existing files are known from the listing: no file is looked up in a frame.
void FileDialog::draw_save_button(const ChromeInput& input, const FolderListing& listing) {
  const std::string_view name = typed_.data();
  if (input.session.dialogs.file_wish && input.session.dialogs.file_wish->is_there) {
    const size_t count = chosen_.size();
    const std::string title = name.empty() && count == 0  ? "Choose this folder"
                              : name.empty() && count > 1 ? fmt::format("Choose {} files", count)
                                                          : "Choose";
    if (ImGui::Button(title.c_str())) save(input);
    ImGui::SameLine();
    if (ImGui::Button("Cancel")) is_done_ = true;
    if (takes_several(input)) show_several(input);
    return;
  }
  const bool is_there =
      std::ranges::find(listing.entries, name, &FolderEntry::name) != listing.entries.end();
  ImGui::BeginDisabled(name.empty());
  if (ImGui::Button(is_there ? "Replace" : "Write")) save(input);
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) is_done_ = true;
  if (!is_there) return;
  ImGui::SameLine();
  show_text("There is such a file: it will be replaced", input.theme.warning);
}

// Keys pressed while a folder is being read are meant for its content. Backspace belongs to the
// line unless it is empty.
void FileDialog::take_keys(const Input& keys, bool is_line_empty) {
  std::ranges::copy_if(
      keys.chords, std::back_inserter(waiting_keys_),
      [&](const std::string& chord) { return is_line_empty || chord != "Backspace"; });
  const auto has = [&](const char* chord) {
    return std::ranges::find(keys.chords, chord) != keys.chords.end();
  };
  takes_focus_ |= has("Enter");  // which has given it away
  is_done_ |= has("Escape");
}

void FileDialog::press(const ChromeInput& input, const FolderListing& listing) {
  const fs::path folder = folder_;
  while (!waiting_keys_.empty() && !is_done_ && folder == folder_) {
    const std::string chord = std::move(waiting_keys_.front());
    waiting_keys_.pop_front();
    press(chord, input, listing);
  }
}

void FileDialog::press(std::string_view chord, const ChromeInput& input,
                       const FolderListing& listing) {
  if (is_saving_) {
    if (chord == "Enter" && (typed_[0] != 0 || !chosen_.empty())) save(input);
    return;
  }
  if (chord == "Backspace" && typed_[0] == 0) return go_up();
  if (chord == "Enter") return accept(input, listing);
  const bool is_back = chord == "Up" || chord == "PageUp";
  if (!is_back && chord != "Down" && chord != "PageDown") return;
  chosen_.clear();
  const size_t step = chord.starts_with("Page") ? std::max<size_t>(2, rows_seen_) - 1 : 1;
  const size_t last = shown_.empty() ? 0 : shown_.size() - 1;
  selected_ = !selected_ ? 0
              : is_back  ? std::max(step, *selected_) - step
                         : std::min(last, *selected_ + step);
  scrolls_ = true;
}

// Accepts the chosen files, or else the highlighted one.
void FileDialog::accept(const ChromeInput& input, const FolderListing& listing) {
  if (!chosen_.empty()) {
    for (const std::string& name : chosen_) open(input, folder_ / name);
  } else if (selected_ && *selected_ < shown_.size()) {
    choose(FolderEntry(listing.entries[shown_[*selected_]]), input);
  }
}

void FileDialog::choose(const FolderEntry& entry, const ChromeInput& input) {
  if (entry.is_folder) return go_to(folder_ / entry.name);
  if (!is_saving_) return open(input, folder_ / entry.name);
  type(entry.name);
  save(input);
}

bool FileDialog::takes_several(const ChromeInput& input) const {
  return !is_saving_ ||
         (input.session.dialogs.file_wish && input.session.dialogs.file_wish->argument == "paths");
}

void FileDialog::save(const ChromeInput& input) {
  const FileWish& wish = *input.session.dialogs.file_wish;
  Json args = wish.args;
  const std::string path = (typed_[0] == 0 ? folder_ : folder_ / typed_.data()).string();
  if (!takes_several(input)) {
    args[wish.argument] = path;
  } else if (typed_[0] != 0 || chosen_.empty()) {
    args[wish.argument] = Json::array({path});
  } else {
    for (const std::string& name : chosen_)
      args[wish.argument].push_back((folder_ / name).string());
  }
  input.commands.push_back({wish.command, std::move(args)});
  is_done_ = true;
}

void FileDialog::open(const ChromeInput& input, const fs::path& file) {
  if (is_saving_) return go_to(file.parent_path());
  TypeChoice type;
  if (type_) type.format = type_->id;
  // Options left at their defaults are not passed on.
  for (const formats::Option& option : type_ ? type_->options : std::vector<formats::Option>()) {
    const auto typed = options_.find(option.name);
    if (typed == options_.end() || typed->second.data() == option.fallback) continue;
    type.options[option.name] = typed->second.data();
  }
  input.commands.push_back(open_command(file, type));
  is_done_ = true;
}

}  // namespace weft::app

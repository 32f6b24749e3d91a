// The dialogs of app/chrome.h.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "app/chrome.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

bool begin_dialog(const ChromeInput& input, const char* title, ImVec2 size, bool* is_open) {
  const ImVec2 middle = {(input.area.x0 + input.area.x1) / 2, (input.area.y0 + input.area.y1) / 2};
  const ImVec2 room = {std::min(size.x * input.scale, input.area.width() * 0.95F),
                       std::min(size.y * input.scale, input.area.height() * 0.9F)};
  ImGui::SetNextWindowPos(middle, ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSize(room, ImGuiCond_Appearing);
  return ImGui::Begin(title, is_open,
                      ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings);
}

void close_with(const ChromeInput& input, bool is_open, const char* command) {
  if (!is_open) input.commands.push_back({command, {{"shown", false}}});
}

struct Gesture {
  const char* keys;
  const char* meaning;
};
constexpr Gesture kGestures[] = {
    {"W  S", "zoom in and out, where the pointer is"},
    {"A  D   or   ←  →", "move in time"},
    {"↑  ↓", "scroll the lanes"},
    {"wheel", "zoom where the pointer is"},
    {"Shift + wheel", "move in time"},
    {"wheel over the lane names", "scroll the lanes"},
    {"Ctrl + wheel", "height of the rows"},
    {"drag", "move"},
    {"drag on the ruler", "select a range"},
    {"double click", "zoom to what is there"},
    {"drag to the right in the density", "zoom to that range"},
    {"drag to the left in the density", "show the whole trace"},
};

void two_columns(const ChromeInput& input, std::string_view left, std::string_view right) {
  show_text(left, input.theme.accent);
  ImGui::SameLine(230 * input.scale);
  show_text(right);
}

}  // namespace

void draw_losses(const ChromeInput& input) {
  const OpenTrace* trace = input.session.trace();
  if (!input.session.shows_losses || !trace || !trace->trace()) return;
  bool is_open = true;
  if (begin_dialog(input, "What the trace has lost", {640, 360}, &is_open)) {
    const trace::ImportReport& report = trace->trace()->dictionary().report;
    if (report.losses().empty()) show_text("Nothing: every event could be read as written.");
    for (const trace::Loss& loss : report.losses()) {
      ImGui::PushFont(input.fonts.bold);
      show_text(format_count(loss.count) + " × " + printable(loss.kind),
                loss.is_damage ? input.theme.warning : input.theme.text);
      ImGui::PopFont();
      std::string where = "at byte ";
      for (size_t i = 0; i < loss.first.size(); ++i) {
        where += (i > 0 ? ", " : "") + format_count(loss.first[i]);
      }
      if (loss.count > loss.first.size()) where += " …";
      if (!loss.first.empty()) show_text(where, input.theme.text_dim);
      ImGui::Spacing();
    }
  }
  ImGui::End();
  close_with(input, is_open, "losses.show");
}

void draw_help(const ChromeInput& input) {
  if (!input.session.shows_help) return;
  bool is_open = true;
  if (begin_dialog(input, "Keys and mouse", {620, 620}, &is_open)) {
    for (const Gesture& gesture : kGestures) two_columns(input, gesture.keys, gesture.meaning);
    ImGui::Separator();
    for (const CommandRow& row : command_table()) {
      if (!row.shortcut.empty()) two_columns(input, row.shortcut, row.title);
    }
  }
  ImGui::End();
  close_with(input, is_open, "help.show");
}

void draw_welcome(const ChromeInput& input, const Area& area) {
  const OpenTrace* trace = input.session.trace();
  std::string title;
  std::string hint;
  ImU32 color = input.theme.text;
  if (!trace) {
    title = "No trace is open";
    hint = "Drop a file here, or press Ctrl+O. F1 shows keys and mouse.";
  } else if (trace->has_failed()) {
    title = "The trace cannot be shown";
    hint = trace->error();
    color = input.theme.error;
  } else if (!trace->trace()) {
    title = "Reading " + trace->path().filename().string();
    hint = "The picture appears as soon as there is something to see.";
  } else if (trace->trace()->counts().total() == 0) {
    title = trace->is_loading() ? "Nothing read yet" : "The trace holds no events";
    hint = counted(trace->trace()->dictionary().lanes.size(), "lane");
  } else {
    return;
  }
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const auto centered = [&](std::string_view words, float y, ImU32 ink) {
    const std::string safe = printable(words);
    const float width = ImGui::CalcTextSize(safe.c_str()).x;
    const float room = area.width() - 24 * input.scale;
    const float x = area.x0 + std::max(12 * input.scale, (area.width() - width) / 2);
    draw_printable(list, {x, y}, ink, safe, width, room);
  };
  const float y = area.y0 + area.height() * 0.42F;
  ImGui::PushFont(input.fonts.bold);
  centered(title, y, color);
  const float next = y + ImGui::GetFontSize() + 8 * input.scale;
  ImGui::PopFont();
  centered(hint, next, input.theme.text_dim);
}

void OpenDialog::list_folder() {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path folder = path_;
  if (!fs::is_directory(folder, error)) folder = folder.parent_path();
  if (folder.string() == listed_) return;
  listed_ = folder.string();
  entries_.clear();
  for (const auto& entry :
       fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, error)) {
    if (error || entries_.size() == 2000) break;
    std::error_code ignored;
    const bool is_folder = entry.is_directory(ignored);
    entries_.push_back({entry.path().filename().string(), is_folder,
                        is_folder ? 0 : static_cast<uint64_t>(entry.file_size(ignored))});
  }
  std::ranges::sort(entries_, [](const Entry& a, const Entry& b) {
    return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name;
  });
}

void OpenDialog::draw(const ChromeInput& input) {
  const bool has_appeared = input.session.shows_open_dialog && !was_shown_;
  was_shown_ = input.session.shows_open_dialog;
  if (!was_shown_) return;
  if (has_appeared) {
    std::error_code error;
    const OpenTrace* trace = input.session.trace();
    path_ = (trace ? std::filesystem::absolute(trace->path(), error).parent_path()
                   : std::filesystem::current_path(error)) /
            "";
    listed_.clear();
  }
  bool is_open = true;
  std::string chosen;
  if (begin_dialog(input, "Open a trace", {720, 460}, &is_open)) {
    std::array<char, 4096> buffer{};
    path_.copy(buffer.data(), buffer.size() - 1);
    ImGui::SetNextItemWidth(-1);
    if (has_appeared) ImGui::SetKeyboardFocusHere();
    if (ImGui::InputText("##path", buffer.data(), buffer.size(),
                         ImGuiInputTextFlags_EnterReturnsTrue)) {
      chosen = buffer.data();
    }
    path_ = buffer.data();
    list_folder();
    ImGui::BeginChild("files");
    if (ImGui::Selectable("..")) path_ = std::filesystem::path(listed_).parent_path().string();
    for (size_t i = 0; i < entries_.size(); ++i) {
      const Entry& entry = entries_[i];
      ImGui::PushID(static_cast<int>(i));
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const bool is_clicked = ImGui::Selectable("##entry");
      const std::string size = entry.is_folder ? "folder" : format_bytes(entry.size_bytes);
      ImDrawList& list = *ImGui::GetWindowDrawList();
      const float width = ImGui::GetContentRegionAvail().x;
      draw_text(list, at, input.theme.text, entry.name, width - 120 * input.scale);
      draw_text(list, {at.x + width - 100 * input.scale, at.y}, input.theme.text_dim, size,
                100 * input.scale);
      ImGui::PopID();
      if (!is_clicked) continue;
      const std::filesystem::path full = std::filesystem::path(listed_) / entry.name;
      entry.is_folder ? path_ = (full / "").string() : chosen = full.string();
    }
    ImGui::EndChild();
  }
  ImGui::End();
  if (!chosen.empty()) {
    input.commands.push_back({"open", {{"path", chosen}}});
    is_open = false;
  }
  close_with(input, is_open, "open.ask");
}

}  // namespace weft::app

#include "app/window/type_ahead.h"

#include <imgui_internal.h>

#include <algorithm>
#include <utility>

namespace weft::app {
namespace {

// ImGui needs three; more, and letters would be kept for a field that never comes.
constexpr int kPatience = 8;

ImWchar upper(ImWchar letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<ImWchar>(letter - 'a' + 'A') : letter;
}

bool has(const std::vector<std::string>& chords, std::string_view chord) {
  return std::ranges::find(chords, chord) != chords.end();
}

}  // namespace

bool TypeAhead::begin_frame(std::vector<std::string>& chords) {
  const ImGuiIO& io = ImGui::GetIO();
  typed_.assign(io.InputQueueCharacters.begin(), io.InputQueueCharacters.end());
  const bool has_left = std::exchange(has_left_, false);
  const bool waits = frames_left_ > 0;
  const bool is_typing = waits ? hold_or_release(chords) : io.WantTextInput && !has_left;
  if (!waits) {  // what was held for a field that was not typed into again
    chords.insert(chords.begin(), held_chords_.begin(), held_chords_.end());
    held_chords_.clear();
  }
  escapes_ = is_typing && has(chords, "Escape");
  enters_ = is_typing && has(chords, "Enter");
  return is_typing;
}

void TypeAhead::wait() {
  frames_left_ = kPatience;
  leaves_field_ = ImGui::GetIO().WantTextInput;
  held_.clear();
  held_chords_.clear();
}

// Returns true if what is typed is text.
bool TypeAhead::hold_or_release(std::vector<std::string>& chords) {
  ImGuiIO& io = ImGui::GetIO();
  held_.insert(held_.end(), typed_.begin(), typed_.end());
  held_chords_.insert(held_chords_.end(), chords.begin(), chords.end());
  chords.clear();
  io.InputQueueCharacters.resize(0);
  leaves_field_ &= io.WantTextInput;
  --frames_left_;
  const bool has_field = io.WantTextInput && (!leaves_field_ || frames_left_ == 0);
  // Escape comes before the field has the focus: it closes what was opened, which must have
  // appeared for that, and what was typed comes to nothing.
  const bool has_appeared = frames_left_ < kPatience - 1;
  const bool is_cancelled = !has_field && has_appeared && has(held_chords_, "Escape");
  if (has_field) {
    for (const ImWchar letter : held_) io.InputQueueCharacters.push_back(letter);
  }
  if (has_field || is_cancelled) frames_left_ = 0;
  if (frames_left_ == 0) {
    held_.clear();
    chords.swap(held_chords_);
  }
  return !is_cancelled;
}

void TypeAhead::end_frame() {
  const bool is_left = !ImGui::IsAnyItemActive();
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  const bool is_wanted =
      context.NavMoveSubmitted && (context.NavMoveFlags & ImGuiNavMoveFlags_FocusApi) != 0;
  // The find bar takes the focus back if Escape has only closed its list.
  if (escapes_ && is_left) has_left_ = !is_wanted;
  // What Enter has left is given the focus in the next frame, if at all.
  if (std::exchange(has_entered_, enters_ && is_left) && is_left && !is_wanted) frames_left_ = 0;
  if (has_entered_) wait();
}

void TypeAhead::close() {
  has_left_ = true;
  if (std::exchange(has_entered_, false)) frames_left_ = 0;
}

void TypeAhead::open(std::string_view chord, const std::vector<std::string>& chords) {
  has_entered_ = false;
  wait();
  const auto opener = std::ranges::find(chords, chord);
  held_chords_.assign(opener == chords.end() ? opener : opener + 1, chords.end());
  // The key itself may be a letter, as that of "/".
  auto begin = typed_.begin();
  if (chord.size() == 1) {
    const auto key = std::ranges::find(typed_, static_cast<ImWchar>(chord[0]), upper);
    begin = key == typed_.end() ? key : key + 1;
  }
  held_.assign(begin, typed_.end());
}

unsigned open_fields(const Session& session) {
  const PanelInstance* focused = session.desk.layout.find(session.desk.layout.focused());
  const bool is_typed_into = focused && (focused->kind == "console" || focused->kind == "sql");
  unsigned fields = 0;
  for (const bool is_open : {session.dialogs.shows_palette, session.dialogs.shows_open_dialog,
                             session.dialogs.shows_go_to, session.dialogs.shows_find,
                             session.dialogs.file_wish.has_value(), is_typed_into}) {
    fields = fields << 1 | (is_open ? 1U : 0U);
  }
  return fields;
}

}  // namespace weft::app

#include "app/type_ahead.h"

#include <algorithm>

namespace weft::app {
namespace {

// ImGui needs three; more, and letters would be kept for a field that never comes.
constexpr int kPatience = 8;

ImWchar upper(ImWchar letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<ImWchar>(letter - 'a' + 'A') : letter;
}

}  // namespace

bool TypeAhead::begin_frame() {
  ImGuiIO& io = ImGui::GetIO();
  typed_.assign(io.InputQueueCharacters.begin(), io.InputQueueCharacters.end());
  if (frames_left_ == 0) return io.WantTextInput;
  held_.insert(held_.end(), typed_.begin(), typed_.end());
  io.InputQueueCharacters.resize(0);
  if (io.WantTextInput) {
    for (const ImWchar letter : held_) io.InputQueueCharacters.push_back(letter);
    frames_left_ = 0;
  } else {
    --frames_left_;
  }
  if (frames_left_ == 0) held_.clear();
  return true;
}

void TypeAhead::open(std::string_view chord) {
  frames_left_ = kPatience;
  held_.clear();
  // The key itself may be a letter, as that of "/".
  auto begin = typed_.begin();
  if (chord.size() == 1) {
    const auto key = std::ranges::find(typed_, static_cast<ImWchar>(chord[0]), upper);
    begin = key == typed_.end() ? key : key + 1;
  }
  held_.assign(begin, typed_.end());
}

unsigned open_fields(const Session& session) {
  unsigned fields = 0;
  for (const bool is_open : {session.shows_palette, session.shows_open_dialog, session.shows_go_to,
                             session.shows_find, session.file_wish.has_value()}) {
    fields = fields << 1 | (is_open ? 1U : 0U);
  }
  return fields;
}

}  // namespace weft::app

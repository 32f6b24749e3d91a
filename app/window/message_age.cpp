#include "app/window/message_age.h"

#include <imgui.h>

#include <algorithm>

namespace weft::app {

void MessageAge::step(Messages& messages, const Input& pressed) {
  // Who goes on after a command that failed has read why.
  const double least_seconds = messages.last.command.empty() ? 10 : 3;
  const uint64_t serial = messages.last.serial;
  age_s_ = serial == serial_ ? age_s_ + pressed.seconds : 0;
  serial_ = serial;
  if (pressed.chords.empty() && !ImGui::IsAnyMouseDown()) return;
  messages.noticed = serial;
  const bool has_escape = std::ranges::find(pressed.chords, "Escape") != pressed.chords.end();
  const bool is_over = messages.last.offer ? has_escape || age_s_ > 60 : age_s_ > least_seconds;
  if (is_over) messages.clear_last();
}

}  // namespace weft::app

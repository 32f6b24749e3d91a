#include "app/window/keyboard.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/base/ascii.h"

namespace weft::app {
namespace {

constexpr double kZoomPerSecond = 2.2;  // doublings
constexpr double kScreensPerSecond = 0.9;
constexpr double kRowsPerSecond = 28;
constexpr double kLongestFrame = 0.05;  // seconds: after a stall the view must not jump

// The steps of the arrow keys from the selected element where time runs downwards.
constexpr std::pair<std::string_view, std::string_view> kStepsDownwards[] = {
    {"Up", "element.previous_of_type"},
    {"Down", "element.next_of_type"},
    {"Left", "element.back_along_link"},
    {"Right", "element.along_link"}};

// Empty if the chord means the same there as elsewhere.
std::string_view step_downwards(std::string_view chord) {
  for (const auto& [key, command] : kStepsDownwards) {
    if (key == chord) return command;
  }
  return {};
}

bool edits_text(std::string_view chord) {
  constexpr std::string_view kCtrl = "Ctrl+", kShift = "Shift+";
  constexpr std::string_view kLeaving[] = {"F1", "F6", "Shift+F6", "F10"};
  if (std::ranges::find(kLeaving, chord) != std::end(kLeaving)) return false;
  if (!chord.starts_with(kCtrl)) return true;
  chord.remove_prefix(kCtrl.size());
  if (chord == "F") return true;  // stays in the bar that it leads to
  if (chord.starts_with(kShift)) chord.remove_prefix(kShift.size());
  constexpr std::string_view kEditing = "ACVXYZ";  // all, copy, paste, cut, redo, undo
  const bool is_letter = chord.size() == 1 && is_upper(chord[0]);
  return !is_letter || kEditing.find(chord[0]) != std::string_view::npos;
}

}  // namespace

Input without_typing(const Input& input) {
  Input left;
  left.seconds = input.seconds;
  std::ranges::copy_if(input.chords, std::back_inserter(left.chords), std::not_fn(edits_text));
  return left;
}

std::vector<Command> Keyboard::commands(const Input& input, const Session& session) {
  std::vector<Command> commands;
  const OpenTrace* trace = session.trace();
  const std::optional<Time> hover = trace ? session.hover_in(*trace) : std::nullopt;
  // Arrows step from a selected element; without one they move the view.
  const bool steps = trace && trace->element();
  const PanelInstance* focused = session.desk.layout.find(session.desk.layout.focused());
  const bool steps_downwards = steps && focused && focused->kind == "sequence";
  for (const std::string& chord : input.chords) {
    if (const auto step = step_downwards(chord); steps_downwards && !step.empty()) {
      commands.push_back({std::string(step)});
      continue;
    }
    if (!steps && (chord == "Left" || chord == "Right")) continue;
    if (const CommandRow* row = session.keys.find(chord)) {
      Command command = {std::string(row->name)};
      if (row->wants_time && session.hover) command.args["at"] = session.hover->edge.ticks;
      commands.push_back(std::move(command));
    }
  }
  const bool left = input.left || (input.arrow_left && !steps);
  const bool right = input.right || (input.arrow_right && !steps);
  const bool up = input.up && !steps_downwards, down = input.down && !steps_downwards;
  const bool is_held = input.zoom_in || input.zoom_out || left || right || up || down;
  if (!is_held || !trace) {
    gesture_ = 0;
    return commands;
  }
  // The first frame counts as three of sixty a second: a short press moves, too.
  const bool is_first = gesture_ == 0;
  if (is_first) gesture_ = new_gesture();
  const double seconds = is_first ? 3.0 / 60 : std::min(input.seconds, kLongestFrame);
  const FoldedTime time = trace->folded_time();
  TimeWindow window = time.fold(trace->view().window);
  const auto direction = [](bool forward, bool back) { return (forward ? 1 : 0) - (back ? 1 : 0); };
  if (const int zoom = direction(input.zoom_in, input.zoom_out)) {
    const double at =
        hover ? std::clamp(window.fraction_from_time(time.fold(*hover)), 0.0, 1.0) : 0.5;
    window = trace->zoomed(window, std::exp2(zoom * kZoomPerSecond * seconds), at);
  }
  if (const int pan = direction(right, left)) {
    window = window.panned(pan * kScreensPerSecond * seconds * window.length);
  }
  if (window != time.fold(trace->view().window)) {
    commands.push_back(view_set_command(time.unfold(window), gesture_));
  }
  if (const int scroll = direction(down, up)) {
    const double to =
        trace->view().scroll_px + scroll * kRowsPerSecond * seconds * session.look.row_height_px;
    commands.push_back({"scroll", {{"to", std::max(0.0, to)}}, gesture_});
  }
  return commands;
}

}  // namespace weft::app

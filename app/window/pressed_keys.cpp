#include "app/window/pressed_keys.h"

#include <imgui_internal.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/session/pinned_scope.h"

namespace weft::app {
namespace {

// ImGui begins a menu at its first entry, which nobody sees: Enter would take it, and an arrow lead
// to the second. So it begins above it; a list begins at what is chosen.
void forget_what_is_not_seen() {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  const ImGuiWindow* window = context.NavWindow;
  if (!window || std::string_view(window->Name).starts_with("##Combo")) return;
  if (!context.NavDisableHighlight || context.HoveredId != 0 || context.NavId == 0) return;
  ImGui::SetNavID(0, context.NavLayer, 0, ImRect(0, 0, window->Size.x, 0));
}

}  // namespace

std::vector<Command> PressedKeys::begin_frame(Input& input, Session& session,
                                              std::span<const std::string_view> wanted,
                                              bool has_dialog) {
  const bool is_typing = type_ahead_.begin_frame(input.chords);
  of_panel_.clear();
  input = without_menu_keys(input);
  std::vector<Command> commands;
  if (!has_dialog) {
    if (!is_typing) take_panel_keys(input, wanted);
    commands = commands_of(is_typing ? without_typing(input) : input, session);
  }
  from_keys_ = commands.size();
  return commands;
}

void PressedKeys::end_frame() {
  type_ahead_.end_frame();
  had_menu_ = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  if (had_menu_ && !ImGui::IsAnyItemActive()) forget_what_is_not_seen();
}

// While a menu, a list or a small dialog is open the arrows go through it, by ImGui's navigation,
// Enter chooses, and Escape closes it: these are left out of what it returns.
Input PressedKeys::without_menu_keys(const Input& input) {
  const bool is_open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  // ImGui, which hears Escape from a keyboard, too, has closed it before this frame began.
  const bool was_open = std::exchange(had_menu_, false);
  ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
  flags = is_open ? flags | ImGuiConfigFlags_NavEnableKeyboard
                  : flags & ~ImGuiConfigFlags_NavEnableKeyboard;
  if (!is_open && !was_open) return input;
  Input rest = input;
  const auto takes = [&](const char* chord) { return std::erase(rest.chords, chord) > 0; };
  const bool closes = takes("Escape");
  if (!is_open) return rest;
  if (closes) ImGui::ClosePopupToLevel(0, /*restore_focus_to_window_under_popup=*/true);
  ImGuiContext& context = *ImGui::GetCurrentContext();
  if (takes("Enter"))
    context.NavActivateId = context.NavActivateDownId = context.NavActivatePressedId =
        context.NavId;
  for (const char* chord : {"Up", "Down", "Left", "Right", "Space", "Home", "End"}) takes(chord);
  rest.up = rest.down = rest.arrow_left = rest.arrow_right = false;
  return rest;
}

// Keys that the focused panel wants run no commands and move no view.
void PressedKeys::take_panel_keys(Input& input, std::span<const std::string_view> wanted) {
  if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
  const auto is_wanted = [&](std::string_view chord) {
    return std::ranges::find(wanted, chord) != wanted.end();
  };
  std::ranges::copy_if(input.chords, std::back_inserter(of_panel_), is_wanted);
  std::erase_if(input.chords, is_wanted);
  input.up &= !is_wanted("Up");
  input.down &= !is_wanted("Down");
  input.arrow_left &= !is_wanted("Left");
  input.arrow_right &= !is_wanted("Right");
}

// Held keys move what has the focus.
std::vector<Command> PressedKeys::commands_of(const Input& input, Session& session) {
  const PinnedScope scope(session, session.desk.layout.focused());
  std::vector<Command> commands = keyboard_.commands(input, session);
  for (Command& command : commands) {
    // A command that takes the time under the pointer applies to the trace there.
    const bool is_there = session.hover && find_command(command.name)->wants_time;
    const std::string_view in = is_there            ? session.hover->panel
                                : scope.is_pinned() ? session.desk.layout.focused()
                                                    : std::string_view();
    if (!in.empty()) command.args["in"] = in;
  }
  return commands;
}

void PressedKeys::leave_field() {
  if (!ImGui::GetIO().WantTextInput) return;
  ImGui::ClearActiveID();
  type_ahead_.close();
}

void PressedKeys::run(const std::vector<Command>& commands, const Input& input,
                      const Session& session, const std::function<bool(const Command&)>& run) {
  unsigned fields = open_fields(session), opened = 0, closed = 0;
  bool gives_keys = false;  // to a field that is there
  const auto opens_field = [&](const Command& command) {
    const bool gives = run(command);
    const unsigned now = open_fields(session), opens = now & ~fields;
    opened = (opened | opens) & now;
    gives_keys = gives || (gives_keys && (fields & ~now) == 0);
    closed |= fields & ~now;
    fields = now;
    return gives || opens != 0;
  };
  std::string chord;
  size_t next = 0;
  for (; next < from_keys_ && chord.empty(); ++next) {
    if (!opens_field(commands[next])) continue;
    const auto is_it = [&](const std::string& pressed) {
      const CommandRow* row = session.keys.find(pressed);
      return row && row->name == commands[next].name;
    };
    const auto pressed = std::ranges::find_if(input.chords, is_it);
    if (pressed != input.chords.end()) chord = *pressed;
  }
  if (!chord.empty()) next = from_keys_;
  for (; next < commands.size(); ++next) (void)opens_field(commands[next]);
  if (opened != 0 || gives_keys) {
    type_ahead_.open(chord, input.chords);
  } else if (closed != 0) {
    type_ahead_.close();
  }
}

}  // namespace weft::app

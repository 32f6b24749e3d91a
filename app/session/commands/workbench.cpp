// Commands on the workbench itself: panels, look, help.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"

namespace weft::app {
namespace {

constexpr Choice kThemes[] = {{"dark"}, {"light"}, {"toggle"}};

Status theme(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string name, choice_arg(command.args, "name", kThemes, "toggle"));
  const bool was_dark = session.look.theme == layout::Theme::kDark;
  const bool is_dark = name == "dark" || (name == "toggle" && !was_dark);
  session.look.theme = is_dark ? layout::Theme::kDark : layout::Theme::kLight;
  return {};
}

Status gutter_width(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const double px, positive_arg(command.args, "px"));
  session.look.gutter_px = std::clamp(px, 80.0, 800.0);
  return {};
}

Status escape(Session& session, const Command&) {
  bool was_open = false;
  for (bool* shown : session.dialogs.all()) was_open |= std::exchange(*shown, false);
  was_open |= std::exchange(session.dialogs.file_wish, std::nullopt).has_value();
  if (was_open) return {};
  OpenTrace* trace = session.trace();
  if (std::exchange(session.dialogs.shows_find, false)) {
    if (trace) trace->set_filter({"", trace->view().filter.mode}, 0);
    return {};
  }
  // What a click in the panel has opened there.
  PanelInstance* const panel = session.desk.layout.find(session.desk.layout.focused());
  if (panel && panel->kind == "durations" && panel->options.erase("bin") > 0) return {};
  if (trace) {
    trace->selection.reset();
    trace->selected_lanes.clear();
    trace->select_element(std::nullopt);
  }
  return {};
}

Status palette_show(Session& session, const Command& command) {
  session.dialogs.palette_asks.clear();
  if (!command.args.contains("asks"))
    return show_flag<&Session::dialogs, &Dialogs::shows_palette>(session, command);
  WEFT_TRY_ASSIGN(const std::string name, text_arg(command.args, "asks"));
  if (find_command(name) == nullptr) return fail(fmt::format("no command '{}'", name));
  session.dialogs.palette_asks = name;
  session.dialogs.shows_palette = true;
  return {};
}

constexpr CommandRow kWorkbenchCommands[] = {
    {"escape", "Close what is open, then clear the selection", "Escape", {}, escape},
    {"theme", "Dark or light", "Ctrl+T", {one_of("name", kThemes, "toggle")}, theme},
    {"states.by_duration",
     "Colour states by how long they take",
     "Shift+C",
     {kShown},
     show_flag<&Session::look, &Look::colors_by_duration>},
    {"gutter.width", "Width of the lane names", "", {{"px", "80 to 800"}}, gutter_width},
    {"links.show",
     "Show links as arrows",
     "L",
     {kShown},
     show_flag<&Session::look, &Look::shows_links>},
    {"messages.show",
     "Messages",
     "",
     {kShown},
     show_flag<&Session::dialogs, &Dialogs::shows_messages>,
     nullptr,
     false,
     true},
    {"palette.show",
     "Run a command…",
     "Ctrl+Shift+P",
     {kShown, {"asks", "the command whose arguments are to be typed", "none"}},
     palette_show,
     nullptr,
     false,
     true},
    {"menu.show",
     "Open the menus",
     "F10",
     {kShown},
     show_flag<&Session::dialogs, &Dialogs::shows_menus>,
     nullptr,
     false,
     true},
    {"help.show",
     "Keys and mouse",
     "F1 ?",
     {kShown},
     show_flag<&Session::dialogs, &Dialogs::shows_help>,
     nullptr,
     false,
     true},
};

}  // namespace

std::span<const CommandRow> workbench_commands() { return kWorkbenchCommands; }

}  // namespace weft::app

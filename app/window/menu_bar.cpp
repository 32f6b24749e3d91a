// The menu bar of app/window/chrome.h: menus, and a tab per open trace.
#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <iterator>
#include <optional>
#include <string>

#include "app/panels/menu_item.h"
#include "app/session/commands/obstacles.h"
#include "app/session/option_choices.h"
#include "app/session/panel_kinds.h"
#include "app/session/settings.h"
#include "app/session/timeline_options.h"
#include "app/window/chrome.h"
#include "app/window/trace_tabs.h"
#include "core/base/ascii.h"

namespace weft::app {
namespace {

// Whether it is open.
bool menu(const ChromeInput& input, const char* title, void (*draw_items)(const ChromeInput&)) {
  // In a low window it scrolls below the bar.
  const float room = input.area.height() - 2 * ImGui::GetFrameHeight();
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, std::max(room, ImGui::GetFrameHeight())});
  if (!ImGui::BeginMenu(title)) return false;
  draw_items(input);
  ImGui::EndMenu();
  return true;
}

// A menu item from a row of the table of commands.
void command_item(const ChromeInput& input, const char* name, bool is_checked = false) {
  offer(input.session, {{name}, {}, is_checked}, input.commands);
}

// A command whose arguments are typed into the palette.
void asking_item(const ChromeInput& input, const char* name) {
  const std::string title = std::string(find_command(name)->title) + "…";
  if (plain_item(title.c_str(), obstacle_to(name, input.session)))
    input.commands.push_back({"palette.show", {{"asks", name}}});
}

void recent_menu(const ChromeInput& input) {
  if (!begin_menu("Open recent", needs_recent_files(input.session))) return;
  int id = 0;
  for (const auto& path : input.session.recent.files) {
    if (text_item(input.theme, input.scale, id++, path.filename().string())) {
      input.commands.push_back({"open", {{"path", path.string()}}});
    }
  }
  ImGui::Separator();
  command_item(input, "recent.clear");
  ImGui::EndMenu();
}

void save_items(const ChromeInput& input) {
  const OpenTrace* trace = input.session.trace();
  const auto item = [&](const char* title, const std::string& obstacle, const char* ending,
                        const char* part) {
    if (!plain_item(title, obstacle)) return;
    input.commands.push_back(ask_for_export(trace->beside().string() + ending, part));
  };
  item("Save the trace…", needs_trace(input.session), ".weft", "all");
  item("Save the selected part…", needs_range_or_lanes(input.session), ".part.weft", "selection");
}

void file_menu(const ChromeInput& input) {
  const std::string obstacle = needs_trace(input.session);
  command_item(input, "open.ask");
  command_item(input, "remote.ask", input.session.dialogs.shows_remote);
  recent_menu(input);
  command_item(input, "reload");
  command_item(input, "close");
  ImGui::Separator();
  save_items(input);
  ImGui::Separator();
  for (const char* name : {"load.cancel", "live.hold", "live.ask"}) command_item(input, name);
  if (plain_item("Names from sources…", obstacle)) {
    input.commands.push_back(ask_for_symbols(input.session.trace()->beside()));
  }
  command_item(input, "symbols.clear");
  command_item(input, "snapshot.ask");
  ImGui::Separator();
  command_item(input, "quit");
}

void open_item(const ChromeInput& input, const char* title, const char* panel) {
  offer(input.session,
        {.command = {"panel.open", {{"panel", panel}}},
         .title = title,
         .obstacle = needs_trace(input.session)},
        input.commands);
}

void find_menu(const ChromeInput& input) {
  for (const char* name : {"find.show", "find.next", "find.previous", "find.list", "filter.clear"})
    command_item(input, name);
  ImGui::Separator();
  for (const char* name : {"view.go.ask", "element.reveal"}) command_item(input, name);
  ImGui::Separator();
  for (const char* name : {"losses.next", "losses.previous"}) command_item(input, name);
  open_item(input, "Every problem: Data quality", "quality");
}

// Where the menu sets cursors and markers; keys set them where the pointer is.
struct PlaceOfMarks {
  Time at;
  std::string said;
};
std::optional<PlaceOfMarks> place_of_marks(const ChromeInput& input) {
  const OpenTrace* trace = input.session.trace();
  if (!trace || !trace->trace()) return std::nullopt;
  const bool is_pointed = input.pointed && input.pointed->trace_id == trace->id();
  const TimeWindow& window = trace->view().window;
  const Time at = is_pointed ? input.pointed->edge : window.time_from_fraction(0.5);
  const Duration span = window.range().length();
  const Duration resolution{std::max<int64_t>(1, span.ticks / 1000)};
  const std::string label = time_label(input.session.look.time_display, at, trace->reach(),
                                       trace->time_base(), span, resolution);
  return PlaceOfMarks{at, "At " + label + (is_pointed ? ", pointed at last:" : ", in the middle:")};
}

// Cursors and markers.
void mark_menu(const ChromeInput& input) {
  const std::optional<PlaceOfMarks> place = place_of_marks(input);
  if (place) show_text(place->said, input.theme.text_dim);
  for (const char* name : {"marker.add", "marker.a", "marker.b"}) {
    Offered mark = {.command = {name}, .obstacle = needs_timeline_of_trace(input.session)};
    if (place) mark = {.command = {name, {{"at", place->at.ticks}}}};
    offer(input.session, mark, input.commands);
  }
  ImGui::Separator();
  for (const char* name : {"marker.add_selection", "marker.around_selection",
                           "marker.clear_cursors", "select.clear"}) {
    command_item(input, name);
  }
  ImGui::Separator();
  for (const char* name : {"marker.next", "marker.previous"}) command_item(input, name);
  open_item(input, "List the markers", "markers");
  open_item(input, "Sum up what is selected", "selection");
}

void panels_menu(const ChromeInput& input) {
  // Panels in groups: the trace; the selection; tables and sums; the rest.
  constexpr std::string_view kFirst[] = {"inspector", "events", "legend"};
  for (const PanelKind& kind : panel_kinds()) {
    if (std::ranges::find(kFirst, kind.id) != std::end(kFirst)) ImGui::Separator();
    const PanelInstance* open = input.session.desk.layout.first_of(kind.id);
    const Command command = open ? Command{"panel.close", {{"panel", open->id}}}
                                 : Command{"panel.open", {{"panel", kind.id}}};
    offer(input.session, {command, std::string(kind.title), open != nullptr}, input.commands);
  }
}

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = to_upper(text[0]);
  return text;
}

// Draws an item for each value of a setting; the present one has a mark.
void setting_items(const ChromeInput& input, const char* name) {
  const Setting& setting = *find_setting(name);
  const Json now = setting.get(input.session);
  for (const Choice& choice : setting.choices) {
    const Command set = {"set", {{"name", name}, {"value", choice.id}}};
    offer(input.session, {set, capitalised(choice.title), now == Json(choice.id)}, input.commands);
  }
}

void times_menu(const ChromeInput& input) {
  if (!ImGui::BeginMenu("Times")) return;
  setting_items(input, "time_origin");
  ImGui::Separator();
  setting_items(input, "time_unit");
  ImGui::EndMenu();
}

void radix_menu(const ChromeInput& input) {
  if (!ImGui::BeginMenu("Values of buses")) return;
  setting_items(input, "radix");
  ImGui::EndMenu();
}

void groups_menu(const ChromeInput& input) {
  const auto can_open = [](const auto& group) { return !group.second.closed.empty(); };
  const bool has_any = std::ranges::any_of(input.session.desk.groups, can_open);
  if (!begin_menu("Open a group of views again", has_any ? "" : "no group of views is closed"))
    return;
  int id = 0;
  for (const auto& group : input.session.desk.groups) {
    if (can_open(group) && text_item(input.theme, input.scale, id++, group.first)) {
      input.commands.push_back({"group.open", {{"group", group.first}}});
    }
  }
  ImGui::EndMenu();
}

void layouts_menu(const ChromeInput& input) {
  command_item(input, "layout.reset");
  int id = 0;
  for (const auto& [name, layout] : input.session.desk.saved_layouts) {
    if (text_item(input.theme, input.scale, id++, name))
      input.commands.push_back({"layout.load", {{"name", name}}});
  }
  ImGui::Separator();
  asking_item(input, "layout.save");
  asking_item(input, "layout.delete");
}

void traces_menu(const ChromeInput& input) {
  if (!begin_menu("Traces", needs_several_traces(input.session))) return;
  for (const char* name : {"trace.stack", "trace.beside", "trace.part"}) command_item(input, name);
  ImGui::Separator();
  command_item(input, "trace.couple", input.session.couples_traces);
  for (const Choice& by : kAlignments) {
    offer(input.session,
          {.command = {"trace.align", {{"by", by.id}}},
           .title = std::string("Align ") + by.title,
           .obstacle = obstacle_to("trace.align", input.session)},
          input.commands);
  }
  ImGui::EndMenu();
}

void kept_views_menu(const ChromeInput& input) {
  for (const char* name :
       {"bookmark.set_1", "bookmark.set_2", "bookmark.set_3", "bookmark.set_4"}) {
    command_item(input, name);
  }
  ImGui::Separator();
  for (const char* name :
       {"bookmark.show_1", "bookmark.show_2", "bookmark.show_3", "bookmark.show_4"}) {
    command_item(input, name);
  }
}

void view_menu(const ChromeInput& input) {
  const OpenTrace* trace = input.session.trace();
  for (const char* name : {"view.fit", "view.end", "view.zoom_to_selection", "view.previous",
                           "view.next", "view.undo", "view.redo"}) {
    command_item(input, name);
  }
  (void)menu(input, "Kept views", kept_views_menu);
  ImGui::Separator();
  for (const char* name : {"lane.expand_all", "lane.collapse_all"}) command_item(input, name);
  command_item(input, "lane.levels", trace && trace->arrangement().levels != 0);
  command_item(input, "links.show", input.session.look.shows_links);
  command_item(input, "links.all", timelines_have(input.session, kAllLinks));
  command_item(input, "grid.show", timelines_have(input.session, kGridLines));
  command_item(input, "view.compress", trace && input.session.cut_from(*trace).has_value());
  for (const char* name : {"row_height.fit", "row_height.larger", "row_height.smaller"})
    command_item(input, name);
  ImGui::Separator();
  (void)menu(input, "Panels", panels_menu);
  (void)menu(input, "Layouts", layouts_menu);
  groups_menu(input);
  traces_menu(input);
  ImGui::Separator();
  times_menu(input);
  radix_menu(input);
  for (const char* name : {"font.larger", "font.smaller", "font.reset"}) command_item(input, name);
  const auto toggle = [&](const char* title, const char* setting, bool is_set) {
    const Command set = {"set", {{"name", setting}, {"value", !is_set}}};
    offer(input.session, {set, title, is_set}, input.commands);
  };
  toggle("Colours that everybody can tell apart", "safe_colors",
         input.session.look.has_safe_colors);
  toggle("Patterns besides colours", "patterns", input.session.look.has_patterns);
  command_item(input, "states.by_duration", input.session.look.colors_by_duration);
  command_item(input, "theme");
  command_item(input, "settings.show", input.session.dialogs.shows_settings);
}

void help_menu(const ChromeInput& input) {
  command_item(input, "help.show", input.session.dialogs.shows_help);
  command_item(input, "palette.show");
  command_item(input, "messages.show", input.session.dialogs.shows_messages);
  ImGui::Separator();
  show_text("Weftscope " WEFT_VERSION, input.theme.text_dim);
}

struct MenuRow {
  const char* title;
  void (*draw_items)(const ChromeInput&);
};
constexpr MenuRow kMenus[] = {{"File", file_menu},
                              {"Find", find_menu},
                              {"Mark", mark_menu},
                              {"View", view_menu},
                              {"Help", help_menu}};

// An arrow that leads sideways out of an open menu opens the one beside it. ImGui would close it.
void step_sideways(size_t open) {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  const bool is_left = context.NavMoveDir == ImGuiDir_Left;
  if (!is_left && context.NavMoveDir != ImGuiDir_Right) return;
  if (!ImGui::NavMoveRequestButNoResultYet()) return;
  ImGui::NavMoveRequestCancel();
  const size_t count = std::size(kMenus);
  ImGui::OpenPopup(kMenus[(open + (is_left ? count - 1 : 1)) % count].title);
}

void draw_menus(const ChromeInput& input) {
  const bool is_shown = input.session.dialogs.shows_menus;
  bool& was_shown = *ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID("shown by a key"));
  if (is_shown && !was_shown) ImGui::OpenPopup(kMenus[0].title);
  std::optional<size_t> open;
  for (size_t i = 0; i < std::size(kMenus); ++i) {
    if (menu(input, kMenus[i].title, kMenus[i].draw_items)) open = i;
  }
  if (open) step_sideways(*open);
  if (was_shown && is_shown && !open) input.commands.push_back({"menu.show", {{"shown", false}}});
  if (was_shown && !is_shown && open) ImGui::ClosePopupToLevel(0, true);
  was_shown = is_shown;
}

}  // namespace

float draw_menu_bar(const ChromeInput& input) {
  float height = 0;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  const bool is_shown = ImGui::BeginMainMenuBar();
  ImGui::PopStyleVar();
  if (!is_shown) return height;
  draw_menus(input);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 24 * input.scale);
  draw_trace_tabs(input);
  height = ImGui::GetWindowSize().y;
  ImGui::EndMainMenuBar();
  return height;
}

}  // namespace weft::app

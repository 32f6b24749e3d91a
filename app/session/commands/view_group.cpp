// Commands on groups of views: panels under a name that show the same, apart from the others.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <ranges>
#include <utility>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/panel_kinds.h"
#include "app/session/pinned_scope.h"
#include "app/session/view_state.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr size_t kMostGroups = 100;

using NamedGroup = std::pair<const std::string, ViewGroup>;

// "group": one there is.
Result<NamedGroup*> group_arg(Session& session, const Json& args) {
  WEFT_TRY_ASSIGN(const std::string name, text_arg(args, "group"));
  const auto group = session.desk.groups.find(name);
  if (session.desk.groups.empty()) return fail("there is no group of views: group.add makes one");
  if (group == session.desk.groups.end()) {
    return fail(fmt::format("there is no group '{}', but {}", printable(name),
                            fmt::join(session.desk.groups | std::views::keys, ", ")));
  }
  return &*group;
}

Status add_group(Session& session, const std::string& name, ViewGroup group) {
  if (name.empty()) return fail("a group needs a name");
  if (session.desk.groups.size() >= kMostGroups && !session.desk.groups.contains(name)) {
    return fail(fmt::format("there are {} groups already", kMostGroups));
  }
  session.desk.groups.insert_or_assign(name, std::move(group));
  return {};
}

std::string unused_name(const Session& session) {
  for (int n = 1;; ++n) {
    std::string name = fmt::format("group {}", n);
    if (!session.desk.groups.contains(name)) return name;
  }
}

void show(ViewGroup& group, const ShownView& shown, uint32_t gesture) {
  const std::filesystem::path& path = shown.trace->known_as();
  if (group.trace == path) {
    group.history.steps.leave(group.history.view, gesture, new_step());
  } else {
    group.trace = path;
    group.history.steps = {};
  }
  group.history.view = shown.view;
  group.history.follow = Follow::kNothing;
  group.history.is_apart = true;
}

// The first one gives the group what it shows.
Status group_add(Session& session, const Command& command) {
  WEFT_TRY(clear_of(needs_trace(session)));
  WEFT_TRY_ASSIGN(const PanelInstance* panel, panel_arg(session, command.args));
  const std::string id = panel->id;
  WEFT_TRY_ASSIGN(const std::string name, text_arg(command.args, "group", unused_name(session)));
  if (!session.desk.groups.contains(name)) {
    const auto shown = shown_in(session, id);
    if (!shown) return fail("no trace is open");
    ViewGroup group;
    show(group, *shown, command.gesture);
    WEFT_TRY(add_group(session, name, std::move(group)));
  }
  PanelInstance& member = *session.desk.layout.find(id);
  member.pinned.reset();
  member.group = name;
  return {};
}

Status group_remove(Session& session, const Command& command) {
  WEFT_TRY(clear_of(needs_view_groups(session)));
  WEFT_TRY_ASSIGN(PanelInstance * panel, panel_arg(session, command.args));
  if (panel->group.empty()) return fail(fmt::format("'{}' is of no group", panel->id));
  panel->group.clear();
  return {};
}

Status group_synchronise(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(NamedGroup * group, group_arg(session, command.args));
  WEFT_TRY_ASSIGN(const std::string panel, text_arg(command.args, "panel", ""));
  if (!panel.empty()) WEFT_TRY(panel_arg(session, command.args));
  const auto shown = shown_in(session, panel);
  if (!shown) return fail("no trace is open");
  show(group->second, *shown, command.gesture);
  return {};
}

Status group_close(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(NamedGroup * group, group_arg(session, command.args));
  std::vector<PanelInstance> members;
  for (const PanelInstance& panel : session.desk.layout.panels()) {
    if (panel.group == group->first) members.push_back(panel);
  }
  if (members.empty()) return fail(fmt::format("'{}' is not open", printable(group->first)));
  for (const PanelInstance& panel : members) (void)session.desk.layout.close(panel.id);
  group->second.closed = std::move(members);
  return {};
}

Status group_open(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(NamedGroup * group, group_arg(session, command.args));
  if (group->second.closed.empty()) {
    return fail(fmt::format("'{}' has no closed panels", printable(group->first)));
  }
  PanelLayout layout = session.desk.layout;
  for (const PanelInstance& closed : group->second.closed) {
    const PanelKind* row = find_panel_kind(closed.kind);
    if (!row) continue;  // of another version of the program
    WEFT_TRY(room_for(session, layout, *row, layout.count_of(row->id) + 1));
    PanelInstance& opened = *layout.find(*open_another(layout, *row));
    opened.options = closed.options;
    opened.group = group->first;
  }
  session.desk.layout = std::move(layout);
  group->second.closed.clear();
  return {};
}

Status group_delete(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const NamedGroup* group, group_arg(session, command.args));
  const std::string name = group->first;
  for (const PanelInstance& panel : session.desk.layout.panels()) {
    if (panel.group == name) session.desk.layout.find(panel.id)->group.clear();
  }
  session.desk.groups.erase(name);
  return {};
}

Status group_restore(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string name, text_arg(command.args, "name"));
  const auto json = command.args.find("group");
  if (json == command.args.end()) return fail("'group' is missing");
  WEFT_TRY_ASSIGN(ViewGroup group, group_from_json(*json));
  return add_group(session, name, std::move(group));
}

constexpr Argument kGroup = {"group", "its name"};

constexpr CommandRow kViewGroupCommands[] = {
    {"group.add",
     "Put a panel into a group of views",
     "",
     {kPanel, {"group", "its name", "a new one"}},
     group_add,
     needs_trace},
    {"group.remove",
     "Take a panel out of its group of views",
     "",
     {kPanel},
     group_remove,
     needs_view_groups},
    {"group.synchronise",
     "Synchronise a group of views",
     "",
     {kGroup, {"panel", "whose range and filter it takes", "what linked panels show"}},
     group_synchronise,
     needs_view_groups},
    {"group.close", "Close a group of views", "", {kGroup}, group_close, needs_view_groups},
    {"group.open", "Open a group of views again", "", {kGroup}, group_open, needs_view_groups},
    {"group.delete",
     "Forget a group of views; its panels are linked again",
     "",
     {kGroup},
     group_delete,
     needs_view_groups},
    {"group.restore",
     "Have a group of views as it was left",
     "",
     {{"name", "text"}, {"group", "as session.json has it"}},
     group_restore,
     needs_view_groups},
};

}  // namespace

std::span<const CommandRow> view_group_commands() { return kViewGroupCommands; }

}  // namespace weft::app

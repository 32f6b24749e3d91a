// Commands on the slices of a statistics panel: what counts, and what is one slice. They act on the
// panel named or, where none is, on the one that has the focus; on the slices named or, where none
// are, on those selected in it.
#include <fmt/core.h>

#include <algorithm>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/slice_choice.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

Result<PanelInstance*> statistics_of(Session& session, const Json& args) {
  if (!args.contains("panel")) WEFT_TRY(clear_of(needs_statistics(session)));
  WEFT_TRY_ASSIGN(const std::string id, text_arg(args, "panel", session.desk.layout.focused()));
  PanelInstance* panel = session.desk.layout.find(id);
  if (panel && panel->kind == "statistics") return panel;
  return fail(fmt::format("'{}' is not a statistics panel", printable(id)));
}

Result<std::vector<std::string>> names_of(const PanelInstance& panel, const Json& args) {
  WEFT_TRY_ASSIGN(std::vector<std::string> names, texts_arg(args, "names"));
  if (!args.contains("names")) {
    const SliceChoice choice = slice_choice(panel.options);
    names.assign(choice.selected.begin(), choice.selected.end());
  }
  if (names.empty()) return fail("no slice is selected (click one)");
  return names;
}

void store_merged(PanelInstance& panel, const std::vector<MergedSlice>& merged) {
  panel.options["merged"] = json_from(merged);
  if (merged.empty()) panel.options.erase("merged");
}

// A merged slice stands for what it is made of.
Status exclude(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(PanelInstance * panel, statistics_of(session, command.args));
  WEFT_TRY_ASSIGN(const std::vector<std::string> names, names_of(*panel, command.args));
  SliceChoice choice = slice_choice(panel->options);
  for (const std::string& name : names) {
    const auto merged = std::ranges::find(choice.merged, name, &MergedSlice::name);
    if (merged == choice.merged.end()) {
      choice.excluded.insert(name);
    } else {
      choice.excluded.insert(merged->of.begin(), merged->of.end());
    }
  }
  panel->options["excluded"] = choice.excluded;
  panel->options.erase("selected");
  return {};
}

Status restore(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(PanelInstance * panel, statistics_of(session, command.args));
  if (!command.args.contains("names")) {
    panel->options.erase("excluded");
    return {};
  }
  WEFT_TRY_ASSIGN(const std::vector<std::string> names, names_of(*panel, command.args));
  SliceChoice choice = slice_choice(panel->options);
  for (const std::string& name : names) choice.excluded.erase(name);
  panel->options["excluded"] = choice.excluded;
  return {};
}

// What was part of another merged slice is taken from it. A merged slice of that name gets more
// parts, and keeps its colour unless another one is given.
Status merge(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(PanelInstance * panel, statistics_of(session, command.args));
  WEFT_TRY_ASSIGN(const std::vector<std::string> names, names_of(*panel, command.args));
  WEFT_TRY_ASSIGN(const std::string name, text_arg(command.args, "name"));
  WEFT_TRY_ASSIGN(const std::string color, text_arg(command.args, "color", "#8a8f99"));
  if (name.empty()) return fail("a slice needs a name");
  if (name == kAggregatedName || name == kExcludedName)
    return fail(fmt::format("'{}' is what the program gathers: choose another name", name));
  if (color.size() != 7 || color[0] != '#' ||
      color.find_first_not_of("0123456789abcdefABCDEF", 1) != std::string::npos) {
    return fail(fmt::format("'{}' is not a color (#rrggbb)", color));
  }
  SliceChoice choice = slice_choice(panel->options);
  MergedSlice slice{name, static_cast<uint32_t>(std::strtoul(color.c_str() + 1, nullptr, 16)), {}};
  const auto same = std::ranges::find(choice.merged, name, &MergedSlice::name);
  if (same != choice.merged.end()) {
    slice.of = same->of;
    if (!command.args.contains("color")) slice.rgb = same->rgb;
  }
  for (const std::string& part : names) {
    const auto old = std::ranges::find(choice.merged, part, &MergedSlice::name);
    if (old == choice.merged.end()) {
      slice.of.push_back(part);
    } else if (old != same) {
      slice.of.insert(slice.of.end(), old->of.begin(), old->of.end());
    }
  }
  for (MergedSlice& other : choice.merged) {
    std::erase_if(other.of,
                  [&](const std::string& part) { return std::ranges::count(slice.of, part) > 0; });
  }
  std::erase_if(choice.merged, [](const MergedSlice& other) { return other.of.empty(); });
  choice.merged.push_back(std::move(slice));
  store_merged(*panel, choice.merged);
  panel->options["selected"] = Json::array({name});
  return {};
}

Status unmerge(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(PanelInstance * panel, statistics_of(session, command.args));
  WEFT_TRY_ASSIGN(const std::vector<std::string> names, names_of(*panel, command.args));
  SliceChoice choice = slice_choice(panel->options);
  const auto is_meant = [&](const MergedSlice& slice) {
    return std::ranges::count(names, slice.name) > 0;
  };
  if (std::erase_if(choice.merged, is_meant) == 0) return fail("no merged slice is selected");
  store_merged(*panel, choice.merged);
  panel->options.erase("selected");
  return {};
}

constexpr Argument kNames = {"names", "texts", "those selected"};

constexpr CommandRow kSliceCommands[] = {
    {"slice.exclude",
     "Exclude the selected slices",
     "Delete",
     {kPanel, kNames},
     exclude,
     needs_slices},
    {"slice.restore",
     "Bring excluded slices back",
     "",
     {kPanel, {"names", "texts", "all"}},
     restore,
     needs_excluded_slices},
    {"slice.merge",
     "Merge the selected slices",
     "",
     {{"name", "text"}, {"color", "#rrggbb", "grey"}, kPanel, kNames},
     merge,
     needs_slices},
    {"slice.unmerge",
     "Take a merged slice apart",
     "",
     {kPanel, kNames},
     unmerge,
     needs_merged_slices},
};

}  // namespace

std::span<const CommandRow> slice_commands() { return kSliceCommands; }

}  // namespace weft::app

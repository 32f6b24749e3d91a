#include "app/panels/timeline/lane_menu.h"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/panels/menu_item.h"
#include "app/panels/text_field.h"
#include "app/view/element_filter.h"

namespace weft::app {
namespace {

Command command_on(const char* name, const std::vector<LaneId>& lanes) {
  if (lanes.size() == 1) return lane_command(name, lanes.front());
  Command command = {name};
  for (const LaneId lane : lanes) command.args["lanes"].push_back(lane.value());
  return command;
}

}  // namespace

bool is_pinned(const PanelInput& input, LaneId lane) {
  return layout::has_lane(input.trace->arrangement().pinned, lane);
}

Command lane_command(const char* name, LaneId lane) { return {name, {{"lane", lane.value()}}}; }

void LaneMenu::open(LaneId lane) {
  lane_ = lane;
  ImGui::OpenPopup("lane");
}

void LaneMenu::draw(const PanelInput& input, PanelOutput& output) {
  bool names = false;
  if (ImGui::BeginPopup("lane")) {
    names = show_items(input, output);
    ImGui::EndPopup();
  }
  draw_naming(input, names, output);
  color_pick_.draw(input, output);
}

bool LaneMenu::show_items(const PanelInput& input, PanelOutput& output) {
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  const layout::LaneGroup* group = layout::find_group(input.trace->arrangement().groups, lane_);
  bool names = false;
  if (group || lane_.value() < dictionary.lanes.size()) {
    const std::string& name = group ? group->name : dictionary.lane(lane_).name;
    show_text(short_name(name, 60), input.theme.text_dim);
    ImGui::Separator();
    names = show_lane_items(input, output);
    ImGui::Separator();
  }
  show_hidden(input, output);
  show_order_items(input, output);
  return names;
}

bool LaneMenu::show_lane_items(const PanelInput& input, PanelOutput& output) {
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  const auto& groups = input.trace->arrangement().groups;
  const layout::LaneGroup* group = layout::find_group(groups, lane_);
  const std::vector<LaneId> lanes = this->lanes(input);
  const std::string them = lanes.size() > 1 ? counted(lanes.size(), "selected lane") : "it";
  const auto item = [&](const char* command, const std::string& title, bool is_checked = false,
                        std::string_view obstacle = {}) {
    offer(input.session, {lane_command(command, lane_), title, is_checked, std::string(obstacle)},
          output.commands);
  };
  const auto item_of_all = [&](const char* command, const std::string& title) {
    offer(input.session, {command_on(command, lanes), title}, output.commands);
  };
  const layout::DisplayRow* line = input.model->lanes.line_of(lane_);
  if (!line) line = input.model->pinned.line_of(lane_);
  const bool is_folded = line && line->kind == layout::DisplayRow::Kind::kSummary;
  const bool can_fold = is_folded || (line && line->can_fold);
  if (is_pinned(input, lane_)) {
    item_of_all("lane.unpin", "Put " + them + " back from the top");
  } else {
    item_of_all("lane.pin", "Keep " + them + " at the top");
  }
  item_of_all("lane.hide", "Hide " + them);
  item_of_all("lane.show_only", "Show only " + them);
  item("lane.toggle", is_folded ? "Unfold it" : "Fold it", false,
       can_fold ? "" : "it is a single row");
  item("select.toggle_lane", "Select it", layout::has_lane(input.trace->selected_lanes, lane_));
  if (!group) {
    const Json text = {{"text", lane_and_below_filter(dictionary, lane_)}};
    offer(input.session, {{"filter.add", text}, "Filter to it"}, output.commands);
  }
  if (!group && input.model->lane_colors && plain_item("Its colour…"))
    color_pick_.open_lane(input, lane_);
  ImGui::Separator();
  const std::string title = group              ? "Rename the group…"
                            : lanes.size() > 1 ? "Group " + them + "…"
                                               : "Group…";
  const bool names = plain_item(title.c_str());
  if (group) item("lane.ungroup", "Ungroup");
  const bool is_in_group = std::ranges::any_of(
      groups, [&](const layout::LaneGroup& other) { return layout::has_lane(other.lanes, lane_); });
  if (is_in_group) item("lane.ungroup", std::string(find_command("lane.ungroup")->title));
  return names;
}

// Each lane that was hidden by itself, to be shown again.
void LaneMenu::show_hidden(const PanelInput& input, PanelOutput& output) {
  constexpr size_t kMost = 30;
  const layout::LaneArrangement& now = input.trace->arrangement();
  if (now.hidden.empty() || !ImGui::BeginMenu("Show again")) return;
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  std::vector<LaneId> hidden(now.hidden.begin(), now.hidden.end());
  std::ranges::sort(hidden);
  for (size_t i = 0; i < std::min(hidden.size(), kMost); ++i) {
    const layout::LaneGroup* group = layout::find_group(now.groups, hidden[i]);
    if (!group && hidden[i].value() >= dictionary.lanes.size()) continue;
    const std::string name = group ? group->name : dictionary.path_text(hidden[i]);
    if (text_item(input.theme, input.scale, static_cast<int>(i), name))
      output.commands.push_back(lane_command("lane.show", hidden[i]));
  }
  if (hidden.size() > kMost)
    show_text(counted(hidden.size() - kMost, "more lane") + ": the palette finds them by name",
              input.theme.text_dim);
  ImGui::EndMenu();
}

void LaneMenu::show_order_items(const PanelInput& input, PanelOutput& output) const {
  const layout::LaneArrangement& now = input.trace->arrangement();
  if (ImGui::BeginMenu("Sort by")) {
    constexpr std::pair<layout::LaneSort, const char*> kSorts[] = {
        {layout::LaneSort::kTrace, "as in the trace"},
        {layout::LaneSort::kName, "name"},
        {layout::LaneSort::kActivity, "activity"},
        {layout::LaneSort::kFirstEvent, "first event"}};
    for (const auto& [sort, title] : kSorts) {
      const Command sorted = {"lane.sort", {{"by", layout::name_of(sort)}}};
      offer(input.session, {sorted, title, now.sort == sort}, output.commands);
    }
    ImGui::EndMenu();
  }
  const auto item = [&](const char* command, bool is_checked = false) {
    offer(input.session, {{command}, {}, is_checked}, output.commands);
  };
  item("lane.hide_empty", now.hides_empty);
  item("lane.flat", now.is_flat);
  item("lane.levels", now.levels != 0);
  item("lane.show_all");
  item("lane.unpin_all");
  item("lane.reset");
}

// All that are selected, where the menu's lane is one of them.
std::vector<LaneId> LaneMenu::lanes(const PanelInput& input) const {
  const std::vector<LaneId>& selected = input.trace->selected_lanes;
  return layout::has_lane(selected, lane_) ? selected : std::vector<LaneId>{lane_};
}

void LaneMenu::draw_naming(const PanelInput& input, bool opens, PanelOutput& output) {
  const layout::LaneGroup* group = layout::find_group(input.trace->arrangement().groups, lane_);
  if (opens) {
    copy_into(group ? group->name : "", name_);
    ImGui::OpenPopup("name a group");
  }
  if (!ImGui::BeginPopup("name a group")) return;
  ImGui::TextUnformatted("Name of the group");
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(220 * input.scale);
  const bool is_entered = ImGui::InputTextWithHint("##group", "name", name_.data(), name_.size(),
                                                   ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  const bool is_done = (ImGui::Button(group ? "Rename" : "Group") || is_entered) && name_[0] != 0;
  if (is_done) {
    Command command = {group ? "lane.rename_group" : "lane.group", {{"name", name_.data()}}};
    if (group) command.args["lane"] = lane_.value();
    if (!group) {
      for (const LaneId lane : lanes(input)) command.args["lanes"].push_back(lane.value());
    }
    output.commands.push_back(std::move(command));
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace weft::app

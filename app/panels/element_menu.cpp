#include "app/panels/element_menu.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/element_args.h"
#include "app/element_filter.h"
#include "app/panels/classes_panel.h"
#include "app/panels/element_facts.h"
#include "app/view_filter.h"
#include "core/base/text.h"

namespace weft::app {

void ElementMenu::draw(const PanelInput& input, PanelOutput& output) {
  if (std::exchange(opens_, false)) ImGui::OpenPopup("element");
  if (!hit_ || !ImGui::BeginPopup("element")) return;
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  const bool is_link = hit_->kind == layout::Hit::Kind::kLink;
  const LaneId lane = is_link ? hit_->link.source : input.model->trace->row(hit_->row).lane;
  const auto item = [&](const char* title, const std::string& text) {
    if (ImGui::MenuItem(title)) output.commands.push_back({"filter.add", {{"text", text}}});
  };
  const auto longer = [&](const char* field) {
    const std::string length = format_duration(hit_->duration, dictionary.time_base);
    item(("Filter to " + length + " and longer").c_str(),
         fmt::format("{} >= {}", field, hit_->duration.ticks));
  };
  const Json element = args_from_element(element_of(*input.model->trace, *hit_));
  const auto filter = [&](const char* title, const char* command) {
    if (ImGui::MenuItem(title)) output.commands.push_back({command, element});
  };
  if (first_) {
    if (ImGui::MenuItem(first_->title)) output.commands.push_back(first_->command);
    ImGui::Separator();
  }
  if (!hit_->type.is_none()) {
    const std::string name = printable(dictionary.type(hit_->type).name, 60);
    const bool is_bundle = is_link && hit_->link.is_bundle();
    show_text(is_bundle ? counted(hit_->link.count, "link") + ", the first: " + name : name,
              input.theme.text_dim);
    ImGui::Separator();
    filter("Filter to this type", "filter.type");
    if (ImGui::MenuItem("Hide this type")) {
      const std::string& name = dictionary.type(hit_->type).name;
      output.commands.push_back({"type.hide", {{"type", name}, {"shown", false}}});
    }
  }
  if (!lane.is_none()) filter("Filter to this lane", "filter.lane");
  const bool is_state = hit_->row_kind == store::RowKind::kState && !is_link;
  if (is_state && hit_->kind == layout::Hit::Kind::kElement) longer("dur");
  const bool has_latency = is_link && !hit_->link.source.is_none() && !hit_->link.target.is_none();
  if (has_latency) {
    item("Filter to this pair of lanes",
         pair_filter(dictionary, hit_->link.source, hit_->link.target));
    longer("latency");
  }
  if (is_link || (is_state && hit_->kind == layout::Hit::Kind::kElement)) {
    ImGui::Separator();
    filter("Filter to what led to this", "filter.causes");
    filter("Filter to what followed from this", "filter.effects");
  }
  ImGui::Separator();
  const bool is_one = hit_->kind != layout::Hit::Kind::kAggregate;
  const auto open = [&](const char* title, const char* panel) {
    const bool is_chosen = ImGui::MenuItem(title);
    if (is_chosen) output.commands.push_back({"panel.open", {{"panel", panel}}});
    return is_chosen;
  };
  const auto option = [&](const char* panel, const char* name, Json value) {
    output.commands.push_back(
        {"panel.set", {{"panel", panel}, {"option", name}, {"value", std::move(value)}}});
  };
  if (is_one && ImGui::MenuItem("Show it in the inspector")) {
    output.commands.push_back({"element.select", element});
    output.commands.push_back({"panel.open", {{"panel", "inspector"}}});
  }
  if (ImGui::MenuItem("Zoom to it"))
    output.commands.push_back(view_set_command(TimeWindow::around(hit_->begin, hit_->duration)));
  if (is_link && !hit_->type.is_none() && ImGui::MenuItem("Make a class of such messages")) {
    const std::string& name = dictionary.type(hit_->type).name;
    std::ranges::move(make_class(*message_classes_of(input.session, *input.trace),
                                 name.empty() ? "class" : name, of_type(dictionary, hit_->type)),
                      std::back_inserter(output.commands));
  }
  if (is_one && ImGui::MenuItem("Copy it")) {
    output.commands.push_back({"element.select", element});
    output.commands.push_back({"selection.copy"});
  }
  if (is_state && !hit_->type.is_none()) {
    const std::string& name = dictionary.type(hit_->type).name;
    if (open("How long such states take", "durations")) {
      option("durations", "of", "states");
      option("durations", "types", Json::array({name}));
    }
    if (open("Who calls it, and what it calls", "flame")) {
      option("flame", "type", name);
      option("flame", "zoom", Json());
      option("flame", "view", "sandwich");
    }
  }
  open("Events of this time in a table", "events");
  open("Colours of types", "legend");
  if (ImGui::MenuItem("Set a marker here")) {
    Json args = {{"at", hit_->begin.ticks}};
    if (is_one) args["element"] = element;
    output.commands.push_back({"marker.add", std::move(args)});
  }
  if (input.trace->view().filter.is_set()) {
    ImGui::Separator();
    if (ImGui::MenuItem("Clear the filter")) output.commands.push_back({"filter.clear"});
  }
  ImGui::EndPopup();
}

}  // namespace weft::app

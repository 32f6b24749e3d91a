#include "app/panels/element_menu.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/panels/element/element_facts.h"
#include "app/panels/menu_item.h"
#include "app/panels/sequence/classes_panel.h"
#include "app/panels/tables/table_view.h"
#include "app/panels/timeline/time_axis.h"
#include "app/session/element_args.h"
#include "app/view/element_filter.h"
#include "app/view/view_filter.h"

namespace weft::app {
void select_element_at(const PanelInput& input, const std::optional<layout::Hit>& hit,
                       PanelOutput& output) {
  if (hit && hit->kind != layout::Hit::Kind::kAggregate) {
    const query::ElementRef element = element_of(*input.model->trace, *hit);
    if (input.trace->element() == element) return;
    output.commands.push_back({"element.select", args_from_element(element)});
  } else if (input.trace->element()) {
    output.commands.push_back({"element.clear"});
  }
}

void offer_to_clear_filter(const PanelInput& input, PanelOutput& output) {
  if (!input.trace->view().filter.is_set()) return;
  ImGui::Separator();
  offer(input.session, {{"filter.clear"}}, output.commands);
}

void show_durations(std::string_view type, PanelOutput& output) {
  output.commands.push_back({"panel.open", {{"panel", "durations"}}});
  output.commands.push_back(set_option_of("durations", "of", "states"));
  output.commands.push_back(set_option_of("durations", "types", Json::array({type})));
}

void offer_durations(std::string_view type, PanelOutput& output) {
  if (plain_item("How long such states take")) show_durations(type, output);
}

void show_longest(const PanelInput& input, Json filters, PanelOutput& output) {
  output.commands.push_back({"panel.show_in", {{"panel", input.id}, {"kind", "events"}}});
  output.commands.push_back(set_option_of("events", "filters", std::move(filters)));
  output.commands.push_back(set_option_of("events", "sort", "-duration"));
}

void show_sandwich(std::string_view panel, std::string_view type, PanelOutput& output) {
  output.commands.push_back(set_option_of(panel, "type", type));
  output.commands.push_back(set_option_of(panel, "zoom", Json()));
  output.commands.push_back(set_option_of(panel, "view", "sandwich"));
}

void ElementMenu::draw(const PanelInput& input, PanelOutput& output) {
  if (std::exchange(opens_, false)) ImGui::OpenPopup("element");
  if (!hit_ || !ImGui::BeginPopup("element")) return;
  if (first_) {
    offer(input.session, *first_, output.commands);
    ImGui::Separator();
  }
  offer_filters(input, output);
  ImGui::Separator();
  offer_to_use(input, output);
  if (is_state() && !hit_->type.is_none()) offer_views_of_states(input, output);
  const auto panel = [&](const char* title, const char* kind) {
    offer(input.session, {{"panel.open", {{"panel", kind}}}, title}, output.commands);
  };
  panel("Events of this time in a table", "events");
  panel("Colours of types", "legend");
  offer_marks(input, output);
  offer_to_clear_filter(input, output);
  ImGui::EndPopup();
}

// Marks at the element's begin.
void ElementMenu::offer_marks(const PanelInput& input, PanelOutput& output) const {
  const auto item = [&](const char* title, const char* command, Json args) {
    offer(input.session, {{command, std::move(args)}, title}, output.commands);
  };
  const Json here = {{"at", hit_->begin.ticks}};
  Json marked = here;
  if (is_one()) marked["element"] = element(input);
  item("Set a marker here", "marker.add", std::move(marked));
  item("Set the cursor A here", "marker.a", here);
  item("Set the cursor B here", "marker.b", here);
}

Json ElementMenu::element(const PanelInput& input) const {
  return args_from_element(element_of(*input.model->trace, *hit_));
}

void ElementMenu::offer_filters(const PanelInput& input, PanelOutput& output) const {
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  const LaneId lane = is_link() ? hit_->link.source : input.model->trace->row(hit_->row).lane;
  const auto item = [&](const std::string& title, const std::string& text) {
    offer(input.session, {{"filter.add", {{"text", text}}}, title}, output.commands);
  };
  const auto longer = [&](const char* field) {
    const std::string length = length_label(hit_->duration, *input.trace);
    item("Filter to " + length + " and longer",
         fmt::format("{} >= {}", field, hit_->duration.ticks));
  };
  const auto filter = [&](const char* title, const char* command, const char* obstacle = "") {
    offer(input.session,
          {.command = {command, element(input)}, .title = title, .obstacle = obstacle},
          output.commands);
  };
  if (!hit_->type.is_none()) {
    const std::string_view name = dictionary.type(hit_->type).name;
    const std::string shown = short_name(name, 60);
    const bool is_bundle = is_link() && hit_->link.is_bundle();
    show_text(is_bundle ? counted(hit_->link.count, "link") + ", the first: " + shown : shown,
              input.theme.text_dim);
    ImGui::Separator();
    filter("Filter to this type", "filter.type");
    offer(input.session, {{"type.hide", {{"type", name}, {"shown", false}}}, "Hide this type"},
          output.commands);
  }
  if (!lane.is_none()) filter("Filter to this lane", "filter.lane");
  const bool is_one_state = is_state() && hit_->kind == layout::Hit::Kind::kElement;
  if (is_one_state) longer("dur");
  if (is_link() && !hit_->link.source.is_none() && !hit_->link.target.is_none()) {
    item("Filter to this pair of lanes",
         pair_filter(dictionary, hit_->link.source, hit_->link.target));
    if (input.model->trace->knows_latencies()) longer("latency");
  }
  if (is_link() || is_one_state) {
    ImGui::Separator();
    const bool has_links = input.model->trace->counts()[trace::Category::kLink] > 0;
    const char* obstacle = has_links ? "" : "the trace has no links";
    filter("Filter to what led to this", "filter.causes", obstacle);
    filter("Filter to what followed from this", "filter.effects", obstacle);
  }
}

void ElementMenu::offer_to_use(const PanelInput& input, PanelOutput& output) const {
  if (is_one() && plain_item("Show it in the inspector")) {
    output.commands.push_back({"element.select", element(input)});
    output.commands.push_back({"panel.open", {{"panel", "inspector"}}});
  }
  const TimeRange extent = {hit_->begin, hit_->begin + hit_->duration};
  const TimeWindow closer = input.window.zoomed_to(extent, input.trace->reach());
  offer(input.session, {view_set_command(closer), "Zoom to it"}, output.commands);
  if (is_link() && !hit_->type.is_none() && plain_item("Make a class of such messages")) {
    const trace::Dictionary& dictionary = input.model->trace->dictionary();
    const std::string_view name = dictionary.type(hit_->type).name;
    std::ranges::move(
        make_class(*message_classes_of(input.session, *input.trace),
                   std::string(name.empty() ? "class" : name), of_type(dictionary, hit_->type)),
        std::back_inserter(output.commands));
  }
  if (!is_one()) return;
  std::vector<Command> copy;
  offer(input.session, {.command = {"selection.copy"}, .title = "Copy it", .obstacle = ""}, copy);
  if (copy.empty()) return;
  output.commands.push_back({"element.select", element(input)});
  std::ranges::move(copy, std::back_inserter(output.commands));
}

void ElementMenu::offer_views_of_states(const PanelInput& input, PanelOutput& output) const {
  const std::string_view name = input.model->trace->dictionary().type(hit_->type).name;
  offer_durations(name, output);
  if (plain_item("Who calls it, and what it calls")) {
    output.commands.push_back({"panel.open", {{"panel", "flame"}}});
    show_sandwich("flame", name, output);
  }
}

}  // namespace weft::app

#include "app/panels/figures/flame_menu.h"

#include <fmt/ranges.h>

#include "app/panels/element_menu.h"
#include "app/panels/menu_item.h"
#include "app/panels/tables/column_filter.h"
#include "app/panels/tables/table_view.h"
#include "core/base/text.h"
#include "core/query/filter/filter_lexer.h"

namespace weft::app {

void FlameMenu::draw(const PanelInput& input, PanelOutput& output) {
  if (std::exchange(opens_, false)) ImGui::OpenPopup("stack");
  if (!box_ || !ImGui::BeginPopup("stack")) return;
  const auto set = [&](const char* option, Json value) {
    output.commands.push_back(set_option(input, option, std::move(value)));
  };
  const bool is_all = box_->path.empty();
  show_text(is_all ? "all" : short_name(box_->path.back(), 60), input.theme.text_dim);
  ImGui::Separator();
  if (box_->has_path && !is_all && ImGui::MenuItem("Zoom to it")) set("zoom", Json(box_->path));
  if (box_->is_zoomed && ImGui::MenuItem("Show all stacks again")) set("zoom", Json());
  if (!is_all) {
    if (box_->is_of_trace) offer_type(input, box_->name, output);
    ImGui::Separator();
    if (ImGui::MenuItem("Copy its name")) ImGui::SetClipboardText(printable(box_->name, 0).c_str());
    if (box_->has_path && ImGui::MenuItem("Copy the stack"))
      ImGui::SetClipboardText(printable(fmt::format("{}", fmt::join(box_->path, ";")), 0).c_str());
  }
  offer_to_clear_filter(input, output);
  ImGui::EndPopup();
}

// Offers what can be done with all states of this name.
void FlameMenu::offer_type(const PanelInput& input, const std::string& name,
                           PanelOutput& output) const {
  if (ImGui::MenuItem("Who calls it, and what it calls")) show_sandwich(input.id, name, output);
  ImGui::Separator();
  if (ImGui::MenuItem("Filter to this type"))
    output.commands.push_back(
        {"filter.add", {{"text", "type == " + query::quoted_for_filter(name)}}});
  if (menu_item(input.session.keys, "Hide this type", "type.hide"))
    output.commands.push_back({"type.hide", {{"type", name}, {"shown", false}}});
  ImGui::Separator();
  offer_durations(name, output);
  if (ImGui::MenuItem("Such states in a table, the longest first"))
    show_longest(input, {{"type", exactly(name)}}, output);
}

}  // namespace weft::app

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
  const auto zoom = [&](const char* title, Json to) {
    offer(input.session, {set_option(input, "zoom", std::move(to)), title}, output.commands);
  };
  const bool is_all = box_->path.empty();
  show_text(is_all ? "all" : short_name(box_->path.back(), 60), input.theme.text_dim);
  ImGui::Separator();
  if (box_->has_path && !is_all) zoom("Zoom to it", box_->path);
  if (box_->is_zoomed) zoom("Show all stacks again", nullptr);
  if (!is_all) {
    if (box_->is_of_trace) offer_type(input, box_->name, output);
    ImGui::Separator();
    if (plain_item("Copy its name")) ImGui::SetClipboardText(printable(box_->name, 0).c_str());
    if (box_->has_path && plain_item("Copy the stack"))
      ImGui::SetClipboardText(printable(fmt::format("{}", fmt::join(box_->path, ";")), 0).c_str());
  }
  offer_to_clear_filter(input, output);
  ImGui::EndPopup();
}

// Offers what can be done with all states of this name.
void FlameMenu::offer_type(const PanelInput& input, const std::string& name,
                           PanelOutput& output) const {
  if (plain_item("Who calls it, and what it calls")) show_sandwich(input.id, name, output);
  ImGui::Separator();
  const Json text = {{"text", "type == " + query::quoted_for_filter(name)}};
  offer(input.session, {{"filter.add", text}, "Filter to this type"}, output.commands);
  offer(input.session, {{"type.hide", {{"type", name}, {"shown", false}}}, "Hide this type"},
        output.commands);
  ImGui::Separator();
  offer_durations(name, output);
  if (plain_item("Such states in a table, the longest first"))
    show_longest(input, {{"type", exactly(name)}}, output);
}

}  // namespace weft::app

#include "app/panels/events_menu.h"

#include "app/panels/element_menu.h"
#include "app/panels/menu_item.h"
#include "core/base/text.h"

namespace weft::app {

Command filter_to(std::string filter, bool pass_filter) {
  return {pass_filter ? "filter.add" : "filter.set", {{"text", std::move(filter)}}};
}

void EventsMenu::draw(const PanelInput& input, PanelOutput& output) {
  if (std::exchange(opens_, false)) ImGui::OpenPopup("events");
  if (!events_ || !ImGui::BeginPopup("events")) return;
  const auto filter = [&](const std::string& title, const std::string& text) {
    offer(input.session, {filter_to(text, events_->pass_filter), title}, output.commands);
  };
  const auto show_in = [&](const char* title, const char* panel) {
    if (!plain_item(title)) return;
    output.commands.push_back(filter_to(events_->filter, events_->pass_filter));
    output.commands.push_back({"panel.open", {{"panel", panel}}});
  };
  show_text(short_name(events_->text, 120), input.theme.text_dim);
  ImGui::Separator();
  if (events_->own) offer(input.session, *events_->own, output.commands);
  filter("Filter to these", events_->filter);
  for (const Entry& other : events_->others) filter(other.title, other.filter);
  ImGui::Separator();
  show_in("List these in a table", "events");
  if (events_->are_messages) show_in("Draw these as a sequence diagram", "sequence");
  if (plain_item("Copy this line")) ImGui::SetClipboardText(printable(events_->text, 0).c_str());
  offer_to_clear_filter(input, output);
  ImGui::EndPopup();
}

}  // namespace weft::app

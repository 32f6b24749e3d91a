#include "app/panels/events_menu.h"

#include "app/panels/element_menu.h"
#include "core/base/text.h"

namespace weft::app {

Command filter_to(std::string filter, bool pass_filter) {
  return {pass_filter ? "filter.add" : "filter.set", {{"text", std::move(filter)}}};
}

void EventsMenu::draw(const PanelInput& input, PanelOutput& output) {
  if (std::exchange(opens_, false)) ImGui::OpenPopup("events");
  if (!events_ || !ImGui::BeginPopup("events")) return;
  const auto filter = [&](const std::string& text) {
    output.commands.push_back(filter_to(text, events_->pass_filter));
  };
  const auto show_in = [&](const char* title, const char* panel) {
    if (!ImGui::MenuItem(title)) return;
    filter(events_->filter);
    output.commands.push_back({"panel.open", {{"panel", panel}}});
  };
  show_text(short_name(events_->text, 120), input.theme.text_dim);
  ImGui::Separator();
  if (events_->own && ImGui::MenuItem(events_->own_title.c_str()))
    output.commands.push_back(*events_->own);
  if (ImGui::MenuItem("Filter to these")) filter(events_->filter);
  for (const Entry& other : events_->others) {
    if (ImGui::MenuItem(other.title.c_str())) filter(other.filter);
  }
  ImGui::Separator();
  show_in("List these in a table", "events");
  if (events_->are_messages) show_in("Draw these as a sequence diagram", "sequence");
  if (ImGui::MenuItem("Copy this line"))
    ImGui::SetClipboardText(printable(events_->text, 0).c_str());
  offer_to_clear_filter(input, output);
  ImGui::EndPopup();
}

}  // namespace weft::app

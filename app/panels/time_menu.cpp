#include "app/panels/time_menu.h"

#include <utility>

#include "app/panels/menu_item.h"

namespace weft::app {

void TimeMenu::draw(const PanelInput& input, PanelOutput& output) {
  if (std::exchange(opens_, false)) ImGui::OpenPopup("time");
  if (!at_ || !ImGui::BeginPopup("time")) return;
  const OpenTrace& trace = *input.trace;
  const auto item = [&](const char* title, Command command) {
    offer(input.session, {std::move(command), title}, output.commands);
  };
  const TimeRange window = input.window.range();
  show_text(time_label(input.session.look.time_display, *at_, trace.reach(), trace.time_base(),
                       window.length(), Duration{window.length().ticks / 2000}),
            input.theme.text_dim);
  ImGui::Separator();
  const Json here = {{"at", at_->ticks}};
  item("Set a marker here", {"marker.add", here});
  item("Set the cursor A here", {"marker.a", here});
  item("Set the cursor B here", {"marker.b", here});
  if (trace.markers.a() || trace.markers.b())
    item("Remove the cursors A and B", {"marker.clear_cursors"});
  if (trace.selection) {
    ImGui::Separator();
    item("Zoom to the selection", {"view.zoom_to_selection"});
    item("Sum up the selection", {"panel.open", {{"panel", "selection"}}});
    item("Mark the selection", {"marker.add_selection"});
    item("Set the cursors A and B around it", {"marker.around_selection"});
    item("Save the selected part…",
         ask_for_export(trace.beside().string() + ".part.weft", "selection"));
    item("Clear the selection", {"select.clear"});
  }
  ImGui::Separator();
  item("Go to a time…", {"view.go.ask"});
  item("Show the whole trace", {"view.fit"});
  item("Back to what was shown before", {"view.undo"});
  if (trace.view().filter.is_set()) {
    ImGui::Separator();
    item("Clear the filter", {"filter.clear"});
  }
  ImGui::EndPopup();
}

}  // namespace weft::app

#include "app/session/desk.h"

#include <algorithm>
#include <vector>

namespace weft::app {

Json KeptLayout::to_json() const {
  Json json = panels.to_json();
  if (!lanes.is_null()) json["lanes"] = lanes;
  return json;
}

bool Desk::has_own_layout() const {
  const auto is_linked = [](const PanelInstance& panel) { return panel.is_linked(); };
  return !std::ranges::all_of(layout.panels(), is_linked) || layout.to_json() != arranged.to_json();
}

void Desk::hand_over(uint64_t trace_id, uint64_t to_trace_id) {
  for (const PanelInstance& panel : layout.panels()) {
    if (panel.pinned && panel.pinned->trace_id == trace_id)
      layout.find(panel.id)->pinned->trace_id = to_trace_id;
  }
}

void Desk::release(uint64_t trace_id) {
  std::vector<std::string> theirs;
  for (const PanelInstance& panel : layout.panels()) {
    if (panel.pinned && panel.pinned->trace_id == trace_id) theirs.push_back(panel.id);
  }
  for (const std::string& id : theirs) {
    PanelInstance& panel = *layout.find(id);
    const auto kin = std::ranges::count(layout.panels(), panel.kind, &PanelInstance::kind);
    if (panel.stays_with_trace() && kin > 1) {
      const auto heir = std::ranges::find_if(layout.panels(), [&](const PanelInstance& other) {
        return other.kind == panel.kind && other.id != id;
      });
      (void)layout.close_into(id, std::string(heir->id));
    } else {
      panel.pinned.reset();
    }
  }
}

}  // namespace weft::app

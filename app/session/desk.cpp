#include "app/session/desk.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace weft::app {
namespace {

std::string kinds_of(const PanelLayout& layout) {
  std::string kinds;
  for (const PanelInstance& panel : layout.panels())
    kinds += (kinds.empty() ? "" : " ") + panel.kind;
  return kinds;
}

}  // namespace

Json KeptLayout::to_json() const {
  Json json = panels.to_json();
  if (!lanes.is_null()) json["lanes"] = lanes;
  return json;
}

bool Desk::has_own_layout() const {
  return !has_linked_panels_only() || layout.to_json() != arranged.to_json();
}

bool Desk::has_linked_panels_only() const {
  return std::ranges::all_of(layout.panels(), &PanelInstance::is_linked);
}

void Desk::arrange(PanelLayout wanted) {
  own_layouts = all_own_layouts();
  arranged = std::move(wanted);
  const auto own = own_layouts.find(kinds_of(arranged));
  layout = own == own_layouts.end() ? arranged : own->second;
  begun = layout;
  begun_of = kinds_of(arranged);
}

void Desk::arrange_as_at_first(PanelLayout wanted) {
  begun_of = kinds_of(wanted);
  own_layouts.erase(begun_of);
  layout = begun = arranged = std::move(wanted);
}

std::map<std::string, PanelLayout> Desk::all_own_layouts() const {
  std::map<std::string, PanelLayout> all = own_layouts;
  if (!has_linked_panels_only() || layout.to_json() == begun.to_json()) return all;
  const std::string of = begun_of.empty() ? kinds_of(arranged) : begun_of;
  all.erase(of);
  if (has_own_layout()) all.emplace(of, layout);
  return all;
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

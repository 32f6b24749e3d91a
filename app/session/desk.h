// The desk: which panels are open, and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "app/base/json.h"
#include "app/view/panel_layout.h"

namespace weft::app {

// A named layout, and the arrangement of the lanes that were shown in it.
struct KeptLayout {
  PanelLayout panels;
  Json lanes;  // json_from_named_lanes(); null: lanes stay as they are
  Json to_json() const;
};

struct Desk {
  PanelLayout layout;
  PanelLayout arranged;       // as the program arranges panels for the trace that was shown last
  uint64_t arranged_for = 0;  // its id
  PanelLayout begun;          // what was shown before the user has changed it
  std::string begun_of;       // the kinds of the arrangement that it was; empty: as it was left
  // What the user has made of the program's arrangements, by the kinds of their panels.
  std::map<std::string, PanelLayout> own_layouts;
  std::map<std::string, KeptLayout> saved_layouts;  // by name
  std::map<std::string, ViewGroup> groups;          // by name
  size_t panels_per_kind = 16;                      // the most that may be open at a time

  // Whether the layout is not what the program arranges.
  bool has_own_layout() const;
  bool has_linked_panels_only() const;
  // Shows what the user has made of this arrangement; if nothing, the arrangement itself.
  void arrange(PanelLayout wanted);
  void arrange_as_at_first(PanelLayout wanted);
  // With what has changed since the last arrangement, but for panels of single traces.
  std::map<std::string, PanelLayout> all_own_layouts() const;
  // Panels that stay with or are pinned to `trace_id` stay with `to_trace_id`, a new reading of the
  // same file.
  void hand_over(uint64_t trace_id, uint64_t to_trace_id);
  // Called before the trace is closed: removes the panels that stay with it, except that the last
  // of a kind shows the current trace instead.
  void release(uint64_t trace_id);
};

}  // namespace weft::app

// Which panels there are, and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "app/base/json.h"
#include "app/view/panel_layout.h"

namespace weft::app {

// A layout under a name, and how the lanes stood that were shown in it.
struct KeptLayout {
  PanelLayout panels;
  Json lanes;  // json_from_named_lanes(); null: any trace's as they are
  Json to_json() const;
};

struct Desk {
  PanelLayout layout;
  PanelLayout arranged;  // as the program made it last (arrange_for_type)
  std::map<std::string, KeptLayout> saved_layouts;  // by name
  std::map<std::string, ViewGroup> groups;          // by name
  size_t panels_per_kind = 16;                      // as many may be open at a time

  // Whether the user has arranged panels otherwise than the program did.
  bool has_own_layout() const;
  // Panels that stay with a trace or are pinned to it stay with another reading of it.
  void hand_over(uint64_t trace_id, uint64_t to_trace_id);
  // The trace goes, and with it the panels that stay with it; the last of a kind shows the current
  // one.
  void release(uint64_t trace_id);
};

}  // namespace weft::app

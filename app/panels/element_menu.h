// The menu of what is under the pointer in the timeline: filters to events like it.
#pragma once

#include <optional>

#include "app/panels/panels.h"
#include "core/layout/hit.h"

namespace weft::app {

class ElementMenu {
 public:
  // Opens with the next draw().
  void open(const layout::Hit& hit) { hit_ = hit, opens_ = true; }
  // Within the panel's ImGui window.
  void draw(const PanelInput& input, PanelOutput& output);

 private:
  std::optional<layout::Hit> hit_;
  bool opens_ = false;
};

}  // namespace weft::app

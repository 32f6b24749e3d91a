// The menu of what is under the pointer in the timeline: filters to events like it.
#pragma once

#include <optional>
#include <utility>

#include "app/panels/panels.h"
#include "core/layout/hit.h"

namespace weft::app {

class ElementMenu {
 public:
  struct Item {
    const char* title;
    Command command;
  };
  // Opens with the next draw(). `first`: what the panel itself can do about it.
  void open(const layout::Hit& hit, std::optional<Item> first = std::nullopt) {
    hit_ = hit;
    first_ = std::move(first);
    opens_ = true;
  }
  // Within the panel's ImGui window.
  void draw(const PanelInput& input, PanelOutput& output);

 private:
  std::optional<layout::Hit> hit_;
  std::optional<Item> first_;
  bool opens_ = false;
};

}  // namespace weft::app

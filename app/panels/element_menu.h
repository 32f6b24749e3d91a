// The menu of what is under the pointer in the timeline: filters to events like it.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "app/panels/panels.h"
#include "core/layout/hit.h"

namespace weft::app {

// Selects what is drawn there; an aggregate is no element.
void select_element_at(const PanelInput& input, const std::optional<layout::Hit>& hit,
                       PanelOutput& output);
// The end of a menu, where there is a filter.
void offer_to_clear_filter(const PanelInput& input, PanelOutput& output);
// Of all states of a type.
void offer_durations(std::string_view type, PanelOutput& output);
// Who calls it, and what it calls, in a flame graph by its id.
void show_sandwich(std::string_view panel, std::string_view type, PanelOutput& output);

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
  bool is_link() const { return hit_->kind == layout::Hit::Kind::kLink; }
  bool is_state() const { return hit_->row_kind == store::RowKind::kState && !is_link(); }
  bool is_one() const { return hit_->kind != layout::Hit::Kind::kAggregate; }
  Json element(const PanelInput& input) const;
  void offer_filters(const PanelInput& input, PanelOutput& output) const;
  void offer_marks(const PanelInput& input, PanelOutput& output) const;
  void offer_to_use(const PanelInput& input, PanelOutput& output) const;
  void offer_views_of_states(const PanelInput& input, PanelOutput& output) const;

  std::optional<layout::Hit> hit_;
  std::optional<Item> first_;
  bool opens_ = false;
};

}  // namespace weft::app

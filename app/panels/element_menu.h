// The menu of the element under the pointer in the timeline: filters to events like it, and what
// else can be done with it.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "app/panels/menu_item.h"
#include "app/panels/panels.h"
#include "core/layout/hit.h"

namespace weft::app {

// Selects the element that is drawn there; does nothing for an aggregate.
void select_element_at(const PanelInput& input, const std::optional<layout::Hit>& hit,
                       PanelOutput& output);
// Ends a menu with an item that clears the filter, if there is one.
void offer_to_clear_filter(const PanelInput& input, PanelOutput& output);
// Shows, and offers, the durations of all states of a type.
void show_durations(std::string_view type, PanelOutput& output);
void offer_durations(std::string_view type, PanelOutput& output);
// Shows the events of the panel's range in the event table, the longest first. `filters`: of its
// columns.
void show_longest(const PanelInput& input, Json filters, PanelOutput& output);
// Shows the callers and callees of a type in the flame graph with the id `panel`.
void show_sandwich(std::string_view panel, std::string_view type, PanelOutput& output);

class ElementMenu {
 public:
  // The menu opens at the next draw(). `first`: an action of the panel itself.
  void open(const layout::Hit& hit, std::optional<Offered> first = std::nullopt) {
    hit_ = hit;
    first_ = std::move(first);
    opens_ = true;
  }
  // Call within the panel's ImGui window.
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
  std::optional<Offered> first_;
  bool opens_ = false;
};

}  // namespace weft::app

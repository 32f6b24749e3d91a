// Causes and effects of the selected element: causes above, effects below, with the time on the
// way, waiting and in handling at each step; the path between two of them that waits longest; one
// parameter followed along all of them. (TM-19, TM-20, TM-48)
//
// A click, or a step (element.cause, element.effect), goes to an element of the tree, and the
// timeline follows, while the tree remains that of its root; selecting any other element makes that
// the root.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/sequence/causality_facts.h"
#include "app/panels/tables/table_view.h"
#include "core/base/latest.h"

namespace weft::app {

class CausalityPanel final : public Panel {
 public:
  explicit CausalityPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;

 private:
  // The element whose tree is shown.
  struct Root {
    uint64_t trace_id = 0;
    query::ElementRef element;
  };

  void choose_root(const PanelInput& input);
  std::optional<size_t> find_line(const query::ElementRef& element) const;
  Area draw_toolbar(const PanelInput& input, PanelOutput& output);
  void draw_table(const PanelInput& input, const Area& area, bool is_stale, PanelOutput& output);

  // The lines that are not hidden by a folded one: folding hides the causes of a cause, and the
  // effects of an effect.
  std::vector<size_t> visible_lines() const;

  TableView view_;
  std::set<size_t> folded_;  // indices of lines of `folded_of_`
  std::shared_ptr<const CausalityFacts> folded_of_;
  Latest<CausalityKey, CausalityFacts> facts_;
  std::shared_ptr<const CausalityFacts> shown_;
  std::optional<Root> root_;
  std::optional<query::ElementRef> wanted_;    // from the panel's option, as last seen
  std::optional<query::ElementRef> revealed_;  // the line last scrolled to
};

}  // namespace weft::app

// Causes and effects of the selected element: what led to it above, what followed below, with the
// time on its way, waiting and in handling at each step; the path between two of them that waits
// longest; one parameter followed along all of them. (TM-19, TM-20, TM-48)
//
// A click, or a step (element.cause, element.effect), goes to an element of the tree and the
// timeline follows, while the tree stays that of the element it was asked for; selecting anything
// else asks anew.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/sequence/causality_facts.h"
#include "app/panels/tables/table_view.h"
#include "render/latest.h"

namespace weft::app {

class CausalityPanel final : public Panel {
 public:
  explicit CausalityPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  void paint() override {}
  void present(int) const override {}

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

  // The lines that no folded one hides: of the causes those above a line that led to it, of the
  // effects those below it that followed.
  std::vector<size_t> visible_lines() const;

  TableView view_;
  std::set<size_t> folded_;  // lines of `folded_of_`
  std::shared_ptr<const CausalityFacts> folded_of_;
  render::Latest<CausalityKey, CausalityFacts> facts_;
  std::shared_ptr<const CausalityFacts> shown_;
  std::optional<Root> root_;
  std::optional<query::ElementRef> wanted_;    // by the panel's option, as it was last seen
  std::optional<query::ElementRef> revealed_;  // the line that was scrolled to last
};

}  // namespace weft::app

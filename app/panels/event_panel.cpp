#include "app/panels/event_panel.h"

#include "app/panels/toolbar.h"

namespace weft::app {

void EventPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace()) {
    draw_notice(input, input.area, "No trace is open");
    return;
  }
  Area area;
  Scope scope;
  aggregate::FormulaPtr only;
  {
    Toolbar bar(input, output);
    scope = bar.choose_scope();
    only = bar.choose_filter();
    area = bar.below();
  }
  list_.draw(input, area, {input.trace->trace(), scope.range, table_options(input.options), only},
             output);
}

}  // namespace weft::app

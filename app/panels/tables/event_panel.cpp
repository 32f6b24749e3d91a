#include "app/panels/tables/event_panel.h"

#include "app/panels/toolbar.h"

namespace weft::app {

void EventPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace()) return;
  Area area;
  Scope scope;
  {
    Toolbar bar(input, output);
    scope = bar.choose_scope();
    scope.only = bar.choose_filter();
    area = bar.below();
  }
  list_.draw(input, area, {std::move(scope), table_options(input.options)}, output);
}

}  // namespace weft::app

#include "app/panels/figures/pages_panel.h"

#include <algorithm>
#include <vector>

#include "app/panels/toolbar.h"
#include "app/panels/wrapped_text.h"

namespace weft::app {

PagesPanel::PagesPanel(const PanelServices& services)
    : answer_(
          [pool = services.pool](const PageKey& key, const std::stop_token& stop) {
            return answer_page(key, *pool, stop);
          },
          services.wake),
      table_(services) {}

void PagesPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace()) return;
  PageKey key;
  Area area;
  {
    Toolbar bar(input, output);
    const auto pages = pages_of(*input.trace->trace());
    std::vector<Choice> choices;
    for (const formats::Page& page : pages) choices.push_back({page.id, page.title.c_str()});
    key.page = bar.choose("page", choices);
    bar.gap();
    const Scope scope = bar.choose_scope();
    key.trace = scope.trace;
    key.range = scope.range;
    area = bar.below();
  }
  if (input.filter.tiles().id != 0) {
    const float line = std::max(area.y0, area.y1 - note_line_height(input));
    draw_note_line(input, {area.x0, line, area.x1, area.y1},
                   "All events: the filter has no effect on these tables");
    area.y1 = line;
  }
  const auto found = question_.find(answer_, *input.trace, key);
  output.is_stale |= found.is_stale;
  // Another page has other columns; the same one in another range stays until the new one is there.
  const bool is_of_this = found.value && question_.is_of_this(found.value->key.trace) &&
                          found.value->key.page == key.page;
  if (!is_of_this) {
    draw_notice(input, area, "Counting…");
    return;
  }
  table_.draw(input, area, found.value->answer, found.is_stale, {}, " · there are more", output);
  const SqlAnswer& answer = *found.value->answer;
  if (answer.error.empty() && answer.rows.empty() && !found.is_stale) {
    const bool is_whole =
        key.range.begin <= input.trace->range().begin && key.range.end >= input.trace->range().end;
    draw_notice(input, area,
                is_whole ? "The trace holds nothing for this table"
                         : "Nothing for this table lies here: zoom out, or choose Whole trace");
  }
}

}  // namespace weft::app

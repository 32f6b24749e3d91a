#include "app/panels/tables/event_list.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/panels/toolbar.h"
#include "app/session/element_args.h"
#include "core/base/text.h"
#include "core/query/element.h"

namespace weft::app {
namespace {

constexpr const char* kEventMenu[] = {"Show it in the timeline", "Show it in the inspector",
                                      "Filter to this type",     "Hide this type",
                                      "Filter to this lane",     "Set a marker here"};
enum EventMenuEntry : size_t { kShow, kInspect, kFilterType, kHideType, kFilterLane, kMark };

constexpr float kDimmed = 0.3F;      // swatches of what does not pass, among what does
constexpr uint64_t kPageRows = 128;  // pages begin at multiples of it, so that scrolling rests

// The pages that hold the rows seen, and one more to either side.
EventPageKey page_key(std::shared_ptr<const EventTable> table, const TableView& view,
                      aggregate::FilterPtr marked) {
  const uint64_t seen = view.first_row() / kPageRows;
  const uint64_t first = (seen > 0 ? seen - 1 : 0) * kPageRows;
  const uint64_t end = (view.first_row() + view.rows_seen()) / kPageRows + 2;
  return {std::move(table), first, end * kPageRows - first, std::move(marked)};
}

class EventRows final : public TableRows {
 public:
  EventRows(const EventPage* page, std::shared_ptr<const EventTable> table, const PanelInput& input)
      : page_(page), table_(std::move(table)), input_(input) {}

  uint64_t count() const override { return table_ ? table_->count() : 0; }
  TableRow row(uint64_t row) const override {
    TableRow state;
    const EventPage::Line* line = find(row);
    if (!line) return state;
    if (input_.model) {
      state.swatch = render::color_from_rgb(input_.model->palette->color(line->record.type));
    }
    if (!line->stands_out) {
      state.is_dim = true;
      if (state.swatch) state.swatch = faded(*state.swatch, kDimmed);
    }
    const auto& element = input_.trace->element();
    state.is_selected = element && is_of(element_of(trace(), *line), *element);
    return state;
  }
  std::string cell(uint64_t row, size_t column) const override {
    const EventPage::Line* line = find(row);
    if (!line) return "…";
    // A type whose columns were changed meanwhile: the next table has them.
    return column < line->cells.size() ? line->cells[column] : std::string();
  }
  Sheet sheet() const override { return sheet_of(table_); }
  const EventPage::Line* find(uint64_t row) const { return page_ ? page_->find(row) : nullptr; }

 private:
  const store::Trace& trace() const { return *page_->table->index.trace(); }

  const EventPage* page_;
  std::shared_ptr<const EventTable> table_;
  const PanelInput& input_;
};

// A window in which the event is seen with what is near it: thrice as long as a state or a link.
// What has no length takes a hundredth of the trace, or less where less is shown: one after the
// other is seen at the same zoom.
Command show_event(const OpenTrace& trace, const store::Row& row, const store::Record& record,
                   uint32_t gesture) {
  const bool has_length = record.duration.ticks != 0 && (row.kind == store::RowKind::kState ||
                                                         row.kind == store::RowKind::kLinkOut);
  const TimeRange reach = trace.reach();
  const double hundredth = static_cast<double>(reach.length().ticks) / 100;
  TimeRange event = {record.begin, record.begin};
  double margin = std::min(trace.view().window.length, hundredth) / 2;
  if (has_length) {
    const auto [begin, end] =
        std::minmax({record.begin, record.end()});  // one may arrive too early
    event = {begin, end};
    margin = static_cast<double>(event.length().ticks);
  }
  return view_set_command(TimeWindow::around(event, margin, reach), gesture);
}

void show_in_timeline(const OpenTrace& trace, const EventPage::Line& line, PanelOutput& output) {
  const uint32_t step = new_gesture();  // of undo
  output.commands.push_back(show_event(trace, trace.trace()->row(line.row), line.record, step));
  output.commands.push_back({"element.reveal", Json::object(), step});  // its lane, too
}

// Runs an entry of a row's menu.
void choose(const PanelInput& input, size_t entry, const EventPage& page,
            const EventPage::Line& line, PanelOutput& output) {
  const store::Trace& trace = *page.table->index.trace();
  const Json element = args_from_element(element_of(trace, line));
  if (entry == kShow || entry == kInspect) output.commands.push_back({"element.select", element});
  if (entry == kShow) show_in_timeline(*input.trace, line, output);
  if (entry == kInspect) output.commands.push_back({"panel.open", {{"panel", "inspector"}}});
  if (entry == kFilterType) output.commands.push_back({"filter.type", element});
  if (entry == kFilterLane) output.commands.push_back({"filter.lane", element});
  if (entry == kHideType) {
    const std::string_view name = trace.dictionary().type(line.record.type).name;
    output.commands.push_back({"type.hide", {{"type", name}, {"shown", false}}});
  }
  if (entry == kMark) {
    output.commands.push_back(
        {"marker.add", {{"at", line.record.begin.ticks}, {"element", element}}});
  }
}

}  // namespace

EventList::EventList(const PanelServices& services)
    : table_(
          [pool = services.pool](const EventTableKey& key, const std::stop_token& stop) {
            return make_event_table(key, *pool, stop);
          },
          services.wake),
      page_(make_event_page, services.wake),
      place_(find_place, services.wake) {}

EventList::Place EventList::find_place(const PlaceKey& key) {
  return {key, row_of(*key.table, key.element)};
}

const EventColumns& EventList::columns_of(const EventTableKey& key) {
  if (header_.trace.lock() != key.trace || header_.times != key.times)
    header_ = {key.trace, key.times, std::make_shared<const EventColumns>(*key.trace, key.times)};
  return *header_.columns;
}

// Scrolls to the selected element when another one is selected, or other rows are asked for; not
// where a trace has grown, nor where rows are sorted by another column than time: that is to see
// the first of them.
void EventList::follow(const PanelInput& input, const std::shared_ptr<const EventTable>& table,
                       EventTableKey key, PanelOutput& output) {
  const auto& element = input.trace->element();
  if (!table || !element) return;
  key.trace = nullptr;
  if (followed_ && followed_->first == key && followed_->second == *element) return;
  if (is_sorted_only(key, *element, *table)) {
    followed_->first = std::move(key);
    return;
  }
  const auto place = place_.find({table, *element});
  output.is_stale |= place.is_stale;
  if (place.is_stale) return;
  followed_ = {std::move(key), *element};
  if (const std::optional<uint64_t> row = place.value->row) view_.reveal(*row);
}

bool EventList::is_sorted_only(const EventTableKey& key, const query::ElementRef& element,
                               const EventTable& table) const {
  if (!followed_ || followed_->second != element || table.sorted.empty()) return false;
  EventTableKey before = followed_->first;
  before.options.sort = key.options.sort;
  before.options.is_descending = key.options.is_descending;
  return before == key;
}

void EventList::draw(const PanelInput& input, const Area& area, EventTableKey key,
                     PanelOutput& output) {
  key.times = {input.session.look.time_display, input.trace->reach()};
  const auto table = table_.find(key);
  table_bytes_ = table.value ? table.value->size_bytes() : 0;
  const bool is_of_this = table.value && table.value->index.trace() == key.trace;
  const auto shown_table = is_of_this ? table.value : nullptr;
  if (!table.is_stale) follow(input, shown_table, key, output);
  // Among all events those that pass the view's filter stand out.
  const aggregate::FilterPtr marked = key.only ? nullptr : input.filter.filter();
  Latest<EventPageKey, EventPage>::Found page;
  if (shown_table) page = page_.find(page_key(shown_table, view_, marked));
  // Rows of another table stay until those of this one are there.
  const bool is_same_trace = page.value && page.value->table->index.trace() == key.trace;
  const EventPage* rows_seen = is_same_trace ? page.value.get() : nullptr;

  const EventColumns& columns = columns_of(key);
  TableInput shown{input, area, columns.all(), kEventType};
  shown.is_stale = table.is_stale || page.is_stale;
  shown.selects = true;
  shown.menu = kEventMenu;
  shown.nothing = nothing_here(input, "events");
  if (shown_table) {
    const uint64_t count = shown_table->index.total();
    shown.footer = count == shown_table->unfiltered
                       ? counted(count, "event")
                       : format_count(count) + " of " + counted(shown_table->unfiltered, "event");
    // Unlike in the density, which counts what begins, so that its bins add up.
    const TimeRange whole = key.trace->range();
    const bool is_part = key.range.begin > whole.begin || key.range.end < whole.end;
    if (is_part) shown.footer += " in the range or reaching into it";
    if (shown_table->count() < count)
      shown.caution = "the first " + format_count(shown_table->count()) + " in this order";
  }
  output.is_stale |= shown.is_stale;
  const EventRows rows(rows_seen, shown_table, input);
  const TableAnswer answered = view_.draw(shown, rows, output);
  // The table may have scrolled.
  if (shown_table) output.is_stale |= page_.find(page_key(shown_table, view_, marked)).is_stale;
  const EventPage::Line* const line =
      answered.menu && rows_seen ? rows_seen->find(answered.menu_row) : nullptr;
  if (line) choose(input, *answered.menu, *rows_seen, *line, output);
  // Keys lead to rows whose page is yet to come.
  if (answered.clicked || answered.opened) awaited_ = answered;
  if (!awaited_ || !rows_seen) return;
  const uint64_t row = awaited_->clicked.value_or(awaited_->opened.value_or(0));
  const bool is_to_come = !rows_seen->find(row) && row < rows.count();
  output.is_stale |= is_to_come;
  if (!is_to_come) answer(input, *std::exchange(awaited_, std::nullopt), *rows_seen, output);
}

void EventList::answer(const PanelInput& input, const TableAnswer& answer, const EventPage& page,
                       PanelOutput& output) {
  if (answer.clicked) {
    if (const EventPage::Line* line = page.find(*answer.clicked)) {
      output.commands.push_back({"element.select",
                                 args_from_element(element_of(*page.table->index.trace(), *line)),
                                 answer.gesture});
    }
  }
  if (!answer.opened) return;
  if (const EventPage::Line* line = page.find(*answer.opened))
    show_in_timeline(*input.trace, *line, output);
}

}  // namespace weft::app

#include "app/panels/tables/event_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <ranges>
#include <utility>

#include "app/base/json.h"
#include "app/panels/tables/event_order.h"
#include "core/base/value_text.h"
#include "core/query/cpu_lanes.h"
#include "core/query/filter/param_predicate.h"

namespace weft::app {
namespace {

using query::Event;
using store::Record;
using store::RowKind;

constexpr TableColumn kColumns[kEventColumnCount] = {
    {.id = "time", .title = "Time", .width_px = 130, .is_number = true, .has_filter = true},
    {.id = "lane", .title = "Lane", .width_px = 200, .has_filter = true, .is_path = true},
    {.id = "category", .title = "Category", .width_px = 112, .has_filter = true},
    {.id = "type", .title = "Type", .width_px = 230, .has_filter = true},
    {.id = "duration", .title = "Duration", .width_px = 90, .is_number = true, .has_filter = true},
    {.id = "params", .title = "Parameters", .width_px = 300, .has_filter = true},
};

void append_param(std::string& text, std::string_view name, std::string_view value) {
  if (!text.empty()) text += ' ';
  fmt::format_to(std::back_inserter(text), "{}='{}'", name, value);
}

// The filters whose columns say the same for many events at once narrow the selection …
void narrow(const store::Trace& trace, const TableFilters& filters, query::Selection& selection) {
  using On = aggregate::Condition::On;
  const trace::Dictionary& dictionary = trace.dictionary();
  const auto keep = [&](On on, size_t column, size_t count, const auto& text_of) {
    if (!filters.has(column)) return;
    std::vector<bool> ids;
    ids.reserve(count);
    for (uint32_t i = 0; i < count; ++i) ids.push_back(filters.takes(column, text_of(i)));
    aggregate::Condition condition;
    condition.on = on;
    condition.ids = std::move(ids);
    selection.narrow(trace, aggregate::where(std::move(condition)));
  };
  keep(On::kLane, kEventLane, dictionary.lanes.size(),
       [&](uint32_t i) { return dictionary.path_text(LaneId(i)); });
  keep(On::kType, kEventType, dictionary.types.size(),
       [&](uint32_t i) { return dictionary.types[i].name; });
  keep(On::kCategory, kEventCategory, trace::kCategoryCount,
       [](uint32_t i) { return name_of(static_cast<trace::Category>(i)); });
}

// … and the others look at each.
query::EventIndex::Predicate predicate_of(const store::TracePtr& trace, const TableFilters& filters,
                                          const EventText& text) {
  std::vector<size_t> columns;
  for (size_t column = 0; column < text.columns().count(); ++column) {
    const bool is_narrowed =
        column == kEventLane || column == kEventType || column == kEventCategory;
    if (filters.has(column) && !is_narrowed) columns.push_back(column);
  }
  if (columns.empty()) return {};
  return [trace, filters, columns, text](const Event& event) {
    return std::ranges::all_of(
        columns, [&](size_t column) { return filters.takes(column, text.cell(event, column)); });
  };
}

// Parameters that are what the event says: they have the room that other columns leave.
void give_text_the_room(std::span<TableColumn> columns) {
  constexpr float kTextPx = 420;
  for (TableColumn& column : columns) {
    if (column.id == "params.message" || column.id == "params.text") column.width_px = kTextPx;
  }
}

// If all events are of one category, that column distinguishes nothing; only states and links have
// lengths.
void leave_out_what_says_nothing(const store::Trace& trace, std::span<TableColumn> columns) {
  const trace::Counts& counts = trace.counts();
  const auto categories =
      std::ranges::count_if(counts.by_category, [](uint64_t count) { return count > 0; });
  columns[kEventCategory].says_nothing = categories == 1;
  const bool has_lengths =
      counts[trace::Category::kState] > 0 || counts[trace::Category::kLink] > 0;
  columns[kEventDuration].says_nothing = categories > 0 && !has_lengths;
}

}  // namespace

namespace {

float width_for(const std::string& text, float least_px) {
  constexpr float kPerLetterPx = 7, kRestPx = 20;
  return std::max(least_px, kPerLetterPx * static_cast<float>(text.size()) + kRestPx);
}

}  // namespace

float width_of_times(const store::Trace& trace, const TableTimes& times, float least_px) {
  const TimeRange reach = times.reach.value_or(trace.range());
  const std::string last = time_label(times.display, reach.end, reach, trace.dictionary().time_base,
                                      reach.length(), {1});
  return width_for(last, least_px);
}

EventColumns::EventColumns(const store::Trace& trace, const TableTimes& times)
    : format_(formats::format_from_id(trace.dictionary().format)),
      lane_cpus_(query::cpu_of_lanes(trace.dictionary())),
      columns_(std::begin(kColumns), std::end(kColumns)) {
  leave_out_what_says_nothing(trace, columns_);
  columns_[kEventTime].width_px = width_of_times(trace, times, columns_[kEventTime].width_px);
  // In the chosen unit, lengths may be long numbers.
  const std::string longest =
      length_cell(times.display, trace.range().length(), trace.dictionary().time_base);
  columns_[kEventDuration].width_px = width_for(longest, columns_[kEventDuration].width_px);
  has_cpu_ = std::ranges::any_of(lane_cpus_, [](const auto& cpu) { return cpu.has_value(); });
  if (format_) {
    for (const formats::Column& column : format_->columns) {
      if (column.param == query::kCpuParam) {
        has_cpu_ = true;
      } else {
        params_.push_back(&column);
      }
    }
  }
  if (has_cpu_)
    columns_.push_back(
        {.id = "cpu", .title = "CPU", .width_px = 60, .is_number = true, .has_filter = true});
  for (const formats::Column* param : params_) ids_.push_back("params." + param->param);
  for (size_t i = 0; i < ids_.size(); ++i)
    columns_.push_back(
        {.id = ids_[i], .title = params_[i]->title, .width_px = 100, .has_filter = true});
  give_text_the_room(columns_);
}

bool EventColumns::has_own(std::string_view param) const {
  return format_ && std::ranges::find(format_->columns, param, &formats::Column::param) !=
                        format_->columns.end();
}

std::optional<Duration> length_of(const store::Trace& trace, const Event& event) {
  if (event.row->kind == RowKind::kState) return event.record->duration;
  if (!query::is_link(event.row->kind)) return std::nullopt;
  return query::latency_of(trace, query::ends_of(event.row->kind, event.row->lane, *event.record));
}

std::string EventText::cell(const Event& event, size_t column) const {
  const trace::Dictionary& dictionary = trace_->dictionary();
  switch (column) {
    case kEventTime:
      return time(event.record->begin);
    case kEventLane:
      return dictionary.path_text(event.row->lane);
    case kEventCategory:
      return std::string(name_of(query::category_of(event.row->kind)));
    case kEventType:
      return event.record->type.value() < dictionary.types.size()
                 ? std::string(dictionary.type(event.record->type).name)
                 : std::string();
    case kEventDuration:
      return duration(event);
    case kEventParams:
      return params(event);
    default:
      break;
  }
  if (columns_->is_cpu(column)) {
    const auto cpu = query::cpu_of_event(columns_->lane_cpus(), *trace_, *event.row, *event.record);
    return cpu ? std::to_string(*cpu) : std::string();
  }
  if (event.record->params.is_none()) return {};
  const store::Params params = trace_->params(event.record->params);
  return query::param_text(params.json, columns_->param(column)).value_or("");
}

std::string EventText::time(Time time) const {
  const TimeRange range = times_.reach.value_or(trace_->range());
  return time_label(times_.display, time, range, trace_->dictionary().time_base, range.length(),
                    {1});
}

std::string EventText::duration(const Event& event) const {
  const auto length = length_of(*trace_, event);
  return length ? length_cell(times_.display, *length, trace_->dictionary().time_base)
                : std::string();
}

std::string EventText::params(const Event& event) const {
  std::string text;
  const Record& record = *event.record;
  switch (event.row->kind) {
    case RowKind::kState:
      append_param(text, "END", time(record.end()));
      append_param(text, "DEPTH", std::to_string(event.row->depth));
      break;
    case RowKind::kLinkOut:
    case RowKind::kLinkIn: {
      const bool is_out = event.row->kind == RowKind::kLinkOut;
      append_param(text, is_out ? "TO" : "FROM",
                   record.peer.is_none() ? "" : trace_->dictionary().path_text(record.peer));
      if (!record.peer.is_none()) append_param(text, "END", time(record.end()));
      break;
    }
    case RowKind::kVariable:
      append_param(
          text, "VALUE",
          std::isnan(record.value) ? format_value(record.value) : fmt::format("{}", record.value));
      break;
    case RowKind::kPunctual:
      break;
  }
  if (record.params.is_none()) return text;
  const store::Params params = trace_->params(record.params);
  const Json json = parse_json(params.json);
  if (json.is_object()) {
    for (const auto& [name, value] : json.items()) {
      if (columns_->has_own(name)) continue;
      append_param(text, name, plain_text(value));
    }
  } else if (!params.json.empty()) {
    append_param(text, "TEXT", params.json);
  }
  const std::string fields = trace_->payload_fields(record.type, record.params);
  if (!fields.empty()) {
    append_param(text, "FIELDS", fields);
  } else if (!params.payload.empty()) {
    append_param(text, "PAYLOAD", fmt::format("{} bytes", params.payload.size()));
  }
  return text;
}

void EventTable::read(uint64_t first, uint64_t count,
                      const std::function<bool(const query::Event&)>& body) const {
  if (first >= this->count()) return;
  count = std::min(count, this->count() - first);
  if (!sorted.empty()) {
    for (uint64_t i = first; i < first + count; ++i) {
      if (!body({sorted[i].row, &sorted[i].record})) return;
    }
    return;
  }
  if (!is_descending) {
    index.read(first, [&](const query::Event& event) { return count-- > 0 && body(event); });
    return;
  }
  // From the end, some rows at a time.
  constexpr uint64_t kRows = 64 << 10;
  std::vector<Event> rows;
  for (uint64_t end = this->count() - first; count > 0;) {
    const uint64_t size = std::min(count, kRows);
    rows.clear();
    index.read(end - size, [&](const query::Event& event) {
      if (rows.size() == size) return false;
      rows.push_back({event.row, *event.record});
      return true;
    });
    for (const Event& event : rows | std::views::reverse) {
      if (!body({event.row, &event.record})) return;
    }
    end -= size;
    count -= size;
  }
}

std::optional<EventTable> make_event_table(const EventTableKey& key, ThreadPool& pool,
                                           const std::stop_token& stop) {
  query::Selection selection = selection_of(key);
  const auto columns = std::make_shared<const EventColumns>(*key.trace);
  const EventText text(*key.trace, columns, key.times);
  const TableFilters filters(key.options, columns->all());
  std::optional<uint64_t> unfiltered;
  if (!filters.is_empty()) {
    const auto all = query::EventIndex::make(key.trace, selection, pool, {}, stop);
    if (!all) return std::nullopt;
    unfiltered = all->total();
    narrow(*key.trace, filters, selection);
  }
  auto index = query::EventIndex::make(key.trace, std::move(selection), pool,
                                       predicate_of(key.trace, filters, text), stop);
  if (!index) return std::nullopt;
  EventTable table{std::move(*index), columns, key.times, 0, false, {}};
  table.unfiltered = unfiltered.value_or(table.index.total());
  const size_t column = sort_column(key.options, columns->all()).value_or(kEventTime);
  if (column == kEventTime) {
    table.is_descending = key.options.is_descending;
    return table;
  }
  auto sorted = first_events_by(column, key.options.is_descending, table.index, text,
                                EventTable::kMostSorted, {pool, stop});
  if (!sorted) return std::nullopt;
  table.sorted = std::move(*sorted);
  return table;
}

query::ElementRef element_of(const store::Trace& trace, const EventPage::Line& line) {
  const store::Row& row = trace.row(line.row);
  query::ElementRef element;
  element.lane = row.lane;
  element.kind = row.kind;
  if (row.kind == RowKind::kState) element.which = row.depth;
  if (row.kind == RowKind::kVariable) element.which = row.variable.value();
  element.begin = line.record.begin;
  element.type = line.record.type;
  element.peer = line.record.peer;
  element.duration = line.record.duration;
  element.nth = line.nth;
  return element;
}

bool is_of(const query::ElementRef& a, const query::ElementRef& b) {
  return a.lane == b.lane && a.kind == b.kind && a.begin == b.begin && a.type == b.type &&
         a.peer == b.peer && (a.kind != RowKind::kState || a.which == b.which) &&
         (!query::is_link(a.kind) || a.duration == b.duration) && a.nth == b.nth;
}

namespace {

// Whether they are equal but for hints (query::ElementRef) …
bool are_twins(RowKind kind, const Record& a, const Record& b) {
  return a.begin == b.begin && a.type == b.type &&
         (!query::is_link(kind) || (a.peer == b.peer && a.duration == b.duration));
}

// … and in all that the trace says of them.
bool are_alike(const Record& a, const Record& b) {
  return a.begin == b.begin && a.type == b.type && a.peer == b.peer && a.duration == b.duration &&
         a.params == b.params &&
         std::bit_cast<uint64_t>(a.value) == std::bit_cast<uint64_t>(b.value);
}

// The first row that may hold an event of that time.
uint64_t first_row_at(const EventTable& table, Time time) {
  if (!table.sorted.empty()) return 0;
  if (!table.is_descending) return table.index.rank_of(time);
  return table.count() - table.index.rank_of(time + Duration{1});
}

// A line of a page, and how many rows above it are alike.
struct Twin {
  EventPage::Line* line;
  uint64_t alike = 0;
  bool is_found = false;  // in its row
};

// Numbers lines of one row that begin together. Those that are alike in everything are in the order
// of the table.
void number_twins(const store::Trace& trace, const store::Row& row, std::vector<Twin> twins) {
  const Time begin = twins.front().line->record.begin;
  size_t left = twins.size();
  trace.for_each(row, {begin, begin + Duration{1}}, [&](const Record& record) {
    if (record.begin != begin) return true;
    for (Twin& twin : twins) {
      if (twin.is_found || !are_twins(row.kind, record, twin.line->record)) continue;
      twin.is_found = are_alike(record, twin.line->record) && twin.alike-- == 0;
      if (twin.is_found) {
        --left;
      } else {
        ++twin.line->nth;
      }
    }
    return left > 0;
  });
}

// Tells which of several that begin together each line is.
void number_lines(const EventPageKey& key, EventPage& page) {
  if (page.lines.empty()) return;
  const store::Trace& trace = *key.table->index.trace();
  std::map<std::pair<const store::Row*, int64_t>, std::vector<Twin>> together;
  for (EventPage::Line& line : page.lines) {
    std::vector<Twin>& twins = together[{&trace.row(line.row), line.record.begin.ticks}];
    const auto alike = std::ranges::count_if(
        twins, [&](const Twin& twin) { return are_alike(twin.line->record, line.record); });
    twins.push_back({&line, static_cast<uint64_t>(alike)});
  }
  const uint64_t above =
      std::min(key.first, first_row_at(*key.table, page.lines.front().record.begin));
  if (above < key.first) {
    key.table->read(above, key.first - above, [&](const Event& event) {
      const auto twins = together.find({event.row, event.record->begin.ticks});
      if (twins == together.end()) return true;
      for (Twin& twin : twins->second)
        twin.alike += are_alike(twin.line->record, *event.record) ? 1 : 0;
      return true;
    });
  }
  for (auto& [place, twins] : together) number_twins(trace, *place.first, std::move(twins));
}

}  // namespace

std::optional<uint64_t> row_of(const EventTable& table, const query::ElementRef& element) {
  const store::Trace& trace = *table.index.trace();
  const query::Elements elements(table.index.trace());
  const auto own = elements.find(element);
  if (!own) return std::nullopt;
  const store::Row& own_row = trace.row(own->row);
  uint64_t alike = 0;  // before it
  uint32_t twins = 0;
  trace.for_each(own_row, {element.begin, element.begin + Duration{1}}, [&](const Record& record) {
    if (!are_twins(own_row.kind, record, own->record)) return true;
    if (twins++ == own->ref.nth) return false;
    alike += are_alike(record, own->record) ? 1 : 0;
    return true;
  });
  std::optional<uint64_t> found;
  uint64_t row = first_row_at(table, element.begin);
  if (row >= table.count()) return std::nullopt;
  table.read(row, table.count() - row, [&](const Event& event) {
    const bool is_past = table.sorted.empty() && event.record->begin != element.begin;
    if (is_past) return false;
    const bool is_it =
        event.row == &own_row && are_alike(*event.record, own->record) && alike-- == 0;
    if (is_it) found = row;
    ++row;
    return !is_it;
  });
  return found;
}

EventPage make_event_page(const EventPageKey& key) {
  EventPage page{key.table, key.first, {}};
  const store::Trace& trace = *key.table->index.trace();
  const EventText text(trace, key.table->columns, key.table->times);
  key.table->read(key.first, key.count, [&](const Event& event) {
    EventPage::Line& line = page.lines.emplace_back();
    line.row = RowId(static_cast<uint32_t>(event.row - trace.rows().data()));
    line.record = *event.record;
    for (size_t i = 0; i < text.columns().count(); ++i) line.cells.push_back(text.cell(event, i));
    line.stands_out = !key.marked || key.marked->for_row(trace, *event.row).passes(*event.record);
    return true;
  });
  number_lines(key, page);
  return page;
}

namespace {

// Values that the table shows among the parameters, and a sheet in columns after the table's own.
enum SheetOnly : size_t { kSheetDepth, kSheetValue, kSheetTarget, kSheetTargetTime, kSheetOnly };
constexpr const char* kSheetOnlyNames[kSheetOnly] = {"depth", "value", "target", "target_time"};

void fill_sheet_only(const store::Trace& trace, const Event& event, std::span<Cell> cells) {
  const Record& record = *event.record;
  const RowKind kind = event.row->kind;
  std::ranges::fill(cells, Cell());
  if (kind == RowKind::kState) cells[kSheetDepth] = uint64_t{event.row->depth};
  if (kind == RowKind::kVariable) cells[kSheetValue] = record.value;
  if (!query::is_link(kind)) return;
  const query::LinkEnds ends = query::ends_of(kind, event.row->lane, record);
  if (ends.target.is_none()) return;
  cells[kSheetTarget] = trace.dictionary().path_text(ends.target);
  cells[kSheetTargetTime] = ends.receive.ticks;
}

}  // namespace

Sheet sheet_of(const std::shared_ptr<const EventTable>& table) {
  const auto read = [table](const RowTaker& row, const std::stop_token&) {
    const store::Trace& trace = *table->index.trace();
    const EventText text(trace, table->columns, table->times);
    const size_t own = text.columns().count();
    std::vector<Cell> cells(own + kSheetOnly);
    table->read(0, table->count(), [&](const Event& event) {
      for (size_t i = 0; i < own; ++i) {
        if (i != kEventTime && i != kEventDuration && i != kEventParams)
          cells[i] = text.cell(event, i);
      }
      cells[kEventTime] = event.record->begin.ticks;
      const auto length = length_of(trace, event);
      cells[kEventDuration] = length ? Cell(length->ticks) : Cell();
      cells[kEventParams] = event.record->params.is_none()
                                ? Cell()
                                : Cell(std::string(trace.params(event.record->params).json));
      fill_sheet_only(trace, event, std::span(cells).subspan(own));
      return row(cells);
    });
    return Status();
  };
  std::vector<std::string> columns = column_ids(table->columns->all());
  columns.insert(columns.end(), std::begin(kSheetOnlyNames), std::end(kSheetOnlyNames));
  std::string shortfall;
  if (table->count() < table->index.total())
    shortfall = ", the first in this order of " + format_count(table->index.total()) +
                ": in order of time it has all";
  return {std::move(columns), table->count(), read, std::move(shortfall)};
}

}  // namespace weft::app

// The events of a range as a table of any length: which event is in which row, and what its cells
// say. What the event table draws and writes out; work for workers throughout.
//
// In order of time nothing is kept but an index (query::EventIndex), whatever the number of rows.
// Filters on lane, category and type narrow the selection; those on other columns look at the text
// of every event once. Other orders look at every event, too, and keep the first kMostSorted.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "app/base/time_display.h"
#include "app/panels/tables/table_view.h"
#include "app/session/scope.h"
#include "core/base/large_vector.h"
#include "core/base/thread_pool.h"
#include "core/formats/formats.h"
#include "core/query/element.h"
#include "core/query/event_index.h"
#include "core/store/trace.h"

namespace weft::app {

enum EventColumn : size_t {
  kEventTime,  // as times read everywhere
  kEventLane,
  kEventCategory,
  kEventType,
  kEventDuration,    // states: length; links: from send to receive; else empty
  kEventParams,      // NAME='VALUE' of those without a column; first what only its category has:
                     // END, DEPTH, TO, VALUE
  kEventColumnCount  // behind these, those of the trace's own type
};

// How times read.
struct TableTimes {
  TimeDisplay display = {};
  std::optional<TimeRange> reach = {};  // what they count from; none: the trace's range
  bool operator==(const TableTimes&) const = default;
};

// How wide a column of them must be, at least `least_px`, at scale 1: the last one of the trace has
// as many letters as any.
float width_of_times(const store::Trace& trace, const TableTimes& times, float least_px);

// The columns of a trace: those above; the CPU, where a lane is one or the trace's type says that
// events tell it; and those that its type deserves (formats::Column), each a parameter,
// "params.NAME". O(lanes) to make; owns what its columns point to. (NX-10)
class EventColumns {
 public:
  explicit EventColumns(const store::Trace& trace, const TableTimes& times = {});

  std::span<const TableColumn> all() const { return columns_; }
  // Whether a parameter has a column to itself.
  bool has_own(std::string_view param) const;
  size_t count() const { return columns_.size(); }
  bool is_cpu(size_t column) const { return has_cpu_ && column == kEventColumnCount; }
  const std::vector<std::optional<int64_t>>& lane_cpus() const { return lane_cpus_; }
  // Of a column behind the common ones and the CPU.
  const std::string& param(size_t column) const {
    return params_[column - kEventColumnCount - static_cast<size_t>(has_cpu_)]->param;
  }

 private:
  formats::FormatPtr format_;  // null: it is not known
  std::vector<std::optional<int64_t>> lane_cpus_;
  bool has_cpu_ = false;
  std::vector<const formats::Column*> params_;
  std::vector<std::string> ids_;
  std::vector<TableColumn> columns_;
};
using EventColumnsPtr = std::shared_ptr<const EventColumns>;

// Of states, and of links where their latency is known.
std::optional<Duration> length_of(const store::Trace& trace, const query::Event& event);

// What the cells of an event say. Not printable yet: names and parameters are as in the trace.
class EventText {
 public:
  // `is_exact`: times within parameters are ticks, as in files.
  EventText(const store::Trace& trace, EventColumnsPtr columns, const TableTimes& times,
            bool is_exact = false)
      : trace_(&trace), columns_(std::move(columns)), times_(times), is_exact_(is_exact) {}
  const EventColumns& columns() const { return *columns_; }
  std::string cell(const query::Event& event, size_t column) const;

 private:
  std::string time(Time time) const;
  std::string duration(const query::Event& event) const;
  std::string params(const query::Event& event) const;

  const store::Trace* trace_;
  EventColumnsPtr columns_;
  TableTimes times_;
  bool is_exact_;
};

struct EventTableKey : Scope {
  TableOptions options;
  TableTimes times = {};  // and so what a filter on them takes
  bool operator==(const EventTableKey&) const = default;
};

struct EventTable {
  static constexpr uint64_t kMostSorted = 200'000;

  struct Event {
    const store::Row* row;
    store::Record record;
  };

  query::EventIndex index;
  EventColumnsPtr columns;
  TableTimes times;
  uint64_t unfiltered = 0;     // events of the range, whatever the filters
  bool is_descending = false;  // in time
  LargeVector<Event> sorted;   // by another column than time: its rows

  // Its rows; fewer than pass where not all are kept in another order than time.
  uint64_t count() const { return sorted.empty() ? index.total() : sorted.size(); }
  uint64_t size_bytes() const { return index.size_bytes() + sorted.capacity() * sizeof(Event); }
  // Rows [first, first + count) from the top, until `body` returns false.
  void read(uint64_t first, uint64_t count,
            const std::function<bool(const query::Event&)>& body) const;
};

// The first of the elements that are equal in all that a row shows.
query::ElementRef element_of(const store::Row& row, const store::Record& record);
// Whatever is a hint only.
bool is_of(const query::ElementRef& a, const query::ElementRef& b);

// The row of an element; nothing where the table has none. Cost: that of a page, where rows are in
// order of time.
std::optional<uint64_t> row_of(const EventTable& table, const query::ElementRef& element);

// None where it was told to stop.
std::optional<EventTable> make_event_table(const EventTableKey& key, ThreadPool& pool,
                                           const std::stop_token& stop);

struct EventPageKey {
  std::shared_ptr<const EventTable> table;
  uint64_t first = 0;
  uint64_t count = 0;
  aggregate::FilterPtr marked = {};  // what stands out among the rows; null: nothing does
  bool operator==(const EventPageKey&) const = default;
};

// Some rows in a row, as text.
struct EventPage {
  struct Line {
    RowId row;
    store::Record record;
    std::vector<std::string> cells;
    bool stands_out = true;  // or nothing does
  };
  std::shared_ptr<const EventTable> table;
  uint64_t first = 0;
  std::vector<Line> lines;

  const Line* find(uint64_t row) const {
    return row >= first && row - first < lines.size() ? &lines[row - first] : nullptr;
  }
};
EventPage make_event_page(const EventPageKey& key);

// Every row, with times and durations in ticks.
Sheet sheet_of(const std::shared_ptr<const EventTable>& table);

}  // namespace weft::app

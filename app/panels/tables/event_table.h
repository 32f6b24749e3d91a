// The events of a range as a table of any length: which event is in which row, and the texts of its
// cells, for display and export. Worker threads only.
//
// In order of time, only an index is kept (query::EventIndex), whatever the number of rows. Filters
// on lane, category and type narrow the selection; those on other columns read the text of every
// event once. Other orders read every event, too, and keep the first kMostSorted.
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
  kEventTime,  // written like all times
  kEventLane,
  kEventCategory,
  kEventType,
  kEventDuration,    // states: length; links: from send to receive; else empty
  kEventParams,      // NAME='VALUE' for those without a column; first those of its category:
                     // END, DEPTH, TO, VALUE
  kEventColumnCount  // followed by those of the trace's type
};

// How times are written.
struct TableTimes {
  TimeDisplay display = {};
  std::optional<TimeRange> reach = {};  // what they count from; nullopt: the trace's range
  bool operator==(const TableTimes&) const = default;
};

// The width of a column of times at scale 1, at least `least_px`: the last time of the trace has as
// many letters as any.
float width_of_times(const store::Trace& trace, const TableTimes& times, float least_px);

// The columns of a trace: those above; the CPU, if a lane is one or the trace's type says that
// events name it; and those of its type (formats::Column), each a parameter, "params.NAME".
// O(lanes) to construct; owns what its columns point to. (NX-10)
class EventColumns {
 public:
  explicit EventColumns(const store::Trace& trace, const TableTimes& times = {});

  std::span<const TableColumn> all() const { return columns_; }
  // Whether a parameter has a column of its own.
  bool has_own(std::string_view param) const;
  size_t count() const { return columns_.size(); }
  bool is_cpu(size_t column) const { return has_cpu_ && column == kEventColumnCount; }
  const std::vector<std::optional<int64_t>>& lane_cpus() const { return lane_cpus_; }
  // The parameter of a column behind the common ones and the CPU.
  const std::string& param(size_t column) const {
    return params_[column - kEventColumnCount - static_cast<size_t>(has_cpu_)]->param;
  }

 private:
  formats::FormatPtr format_;  // null: unknown
  std::vector<std::optional<int64_t>> lane_cpus_;
  bool has_cpu_ = false;
  std::vector<const formats::Column*> params_;
  std::vector<std::string> ids_;
  std::vector<TableColumn> columns_;
};
using EventColumnsPtr = std::shared_ptr<const EventColumns>;

// The duration of a state, or of a link if its latency is known.
std::optional<Duration> length_of(const store::Trace& trace, const query::Event& event);

// The texts of an event's cells. Not printable yet: names and parameters are as in the trace.
class EventText {
 public:
  EventText(const store::Trace& trace, EventColumnsPtr columns, const TableTimes& times)
      : trace_(&trace), columns_(std::move(columns)), times_(times) {}
  const EventColumns& columns() const { return *columns_; }
  std::string cell(const query::Event& event, size_t column) const;

 private:
  std::string time(Time time) const;
  std::string duration(const query::Event& event) const;
  std::string params(const query::Event& event) const;

  const store::Trace* trace_;
  EventColumnsPtr columns_;
  TableTimes times_;
};

struct EventTableKey : Scope {
  TableOptions options;
  TableTimes times = {};  // also decides what filters on times match
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
  bool is_descending = false;  // in order of time
  LargeVector<Event> sorted;   // the rows, if sorted by a column other than time

  // The number of rows; fewer than events pass if an order other than time does not keep all.
  uint64_t count() const { return sorted.empty() ? index.total() : sorted.size(); }
  uint64_t size_bytes() const { return index.size_bytes() + sorted.capacity() * sizeof(Event); }
  // Reads rows [first, first + count) from the top, until `body` returns false.
  void read(uint64_t first, uint64_t count,
            const std::function<bool(const query::Event&)>& body) const;
};

// Whether both are the same element, ignoring members that are only hints.
bool is_of(const query::ElementRef& a, const query::ElementRef& b);

// The row of an element; nullopt if it is not in the table. Costs as much as a page, if rows are in
// order of time.
std::optional<uint64_t> row_of(const EventTable& table, const query::ElementRef& element);

// nullopt if it was stopped.
std::optional<EventTable> make_event_table(const EventTableKey& key, ThreadPool& pool,
                                           const std::stop_token& stop);

struct EventPageKey {
  std::shared_ptr<const EventTable> table;
  uint64_t first = 0;
  uint64_t count = 0;
  aggregate::FilterPtr marked = {};  // which rows stand out; null: none
  bool operator==(const EventPageKey&) const = default;
};

// Consecutive rows as text.
struct EventPage {
  struct Line {
    RowId row;
    store::Record record;
    std::vector<std::string> cells;
    bool stands_out = true;  // also if `marked` is null
    uint32_t nth = 0;        // as in query::ElementRef
  };
  std::shared_ptr<const EventTable> table;
  uint64_t first = 0;
  std::vector<Line> lines;

  const Line* find(uint64_t row) const {
    return row >= first && row - first < lines.size() ? &lines[row - first] : nullptr;
  }
};
EventPage make_event_page(const EventPageKey& key);
query::ElementRef element_of(const store::Trace& trace, const EventPage::Line& line);

// Every row, with times and durations in ticks.
Sheet sheet_of(const std::shared_ptr<const EventTable>& table);

}  // namespace weft::app

#include "core/query/metrics/variable_figures.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/query/reduce.h"
#include "core/query/windows.h"
#include "core/store/segment.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;

// The sums of one variable, of one lane or of several.
struct Sums {
  uint64_t count = 0;
  long double value_ticks = 0;
  long double ticks = 0;
  double min = VariableFigures::kNone, max = VariableFigures::kNone;
  std::optional<Time> last_begin;  // nullopt: there is nothing
  double last = VariableFigures::kNone;

  // A sample that lies in the range, or whose value holds in it.
  void see(const Record& sample) {
    min = store::lesser_value(min, sample.value);
    max = store::greater_value(max, sample.value);
    take_last(sample.begin, sample.value);
  }
  void hold(const Record& sample, Duration length) {
    if (length.ticks <= 0) return;
    see(sample);
    if (std::isnan(sample.value)) return;
    value_ticks += static_cast<long double>(sample.value) * static_cast<long double>(length.ticks);
    ticks += static_cast<long double>(length.ticks);
  }
  void merge(const Sums& other) {
    count += other.count;
    value_ticks += other.value_ticks;
    ticks += other.ticks;
    min = store::lesser_value(min, other.min);
    max = store::greater_value(max, other.max);
    if (other.last_begin) take_last(*other.last_begin, other.last);
  }

 private:
  void take_last(Time begin, double value) {
    if (last_begin && begin < *last_begin) return;
    last_begin = begin;
    last = value;
  }
};

// Returns the last sample that begins before `time`.
std::optional<Record> sample_before(const Row& row, Time time) {
  std::optional<Record> last;
  for (const store::RowPart& part : row.parts) {
    const uint64_t end = part.lower_bound(time.ticks);
    if (end == 0) continue;
    const Record sample = part.record(end - 1);
    if (!last || sample.begin >= last->begin) last = sample;
  }
  return last;
}

// Calls body(sample) for those that begin in the range, in order.
template <class Body>
void for_each_sample(const store::Trace& trace, const Row& row, TimeRange range, const Body& body) {
  std::vector<Record> of_parts;  // of a growing trace, which may overlap
  trace.for_each_block(row, range, [&](std::span<const Record> block) {
    for (const Record& sample : block) {
      if (!range.contains(sample.begin)) continue;
      if (row.parts.size() > 1) {
        of_parts.push_back(sample);
      } else {
        body(sample);
      }
    }
    return true;
  });
  std::ranges::stable_sort(of_parts, {}, &Record::begin);
  std::ranges::for_each(of_parts, body);
}

// Adds what lies in the window, whose values hold no longer than it lasts here.
void add_window(const store::Trace& trace, const Selection& selection, const Window& window,
                Sums& sums) {
  const Row& row = window.rows.front();
  const RowSelection events = selection.of(trace, row);
  std::optional<Record> held = sample_before(row, window.range.begin);
  Time since = window.range.begin;
  const auto hold_until = [&](Time end) {
    if (held && events.takes(*held)) sums.hold(*held, end - since);
    since = end;
  };
  for_each_sample(trace, row, window.range, [&](const Record& sample) {
    hold_until(sample.begin);
    held = sample;
    if (!events.takes(sample)) return;
    ++sums.count;
    sums.see(sample);
  });
  hold_until(window.range.end);
}

// The sums of each row: a State of reduce().
struct RowSums {
  std::vector<Sums> rows;
  void merge(const RowSums& other) {
    for (size_t i = 0; i < rows.size(); ++i) rows[i].merge(other.rows[i]);
  }
};

VariableFigures figures_of(EventTypeId variable, LaneId lane, const Sums& sums) {
  VariableFigures figures{variable, lane, sums.count};
  if (sums.ticks > 0) figures.mean = static_cast<double>(sums.value_ticks / sums.ticks);
  figures.min = sums.min;
  figures.max = sums.max;
  figures.last = sums.last;
  return figures;
}

}  // namespace

std::optional<std::vector<VariableFigures>> measure_variables(const store::Trace& trace,
                                                              const Selection& selection,
                                                              GroupBy by, const Work& work) {
  std::vector<VariableFigures> all;
  if (by == GroupBy::kPair) return all;
  const TimeRange whole = whole_range(trace);
  const TimeRange range = {std::max(whole.begin, selection.range.begin),
                           std::min(whole.end, selection.range.end)};
  std::vector<const Row*> rows;
  std::vector<Window> windows;
  std::vector<size_t> row_of_window;
  for (const Row& row : trace.rows()) {
    if (row.kind != store::RowKind::kVariable || selection.of(trace, row).takes_nothing()) continue;
    append_windows(trace, {&row, 1}, range, windows);
    row_of_window.resize(windows.size(), rows.size());
    rows.push_back(&row);
  }
  const auto read = [&](RowSums& sums, size_t i) {
    add_window(trace, selection, windows[i], sums.rows[row_of_window[i]]);
  };
  const RowSums sums = reduce(work, windows.size(), RowSums{std::vector<Sums>(rows.size())}, read);
  if (work.stop.stop_requested()) return std::nullopt;

  std::map<std::pair<EventTypeId, LaneId>, Sums> groups;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!sums.rows[i].last_begin) continue;
    const LaneId lane = by == GroupBy::kLane ? rows[i]->lane : LaneId::none();
    groups[{rows[i]->variable, lane}].merge(sums.rows[i]);
  }
  for (const auto& [group, of_group] : groups)
    all.push_back(figures_of(group.first, group.second, of_group));
  std::ranges::stable_sort(all, std::ranges::greater{}, &VariableFigures::count);
  return all;
}

}  // namespace weft::query

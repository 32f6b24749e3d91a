#include "core/query/idle.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/aggregate/columns.h"
#include "core/aggregate/filtered_scan.h"
#include "core/query/reduce.h"
#include "core/query/selection.h"
#include "core/query/windows.h"

namespace weft::query {
namespace {

using aggregate::Cell;
using aggregate::GridSpan;
using aggregate::Wide;

constexpr int64_t kColumnsPerStretch = 5;  // of the shortest that is looked for, with its air

// The finest grid that is needed for `least` and covers the range in few enough columns.
GridSpan grid_for(TimeRange range, Duration least) {
  GridSpan grid;
  const auto columns = [&] {  // 128 bits: ranges may be as long as time itself
    return static_cast<__int128>((range.end.ticks - 1) >> grid.level) -
           (range.begin.ticks >> grid.level) + 1;
  };
  while (grid.level < 62 && (int64_t{1} << (grid.level + 1)) * kColumnsPerStretch <= least.ticks) {
    ++grid.level;
  }
  while (grid.level < 62 && columns() > kIdleColumns) ++grid.level;
  grid.first = range.begin.ticks >> grid.level;
  grid.count = static_cast<uint32_t>(columns());
  return grid;
}

// What is known of the columns: a State of reduce().
class Columns {
 public:
  explicit Columns(const GridSpan& grid) : grid_(grid), is_busy_(grid.count) {}

  // Marks the columns in which the row has something.
  void mark(const store::Row& row) {
    cells_.assign(grid_.count, Cell());
    wides_.clear();
    aggregate::cells(row, grid_, Duration{int64_t{1} << grid_.level}, cells_, wides_);
    // A sample holds until the next: what it carries on is not activity.
    const bool carries = row.kind != store::RowKind::kVariable;
    for (size_t i = 0; i < cells_.size(); ++i) {
      if (cells_[i].begins > 0 || (carries && cells_[i].is_carried)) is_busy_[i] = true;
    }
    for (const Wide& wide : wides_) mark(wide.begin, wide.begin + wide.duration);
  }

  // Marks the columns of the window in which the row has something that passes.
  void mark(const store::Row& row, const aggregate::RowFilter& filter, TimeRange window,
            const std::stop_token& stop) {
    if (is_all_busy(window)) return;
    const auto mark_passing = [&](const aggregate::PassingRecords& passing) {
      for (const store::Record& record : passing.records) {
        const bool is_state = row.kind == store::RowKind::kState;
        const Time end = is_state ? record.end() : record.begin;
        mark(std::max(record.begin, window.begin), std::min(end, window.end));
      }
      return true;
    };
    aggregate::for_each_passing(row, filter, window, aggregate::ScanOrder::kForwards, mark_passing,
                                stop);
  }

  void merge(const Columns& other) {
    for (size_t i = 0; i < is_busy_.size(); ++i) {
      if (other.is_busy_[i]) is_busy_[i] = true;
    }
  }

  const std::vector<bool>& is_busy() const { return is_busy_; }

 private:
  size_t column(Time t) const {
    const int64_t last = static_cast<int64_t>(grid_.count) - 1;
    return static_cast<size_t>(
        std::clamp<int64_t>((t.ticks >> grid_.level) - grid_.first, 0, last));
  }
  void mark(Time begin, Time end) { std::fill(at(column(begin)), at(column(end)) + 1, true); }
  bool is_all_busy(TimeRange range) const {
    const auto end = at(column(range.end)) + 1;
    return std::find(at(column(range.begin)), end, false) == end;
  }
  std::vector<bool>::iterator at(size_t i) { return is_busy_.begin() + static_cast<ptrdiff_t>(i); }
  std::vector<bool>::const_iterator at(size_t i) const {
    return is_busy_.begin() + static_cast<ptrdiff_t>(i);
  }

  GridSpan grid_;
  std::vector<bool> is_busy_;
  std::vector<Cell> cells_;  // of the row being read
  std::vector<Wide> wides_;
};

// A row, of which the filter takes a part only in a window of time, or everything.
struct Part {
  const store::Row* row;
  std::optional<aggregate::RowFilter> filter;  // nullopt: everything passes
  TimeRange window;
};

std::vector<Part> parts_of(const store::Trace& trace, std::span<const RowId> rows, TimeRange range,
                           const aggregate::Filter* filter) {
  std::vector<Part> parts;
  std::vector<Window> windows;
  for (const RowId id : rows) {
    const store::Row& row = trace.row(id);
    auto of_row = filter != nullptr ? std::optional(filter->for_row(trace, row)) : std::nullopt;
    if (!of_row || of_row->passes_all()) {
      parts.push_back({&row, std::nullopt, range});
      continue;
    }
    if (of_row->passes_none()) continue;
    windows.clear();
    append_windows(trace, {&row, 1}, range, windows);
    for (const Window& window : windows) parts.push_back({&row, of_row, window.range});
  }
  return parts;
}

// By column of the grid: whether there is something.
std::vector<bool> busy_columns(const std::vector<Part>& parts, const GridSpan& grid,
                               const Work& work) {
  const TimeRange span = grid.range();
  const auto look = [&](Columns& columns, size_t i) {
    const auto& [row, of_row, window] = parts[i];
    const TimeRange within = {std::max(window.begin, span.begin), std::min(window.end, span.end)};
    if (!of_row) {
      columns.mark(*row);
    } else if (!within.is_empty()) {
      columns.mark(*row, *of_row, within, work.stop);
    }
  };
  return reduce(work, parts.size(), Columns(grid), look).is_busy();
}

// Moves the ends of stretches, which lie a column of the grid beside one that is busy, to a column
// of a finer one beside what is there, until the air is a small part of all that is left.
class Closer {
 public:
  Closer(const std::vector<Part>& parts, TimeRange range, const Work& work)
      : parts_(parts), range_(range), work_(work) {}

  void close(std::vector<TimeRange>& stretches, int level) const {
    constexpr size_t kMostLooks = 200'000;  // rows at the ends of stretches
    constexpr int kLevels = 6;              // per pass
    if (parts_.size() * stretches.size() > kMostLooks) return;
    while (level > 0 && has_much_air(stretches, level) && !work_.stop.stop_requested()) {
      const int finer = std::max(0, level - kLevels);
      for (TimeRange& stretch : stretches) {
        if (stretch.begin > range_.begin) move_begin(stretch, level, finer);
        if (stretch.end < range_.end) move_end(stretch, level, finer);
      }
      level = finer;
    }
  }

 private:
  // The busy column and the air are two columns of the grid.
  bool has_much_air(const std::vector<TimeRange>& stretches, int level) const {
    constexpr double kMostShare = 0.02;
    double left = ticks_between(range_.begin, range_.end), air = 0;
    for (const TimeRange& stretch : stretches) {
      left -= ticks_between(stretch.begin, stretch.end);
      air += std::ldexp((stretch.begin > range_.begin) + (stretch.end < range_.end), level + 1);
    }
    return air > kMostShare * left;
  }

  // Two columns of `level`, as columns of the finer one.
  static GridSpan two_columns(Time begin, int level, int finer) {
    return {finer, begin.ticks >> finer, uint32_t{2} << (level - finer)};
  }

  void move_begin(TimeRange& stretch, int level, int finer) const {
    const Time from = {saturating_sub(stretch.begin.ticks, int64_t{2} << level)};
    const GridSpan grid = two_columns(from, level, finer);
    const std::vector<bool> is_busy = busy_columns(parts_, grid, work_);
    const auto last = std::find(is_busy.rbegin(), is_busy.rend(), true);
    const auto free_from = is_busy.rend() - last;
    stretch.begin = std::min(stretch.begin, grid.time_of(grid.first + free_from + 1));
  }

  void move_end(TimeRange& stretch, int level, int finer) const {
    const GridSpan grid = two_columns(stretch.end, level, finer);
    const std::vector<bool> is_busy = busy_columns(parts_, grid, work_);
    const auto free = std::ranges::find(is_busy, true) - is_busy.begin();
    stretch.end = std::min(
        range_.end, std::max(stretch.end, grid.time_of(saturating_add(grid.first, free - 1))));
  }

  const std::vector<Part>& parts_;
  TimeRange range_;
  const Work& work_;
};

}  // namespace

std::vector<TimeRange> idle_stretches(const store::Trace& trace, std::span<const RowId> rows,
                                      Duration least, const aggregate::FilterPtr& filter,
                                      const Work& work) {
  const TimeRange range = whole_range(trace);
  if (range.is_empty() || rows.empty()) return {};
  const GridSpan grid = grid_for(range, least);
  const std::vector<Part> parts = parts_of(trace, rows, range, filter.get());
  const std::vector<bool> is_busy = busy_columns(parts, grid, work);
  if (work.stop.stop_requested()) return {};
  if (std::ranges::find(is_busy, true) == is_busy.end()) return {};
  std::vector<TimeRange> stretches;
  for (uint32_t i = 0; i < grid.count;) {
    uint32_t end = i;
    while (end < grid.count && !is_busy[end]) ++end;
    // A column of air beside events; the ends of the trace need none.
    const uint32_t from = i == 0 ? 0 : i + 1;
    const uint32_t to = end == grid.count ? end : end - std::min<uint32_t>(end, 1);
    if (to > from) {
      const TimeRange idle = {std::max(range.begin, grid.time_of(grid.first + from)),
                              std::min(range.end, grid.time_of(grid.first + to))};
      if (!idle.is_empty() && idle.length() >= Duration{least.ticks / 2}) stretches.push_back(idle);
    }
    i = std::max(end, i + 1);
  }
  Closer(parts, range, work).close(stretches, grid.level);
  if (work.stop.stop_requested()) return {};
  return stretches;
}

}  // namespace weft::query

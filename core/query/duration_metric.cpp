#include "core/query/duration_metric.h"

#include <algorithm>

#include "core/query/reduce.h"
#include "core/query/tally.h"
#include "core/query/windows.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;
using store::RowKind;

struct Interval {
  int64_t begin;
  int64_t end;
  GroupKey group;
};

int64_t overlap(const Interval& a, const Interval& b) {
  const int64_t ticks = saturating_sub(std::min(a.end, b.end), std::max(a.begin, b.begin));
  return std::max<int64_t>(0, ticks);
}

// One thread's share: the sums so far, and two rows of the window being read.
class Scan {
 public:
  Scan(const store::Trace& trace, const Selection& selection, GroupBy by)
      : trace_(&trace), selection_(&selection), by_(by), tally_(trace, by) {}

  // The rows of a window are the states of one lane, outermost first.
  void read(const Window& window) {
    const Row* above = nullptr;
    for (const Row& row : window.rows) {
      std::swap(outer_, inner_);
      inner_.clear();
      read(row, window);
      if (above != nullptr && above->depth + 1 == row.depth) subtract_children();
      above = &row;
    }
  }

  void merge(const Scan& other) { tally_.merge(other.tally_); }
  Statistics finish() && { return std::move(tally_).finish(); }

 private:
  // Tallies the states that the window owns, and keeps all of them, cut to the window.
  void read(const Row& row, const Window& window) {
    const TimeRange range = selection_->range;
    const RowSelection events = selection_->of(*trace_, row);
    trace_->for_each_block(row, window.range, [&](std::span<const Record> block) {
      for (const Record& record : block) {
        if (!lies_in(row, record, window.range)) continue;
        const Time end = record.end();
        const bool is_counted = events.takes(record);
        const GroupKey group = is_counted ? group_of(by_, row, record) : kNoGroup;
        if (is_counted && window.owns(record)) {
          tally_.add(group, (std::min(end, range.end) - std::max(record.begin, range.begin)).ticks);
        }
        inner_.push_back({std::max(record.begin, window.range.begin).ticks,
                          std::min(end, window.range.end).ticks, group});
      }
      return true;
    });
  }

  // Both rows are in order and without overlap in themselves, so one pass over each suffices. What
  // the children of one state cover is gathered before it is booked.
  void subtract_children() {
    auto outer = outer_.begin();
    int64_t covered = 0;  // of *outer
    for (const Interval& inner : inner_) {
      while (outer != outer_.end() && outer->end <= inner.begin) {
        book(covered, *outer);
        ++outer;
      }
      if (outer == outer_.end()) return;
      covered = saturating_add(covered, overlap(inner, *outer));
      // Rarely, in rows of work that overlaps, a state reaches into the next one above.
      for (auto next = outer; next->end < inner.end && ++next != outer_.end();) {
        int64_t more = overlap(inner, *next);
        book(more, *next);
      }
    }
    if (outer != outer_.end()) book(covered, *outer);
  }

  void book(int64_t& covered, const Interval& outer) {
    if (covered > 0) tally_.take_off_self(outer.group, covered);
    covered = 0;
  }

  const store::Trace* trace_;
  const Selection* selection_;
  GroupBy by_;
  Tally tally_;
  std::vector<Interval> outer_;
  std::vector<Interval> inner_;
};

}  // namespace

Statistics measure_durations(const store::Trace& trace, const Selection& selection, GroupBy by,
                             const Work& work) {
  const std::vector<Window> windows = state_windows(trace, selection);
  const auto read = [&](Scan& scan, size_t i) { scan.read(windows[i]); };
  return reduce(work, windows.size(), Scan(trace, selection, by), read).finish();
}

std::optional<int64_t> duration_value(const store::Trace&, const store::Row& row,
                                      const store::Record& record, TimeRange range) {
  if (row.kind != RowKind::kState) return std::nullopt;
  return (std::min(record.end(), range.end) - std::max(record.begin, range.begin)).ticks;
}

}  // namespace weft::query

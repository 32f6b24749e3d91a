#include "core/query/metrics/duration_metric.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/time_span.h"
#include "core/query/metrics/tally.h"
#include "core/query/reduce.h"
#include "core/query/windows.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;
using store::RowKind;

// The states of one row in a window, cut to it: in order, and none overlaps another.
class RowStates {
 public:
  void clear() { size_ = 0; }

  // Before up to `more` are added.
  void reserve(size_t more) {
    const size_t needed = size_ + more + kAtOnce;
    if (needed <= ends_.size()) return;
    for (auto* times : {&begins_, &ends_}) times->resize(2 * needed);
    before_.resize(2 * needed);
    groups_.resize(2 * needed);
  }
  void add(int64_t begin, int64_t end, GroupKey group) {
    begins_[size_] = begin;
    ends_[size_] = end;
    groups_[size_] = group;
    before_[size_ + 1] = before_[size_] + distance(begin, end);
    ++size_;
  }
  // After the last.
  void close() {
    reserve(0);
    std::fill_n(begins_.begin() + static_cast<ptrdiff_t>(size_), kAtOnce, kNever);
    std::fill_n(ends_.begin() + static_cast<ptrdiff_t>(size_), kAtOnce, kNever);
  }

  // Calls body(group, ticks that states of `inner` cover) for each of these. Cost: one pass over
  // both. How many states lie under one cannot be foreseen, so they are not gone through one by
  // one: ends are compared several at a time, and what lies between two of them is a difference of
  // sums.
  template <class Body>
  void for_each_covered_by(const RowStates& inner, const Body& body) const {
    size_t first = 0;  // of inner, that ends behind the begin of this one
    for (size_t i = 0; i < size_; ++i) {
      const int64_t begin = begins_[i];
      const int64_t end = ends_[i];
      while (inner.ends_[first] <= begin && first < inner.size_) ++first;
      size_t next = first;  // of inner, that ends behind the end of this one
      for (uint32_t inside = kAtOnce; inside == kAtOnce && next < inner.size_; next += inside)
        inside = inner.count_ending_by(end, next);
      next = std::min(next, inner.size_);
      uint64_t covered = inner.before_[next] - inner.before_[first];
      // In rows of work that overlaps, states reach over the borders of those above.
      if (next > first && inner.begins_[first] < begin)
        covered -= distance(inner.begins_[first], begin);
      if (inner.begins_[next] < end) covered += distance(std::max(inner.begins_[next], begin), end);
      body(groups_[i], static_cast<int64_t>(covered));
      first = next;
    }
  }

 private:
  static constexpr size_t kAtOnce = 4;
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  uint32_t count_ending_by(int64_t time, size_t first) const {
    uint32_t count = 0;
    for (size_t i = 0; i < kAtOnce; ++i) count += ends_[first + i] <= time ? 1 : 0;
    return count;
  }

  // kAtOnce more than there are states, so that a group of them may be read at the last.
  std::vector<int64_t> begins_, ends_;
  std::vector<uint64_t> before_ = {0};  // ticks in the states before, modulo 2^64
  std::vector<GroupKey> groups_;
  size_t size_ = 0;
};

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
      inner_.close();
      if (above != nullptr && above->depth + 1 == row.depth) subtract_children();
      above = &row;
    }
  }

  void merge(const Scan& other) { tally_.merge(other.tally_); }
  Statistics finish() && { return std::move(tally_).finish(); }

 private:
  // Tallies the states that the window owns, and keeps all of them, cut to the window.
  void read(const Row& row, const Window& window) {
    const RowSelection events = selection_->of(*trace_, row);
    const bool takes_all = events.takes_all();
    trace_->for_each_block(row, window.range, [&](std::span<const Record> block) {
      inner_.reserve(block.size());
      // Rows of states are in order by their ends, too.
      const bool is_inside = block.front().begin >= window.range.begin &&
                             block.back().end() <= window.range.end &&
                             block.back().begin < window.range.end;
      if (is_inside && takes_all) {
        add_whole(row, block);
      } else {
        add_parts(row, window, events, block);
      }
      return true;
    });
  }

  // States that all lie in the window, and are all counted: nearly all blocks, of most questions.
  void add_whole(const Row& row, std::span<const Record> block) {
    for (const Record& record : block) {
      const GroupKey group = group_of(by_, row, record);
      tally_.add(group, record.duration.ticks);
      inner_.add(record.begin.ticks, record.end().ticks, group);
    }
  }

  void add_parts(const Row& row, const Window& window, const RowSelection& events,
                 std::span<const Record> block) {
    const TimeRange range = selection_->range;
    for (const Record& record : block) {
      if (!lies_in(row, record, window.range)) continue;
      const Time end = record.end();
      const bool is_counted = events.takes(record);
      const GroupKey group = is_counted ? group_of(by_, row, record) : kNoGroup;
      if (is_counted && window.owns(record)) {
        tally_.add(group, (std::min(end, range.end) - std::max(record.begin, range.begin)).ticks);
      }
      inner_.add(std::max(record.begin, window.range.begin).ticks,
                 std::min(end, window.range.end).ticks, group);
    }
  }

  void subtract_children() {
    outer_.for_each_covered_by(
        inner_, [this](GroupKey group, int64_t covered) { tally_.take_off_self(group, covered); });
  }

  const store::Trace* trace_;
  const Selection* selection_;
  GroupBy by_;
  Tally tally_;
  RowStates outer_;
  RowStates inner_;
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

#include "core/query/search.h"

#include <algorithm>
#include <mutex>

#include "core/aggregate/columns.h"
#include "core/aggregate/filtered_scan.h"
#include "core/base/time_span.h"
#include "core/query/windows.h"
#include "core/store/segment.h"

namespace weft::query {
namespace {

using aggregate::for_each_passing;
using aggregate::PassingRecords;
using aggregate::ScanOrder;
using store::Row;

// Records per part of a counting search: enough to be worth a task, few enough for a few
// milliseconds.
constexpr uint64_t kPartRecords = 256 * 1024;
// Events that the first step towards a hit holds, about, and how the steps grow.
constexpr uint64_t kFirstStepEvents = 64 * 1024;
constexpr uint64_t kStepGrowth = 4;

Time forward(Time t, uint64_t ticks) {
  return {static_cast<int64_t>(static_cast<uint64_t>(t.ticks) + ticks)};
}
Time backward(Time t, uint64_t ticks) {
  return {static_cast<int64_t>(static_cast<uint64_t>(t.ticks) - ticks)};
}

// Looks for the hit nearest to a place, on one side of it.
class Finder {
 public:
  Finder(const store::Trace& trace, const Selection& selection, EventPlace from, ScanOrder order,
         const std::stop_token& stop)
      : trace_(&trace), from_(from), order_(order), stop_(&stop) {
    const std::span<const Row> rows = trace.rows();
    for (uint32_t i = 0; i < rows.size(); ++i) {
      RowSelection events = selection.of(trace, rows[i]);
      if (!events.takes_nothing()) rows_.push_back({RowId(i), std::move(events)});
    }
  }

  // Among the events that begin in `range`.
  std::optional<SearchHit> find(TimeRange range, ThreadPool& pool) {
    pool.for_each(rows_.size(), [&](size_t i) {
      const Row& row = trace_->row(rows_[i].id);
      const bool is_beside = row.first_begin >= range.end || row.last_end < range.begin;
      if (!is_beside && !stop_->stop_requested()) look_at(rows_[i], row, range);
    });
    return best_;
  }

 private:
  struct SearchedRow {
    RowId id;
    RowSelection events;
  };

  void look_at(const SearchedRow& searched, const Row& row, TimeRange range) {
    const bool has_one_part = row.parts.size() == 1;
    const auto look = [&](const PassingRecords& passing) {
      for (size_t i = 0; i < passing.records.size(); ++i) {
        const store::Record& record = passing.records[i];
        const EventPlace place{record.begin, searched.id, passing.part, passing.indices[i]};
        const bool is_beyond = order_ == ScanOrder::kForwards ? place >= from_ : place < from_;
        if (!range.contains(record.begin) || !is_beyond || !searched.events.takes(record)) continue;
        offer({place, record});
        if (has_one_part) return false;  // the others are farther away
        break;
      }
      return true;
    };
    for_each_passing(row, searched.events.filter(), range, order_, look, *stop_);
  }

  void offer(const SearchHit& hit) {
    const std::lock_guard lock(mutex_);
    const bool is_better = !best_ || (order_ == ScanOrder::kForwards ? hit.place < best_->place
                                                                     : hit.place > best_->place);
    if (is_better) best_ = hit;
  }

  const store::Trace* trace_;
  EventPlace from_;
  ScanOrder order_;
  const std::stop_token* stop_;
  std::vector<SearchedRow> rows_;
  std::mutex mutex_;
  std::optional<SearchHit> best_;  // guarded by mutex_
};

std::optional<SearchHit> nearest_hit(const store::Trace& trace, const Selection& selection,
                                     EventPlace from, ScanOrder order, const Work& work,
                                     SearchProgress* progress) {
  const bool is_forwards = order == ScanOrder::kForwards;
  TimeRange left = selection.range;  // to look at
  if (is_forwards) {
    left.begin = std::max(left.begin, from.time);
  } else if (from.time < left.end) {
    left.end = from.time + Duration{1};  // rows before `from` may have events at its time
  }
  if (left.is_empty()) return std::nullopt;
  const uint64_t total = length_of(left);
  if (progress != nullptr) progress->total = total;
  const uint64_t events = std::max<uint64_t>(1, trace.counts().total());
  const uint64_t length = length_of(selection.range);
  uint64_t step = std::max<uint64_t>(1, length / std::max<uint64_t>(1, events / kFirstStepEvents));
  Finder finder(trace, selection, from, order, work.stop);
  while (!left.is_empty() && !work.stop.stop_requested()) {
    step = std::min(step, length_of(left));
    TimeRange looked_at = left;
    if (is_forwards) {
      left.begin = looked_at.end = forward(left.begin, step);
    } else {
      left.end = looked_at.begin = backward(left.end, step);
    }
    if (auto hit = finder.find(looked_at, *work.pool)) {
      return work.stop.stop_requested() ? std::nullopt : hit;
    }
    if (progress != nullptr) progress->done = total - length_of(left);
    step = step > length / kStepGrowth ? length : step * kStepGrowth;
  }
  return std::nullopt;
}

}  // namespace

std::optional<SearchHit> next_hit(const store::Trace& trace, const Selection& selection,
                                  EventPlace from, const Work& work, SearchProgress* progress) {
  return nearest_hit(trace, selection, from, ScanOrder::kForwards, work, progress);
}

std::optional<SearchHit> previous_hit(const store::Trace& trace, const Selection& selection,
                                      EventPlace from, const Work& work, SearchProgress* progress) {
  return nearest_hit(trace, selection, from, ScanOrder::kBackwards, work, progress);
}

struct Search::Part {
  Window window;
  RowSelection events;
};

Search::Search(store::TracePtr trace, Selection selection, uint32_t bins)
    : trace_(std::move(trace)),
      selection_(std::move(selection)),
      bins_(std::max(1u, bins)),
      by_row_(trace_->rows().size()),
      has_passing_(trace_->rows().size()) {}

void Search::run(const Work& work) {
  std::vector<Part> parts;
  std::vector<Window> windows;
  for (const Row& row : trace_->rows()) {
    const RowSelection events = selection_.of(*trace_, row);
    if (events.takes_nothing()) continue;
    windows.clear();
    append_windows(*trace_, {&row, 1}, selection_.range, windows, kPartRecords);
    for (const Window& window : windows) parts.push_back({window, events});
  }
  // In order of time, so that what is found first is what is seen first.
  std::ranges::stable_sort(parts, {}, [](const Part& part) { return part.window.range.begin; });
  progress_.total = parts.size();
  work.pool->for_each(parts.size(), [&](size_t i) {
    count(parts[i], work.stop);
    if (work.stop.stop_requested()) return;
    progress_.done.fetch_add(1, std::memory_order_relaxed);
  });
  if (work.stop.stop_requested()) return;
  is_done_.store(true, std::memory_order_release);
}

void Search::count(const Part& part, const std::stop_token& stop) {
  const TimeRange range = selection_.range;
  const Row& row = part.window.rows.front();
  const uint32_t bins = this->bins();
  // Records come in order of time, so a bin is mostly that of the record before.
  uint32_t bin = 0;
  Time bin_begin = Time::max();
  Time bin_end = Time::min();
  uint64_t in_bin = 0;
  uint64_t hits = 0;
  bool passes = false;
  const bool comes_in = row.kind == store::RowKind::kLinkIn;
  const auto add = [&](const PassingRecords& passing) {
    for (const store::Record& record : passing.records) {
      if (!part.window.owns(record) || !part.events.filter().passes(record)) continue;
      if (!lies_in(row, record, range)) continue;
      passes = true;
      if (comes_in && !record.peer.is_none()) continue;  // counted on its way out
      ++hits;
      if (record.begin < range.begin) continue;
      if (record.begin < bin_begin || record.begin >= bin_end) {
        bins_[bin].fetch_add(std::exchange(in_bin, 0), std::memory_order_relaxed);
        bin = aggregate::bin_of(record.begin, range, bins);
        bin_begin = bin_range(bin).begin;
        bin_end = bin_range(bin).end;
      }
      ++in_bin;
    }
    return true;
  };
  for_each_passing(row, part.events.filter(), part.window.range, ScanOrder::kForwards, add, stop);
  bins_[bin].fetch_add(in_bin, std::memory_order_relaxed);
  const auto i = static_cast<size_t>(&row - trace_->rows().data());
  by_row_[i].fetch_add(hits, std::memory_order_relaxed);
  if (passes) has_passing_[i].store(true, std::memory_order_relaxed);
  hits_.fetch_add(hits, std::memory_order_relaxed);
}

uint64_t Search::rank_of(EventPlace place, const Work& work) const {
  const uint32_t bin = aggregate::bin_of(place.time, selection_.range, bins());
  std::atomic<uint64_t> rank = 0;
  for (uint32_t i = 0; i < bin; ++i) rank += hits_in(i);
  const TimeRange beside = {bin_range(bin).begin, place.time + Duration{1}};
  work.pool->for_each(trace_->rows().size(), [&](size_t i) {
    const RowId id(static_cast<uint32_t>(i));
    const Row& row = trace_->row(id);
    const RowSelection events = selection_.of(*trace_, row);
    if (events.takes_nothing()) return;
    uint64_t before = 0;
    const auto add = [&](const PassingRecords& passing) {
      for (size_t k = 0; k < passing.records.size(); ++k) {
        const store::Record& record = passing.records[k];
        const EventPlace at{record.begin, id, passing.part, passing.indices[k]};
        if (beside.contains(record.begin) && at < place && events.takes(record)) ++before;
      }
      return true;
    };
    for_each_passing(row, events.filter(), beside, ScanOrder::kForwards, add, work.stop);
    rank += before;
  });
  return rank;
}

TimeRange Search::bin_range(uint32_t bin) const {
  const TimeRange range = selection_.range;
  const auto at = [&](uint64_t i) {
    const auto length = static_cast<unsigned __int128>(length_of(range));
    return forward(range.begin, static_cast<uint64_t>(length * i / bins_.size()));
  };
  return {at(bin), at(uint64_t{bin} + 1)};
}

}  // namespace weft::query

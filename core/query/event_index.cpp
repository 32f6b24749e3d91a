#include "core/query/event_index.h"

#include <algorithm>
#include <atomic>

#include "core/base/time_span.h"
#include "core/query/density.h"

namespace weft::query {
namespace {

constexpr uint32_t kBins = 64;  // that a range is cut into, again and again

// Part i of n of a range, as density() cuts it.
TimeRange part_of(TimeRange range, uint32_t i, uint32_t n) {
  using Wide = unsigned __int128;
  const auto begin = static_cast<uint64_t>(range.begin.ticks);
  const uint64_t length = length_of(range);
  const auto at = [&](uint32_t k) {
    const auto offset = static_cast<uint64_t>(static_cast<Wide>(length) * k / n);
    return Time{static_cast<int64_t>(begin + offset)};
  };
  return {at(i), at(i + 1)};
}

bool is_one_tick(TimeRange range) { return length_of(range) <= 1; }

}  // namespace

std::optional<EventIndex> EventIndex::make(store::TracePtr trace, Selection selection,
                                           ThreadPool& pool, Predicate predicate,
                                           const std::stop_token& stop) {
  EventIndex index;
  index.trace_ = std::move(trace);
  index.selection_ = std::move(selection);
  index.predicate_ = std::move(predicate);
  const TimeRange range = index.selection_.range;
  if (range.is_empty()) return index;
  // The states that reach in from before come first: a leaf of their own, of no length.
  index.leaves_.push_back({{range.begin, range.begin}, 0});
  index.read_leaf(0, [&](const Event&) { return ++index.leaves_.front().first > 0; });
  if (!index.cut(range, pool, stop)) return std::nullopt;
  // Of a damaged file, the tree counts what cannot be read.
  const bool is_counted = !index.predicate_ && index.trace_->health();
  if (!is_counted && !index.count_taken(pool, stop)) return std::nullopt;
  for (Leaf& leaf : index.leaves_) {
    const uint64_t count = leaf.first;
    leaf.first = index.total_;
    index.total_ += count;
  }
  return index;
}

// Appends the leaves of `range`; false where it was stopped.
bool EventIndex::cut(TimeRange range, ThreadPool& pool, const std::stop_token& stop) {
  Selection within = selection_;
  within.range = range;
  const std::vector<uint64_t> counts = density(*trace_, within, kBins, {pool, stop});
  if (stop.stop_requested()) return false;
  for (uint32_t i = 0; i < kBins; ++i) {
    if (counts[i] == 0) continue;
    if (stop.stop_requested()) return false;
    const TimeRange part = part_of(range, i, kBins);
    if (counts[i] <= kLeafEvents || is_one_tick(part)) {
      add_leaf(part, counts[i]);
    } else if (!cut(part, pool, stop)) {
      return false;
    }
  }
  return true;
}

// Neighbours that fit one leaf are one: each leaf that is read asks every row where to begin.
void EventIndex::add_leaf(TimeRange range, uint64_t count) {
  const bool is_first = leaves_.size() == 1;  // behind the states that reach in
  if (!is_first && leaves_.back().first + count <= kLeafEvents) {
    leaves_.back().range.end = range.end;
    leaves_.back().first += count;
  } else {
    leaves_.push_back({range, count});
  }
}

bool EventIndex::count_taken(ThreadPool& pool, const std::stop_token& stop) {
  std::atomic<bool> is_stopped = false;
  pool.for_each(leaves_.size(), [&](size_t i) {
    if (is_stopped || stop.stop_requested()) {
      is_stopped = true;
      return;
    }
    uint64_t taken = 0;
    read_leaf(i, [&](const Event&) { return ++taken > 0 && !stop.stop_requested(); });
    leaves_[i].first = taken;
  });
  return !is_stopped && !stop.stop_requested();
}

bool EventIndex::read_leaf(size_t leaf, const std::function<bool(const Event&)>& body) const {
  const TimeRange range = leaves_[leaf].range;
  const bool is_reaching_in = range.is_empty();
  Selection within = selection_;
  within.range = is_reaching_in ? TimeRange{range.begin, range.begin + Duration{1}} : range;
  EventStream stream(trace_, std::move(within), kLeafEvents, /*reads_all=*/!is_reaching_in);
  Event event{};
  while (stream.next(event)) {
    if ((event.record->begin < range.begin) != is_reaching_in) {
      if (is_reaching_in) return true;  // they come first
      continue;
    }
    if (!takes(event)) continue;
    if (!body(event)) return false;
  }
  return true;
}

void EventIndex::read(uint64_t first, const std::function<bool(const Event&)>& body) const {
  if (first >= total_) return;
  const auto after = std::ranges::upper_bound(leaves_, first, {}, &Leaf::first);
  auto leaf = static_cast<size_t>(after - leaves_.begin()) - 1;
  uint64_t to_skip = first - leaves_[leaf].first;
  for (; leaf < leaves_.size(); ++leaf) {
    const bool goes_on = read_leaf(leaf, [&](const Event& event) {
      if (to_skip == 0) return body(event);
      --to_skip;
      return true;
    });
    if (!goes_on) return;
  }
}

uint64_t EventIndex::rank_of(Time time) const {
  const auto end_of = [](const Leaf& leaf) { return leaf.range.end; };
  const auto at = std::ranges::upper_bound(leaves_, time, {}, end_of);
  if (at == leaves_.end()) return total_;
  uint64_t rank = at->first;
  if (!at->range.is_empty() && at->range.begin >= time) return rank;
  read_leaf(static_cast<size_t>(at - leaves_.begin()), [&](const Event& event) {
    if (event.record->begin >= time) return false;
    ++rank;
    return true;
  });
  return rank;
}

}  // namespace weft::query

#include "core/store/nesting.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>

namespace weft::store {

uint32_t Nesting::place_first_fit(int64_t begin, int64_t end) {
  if (!is_tangled_) {
    is_tangled_ = true;
    rows_ = static_cast<uint32_t>(busy_.size());
    std::make_heap(busy_.begin(), busy_.end(), std::greater<>());
  }
  while (!busy_.empty() && busy_.front().end <= begin) {
    free_.push_back(busy_.front().row);
    std::push_heap(free_.begin(), free_.end(), std::greater<>());
    std::pop_heap(busy_.begin(), busy_.end(), std::greater<>());
    busy_.pop_back();
  }
  if (busy_.empty()) {
    is_tangled_ = false;
    free_.clear();
    return place(begin, end);
  }
  if (free_.empty() && rows_ == kMostRows) return refuse(begin);
  if (busy_.front().end < end) overlaps_.add(begin);
  uint32_t row = rows_;
  if (free_.empty()) {
    ++rows_;
  } else {
    std::pop_heap(free_.begin(), free_.end(), std::greater<>());
    row = free_.back();
    free_.pop_back();
  }
  busy_.push_back({end, row});
  std::push_heap(busy_.begin(), busy_.end(), std::greater<>());
  return row;
}

namespace {

constexpr int kDigitBits = 11;
constexpr size_t kRadixFrom = 256;  // records; below, an insertion-like sort is faster

struct Key {
  uint64_t begin;  // from the earliest
  uint32_t index;
};

void radix_sort(std::vector<Key>& keys, uint64_t span) {
  std::vector<Key> other(keys.size());
  const int passes = (static_cast<int>(std::bit_width(span)) + kDigitBits - 1) / kDigitBits;
  for (int pass = 0; pass < passes; ++pass) {
    const int shift = pass * kDigitBits;
    std::array<uint32_t, 1 << kDigitBits> at{};
    for (const Key& k : keys) ++at[k.begin >> shift & ((1 << kDigitBits) - 1)];
    uint32_t sum = 0;
    for (uint32_t& a : at) sum += std::exchange(a, sum);
    for (const Key& k : keys) other[at[k.begin >> shift & ((1 << kDigitBits) - 1)]++] = k;
    keys.swap(other);
  }
}

// States only: the nesting order of those that begin together.
bool goes_outside(const Record& a, const Record& b) {
  if (a.begin != b.begin) return a.begin < b.begin;
  if (a.duration != b.duration) return a.duration > b.duration;
  return a.peer.value() < b.peer.value();  // carries StateEvent::nesting until it is sorted
}

// Readers give states mostly in the order in which they end: children before their parents. From
// the last one back, every state is then within the one before or ends before it begins, and a
// stack of the open ones gives them in order of begin. False, with nothing changed, where that does
// not give the one right order: states overlap, or are equal, or came otherwise.
bool sort_from_ends(std::vector<Record>& records, std::vector<Record>& scratch) {
  std::vector<uint32_t> open;  // each within the one below it
  const size_t count = records.size();
  scratch.resize(std::max(scratch.size(), count));
  size_t at = count;
  const auto close_last = [&] {
    scratch[--at] = records[open.back()];
    open.pop_back();
    return at + 1 == count || goes_outside(scratch[at], scratch[at + 1]);
  };
  for (size_t i = count; i-- > 0;) {
    const Record& r = records[i];
    while (!open.empty()) {
      const Record& last = records[open.back()];
      if (last.begin < r.end() || last.begin <= r.begin) break;
      if (!close_last()) return false;
    }
    if (!open.empty() && records[open.back()].end() < r.end()) return false;
    open.push_back(static_cast<uint32_t>(i));
  }
  while (!open.empty()) {
    if (!close_last()) return false;
  }
  scratch.resize(count);
  records.swap(scratch);
  return true;
}

// Sorted runs one behind the other, where a run goes on after the one before but for a few that
// began earlier: those are merged into what they reach back over. Returns false if that would move
// more than a sort does. The first `sorted` are known to be in order.
template <class Before>
bool merge_runs(std::vector<Record>& records, size_t sorted, const Before& before) {
  constexpr size_t kMerge = 32;  // costs as much, besides what it moves
  size_t most_moves = records.size();
  const auto at = [&](size_t i) { return records.begin() + static_cast<ptrdiff_t>(i); };
  for (size_t i = sorted; i < records.size();) {
    const Record& last = records[i - 1];
    if (!before(records[i], last)) {
      ++i;
      continue;
    }
    size_t end = i + 1;
    while (end < records.size() && before(records[end], last) &&
           !before(records[end], records[end - 1]))
      ++end;
    const auto place = std::upper_bound(records.begin(), at(i), records[i], before);
    const auto moves = static_cast<size_t>(at(end) - place) + kMerge;
    if (moves > most_moves) return false;
    most_moves -= moves;
    std::inplace_merge(place, at(i), at(end), before);
    i = end;
  }
  return true;
}

// Stable, by begin alone.
void sort_by_begin(std::vector<Record>& records, std::vector<Record>& scratch) {
  const auto by_begin = [](const Record& a, const Record& b) { return a.begin < b.begin; };
  const auto [least, most] = std::minmax_element(records.begin(), records.end(), by_begin);
  const auto origin = static_cast<uint64_t>(least->begin.ticks);
  const uint64_t span = static_cast<uint64_t>(most->begin.ticks) - origin;
  std::vector<Key> keys(records.size());
  for (size_t i = 0; i < records.size(); ++i) {
    keys[i] = {static_cast<uint64_t>(records[i].begin.ticks) - origin, static_cast<uint32_t>(i)};
  }
  radix_sort(keys, span);
  scratch.clear();
  scratch.reserve(records.size());
  for (const Key& k : keys) scratch.push_back(records[k.index]);
  records.swap(scratch);
}

// Runs of equal begins are short in all but hostile traces.
void sort_equal_begins(std::vector<Record>& records) {
  for (size_t i = 0; i < records.size();) {
    size_t end = i + 1;
    while (end < records.size() && records[end].begin == records[i].begin) ++end;
    if (end - i > 1)
      std::stable_sort(records.begin() + static_cast<ptrdiff_t>(i),
                       records.begin() + static_cast<ptrdiff_t>(end), goes_outside);
    i = end;
  }
}

}  // namespace

void sort_records(std::vector<Record>& records, RowKind kind, std::vector<Record>& scratch) {
  const bool is_state = kind == RowKind::kState;
  const auto before = [is_state](const Record& a, const Record& b) {
    return is_state ? goes_outside(a, b) : a.begin < b.begin;
  };
  const auto unsorted = std::is_sorted_until(records.begin(), records.end(), before);
  if (unsorted == records.end()) return;
  const auto sorted = static_cast<size_t>(unsorted - records.begin());
  if (is_state && sort_from_ends(records, scratch)) return;
  if (records.size() < kRadixFrom) {
    std::stable_sort(records.begin(), records.end(), before);
    return;
  }
  if (merge_runs(records, sorted, before)) return;
  sort_by_begin(records, scratch);
  if (is_state) sort_equal_begins(records);
}

}  // namespace weft::store

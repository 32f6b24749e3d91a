#include "core/store/nesting.h"

#include <algorithm>
#include <array>
#include <bit>

namespace weft::store {
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

}  // namespace

void sort_records(std::vector<Record>& records, RowKind kind, std::vector<Record>& scratch) {
  const auto by_begin = [](const Record& a, const Record& b) { return a.begin < b.begin; };
  const auto before = [&](const Record& a, const Record& b) {
    return kind == RowKind::kState ? goes_outside(a, b) : a.begin < b.begin;
  };
  if (std::is_sorted(records.begin(), records.end(), before)) return;
  if (records.size() < kRadixFrom) {
    std::stable_sort(records.begin(), records.end(), before);
    return;
  }
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
  if (kind != RowKind::kState) return;
  // Runs of equal begins are short in all but hostile traces.
  for (size_t i = 0; i < records.size();) {
    size_t end = i + 1;
    while (end < records.size() && records[end].begin == records[i].begin) ++end;
    if (end - i > 1)
      std::stable_sort(records.begin() + static_cast<ptrdiff_t>(i),
                       records.begin() + static_cast<ptrdiff_t>(end), goes_outside);
    i = end;
  }
}

}  // namespace weft::store

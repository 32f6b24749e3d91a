// Records in the order of their times, as far as memory goes: writers of a Perfetto trace come one
// after the other, a buffer at a time, and what belongs together lies in several of them.
//
// What is in order already costs a copy. Records that come later than others that were given are
// given at once, and counted by `late()`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/time.h"

namespace weft::formats::stacks {

// Record has a `time`.
template <class Record>
class TimeOrder {
 public:
  explicit TimeOrder(uint64_t memory_bytes)
      : most_(std::max<size_t>(memory_bytes / sizeof(Record), 16)) {}

  // Calls give(Record&) for those that must go, in order.
  template <class Give>
  void add(Record record, const Give& give) {
    is_sorted_ = is_sorted_ && (records_.empty() || records_.back().time <= record.time);
    records_.push_back(std::move(record));
    if (records_.size() >= most_) give_half(give);
  }

  template <class Give>
  void finish(const Give& give) {
    give_first(records_.size(), give);
  }

  // The sooner half must go.
  template <class Give>
  void give_half(const Give& give) {
    give_first((records_.size() + 1) / 2, give);
  }

  // Gives everything up to this time.
  template <class Give>
  void give_until(Time time, const Give& give) {
    sort();
    const auto end = std::ranges::upper_bound(records_, time, {}, &Record::time);
    give_first(static_cast<size_t>(end - records_.begin()), give);
  }

  bool is_empty() const { return records_.empty(); }
  uint64_t late() const { return late_; }

 private:
  void sort() {
    if (!is_sorted_) std::ranges::stable_sort(records_, {}, &Record::time);
    is_sorted_ = true;
  }
  template <class Give>
  void give_first(size_t count, const Give& give) {
    sort();
    for (size_t i = 0; i < count; ++i) {
      late_ += records_[i].time < last_ ? 1 : 0;
      last_ = std::max(last_, records_[i].time);
      give(records_[i]);
    }
    records_.erase(records_.begin(), records_.begin() + static_cast<ptrdiff_t>(count));
  }

  const size_t most_;
  std::vector<Record> records_;
  bool is_sorted_ = true;
  Time last_ = Time::min();
  uint64_t late_ = 0;
};

}  // namespace weft::formats::stacks

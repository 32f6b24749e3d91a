// What a filter's condition finds out about a whole trace, once, for all of its threads: one T of
// the trace that was asked about last. T is made of a trace, and knows whether it is of one
// (is_of).
#pragma once

#include <atomic>
#include <memory>

#include "core/store/trace.h"

namespace weft::query {

template <class T>
class OfTrace {
 public:
  std::shared_ptr<const T> of(const store::Trace& trace) const {
    std::shared_ptr<const T> known = last_.load();
    if (known && known->is_of(trace)) return known;
    const auto made = std::make_shared<const T>(trace);
    // Another thread may have been first: what both find is to be shared.
    const bool is_first = last_.compare_exchange_strong(known, made);
    return is_first || !known || !known->is_of(trace) ? made : known;
  }

 private:
  mutable std::atomic<std::shared_ptr<const T>> last_;
};

}  // namespace weft::query

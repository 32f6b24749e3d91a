// A cache of what a filter condition derives from a whole trace: one T, constructed from the trace
// queried last, shared by all threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "core/store/trace.h"

namespace weft::query {

template <class T>
class OfTrace {
 public:
  std::shared_ptr<const T> of(const store::Trace& trace) const {
    std::shared_ptr<const Known> known = last_.load();
    if (!known || !known->is_of(trace)) {
      const auto made = std::make_shared<const Known>(trace);
      // Another thread may have been first: what both find is to be shared.
      const bool is_first = last_.compare_exchange_strong(known, made);
      if (is_first || !known || !known->is_of(trace)) known = made;
    }
    return {known, &known->value};
  }

 private:
  struct Known {
    explicit Known(const store::Trace& of) : trace(&of), generation(of.generation()), value(of) {}
    bool is_of(const store::Trace& other) const {
      return trace == &other && generation == other.generation();
    }

    const store::Trace* trace;
    uint64_t generation;
    T value;
  };
  mutable std::atomic<std::shared_ptr<const Known>> last_;
};

}  // namespace weft::query

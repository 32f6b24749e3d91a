// What a panel asks about a trace that may be growing. Each snapshot is a new trace, and the window
// may follow it: a question that changed with each of them might never be answered. So the one
// under way is kept until it is answered, unless the user asks another of the same snapshot. What
// was answered about an earlier snapshot of the same open trace may be shown, as stale. A filter is
// compiled anew for each snapshot, too: until it is, the question is not known and none is asked in
// place of the one under way.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "app/session/open_trace.h"
#include "core/base/latest.h"

namespace weft::app {

// A key has the trace as `trace`, or in its `scope`.
template <class Key>
class SteadyQuestion {
 public:
  // `is_pending`: the key lacks the filter, which is being compiled.
  template <class Value>
  typename Latest<Key, Value>::Found find(Latest<Key, Value>& latest, const OpenTrace& trace,
                                          const Key& key, bool is_pending = false) {
    const bool is_other_trace = id_ != trace.id();
    if (is_pending && !is_other_trace) {
      auto found = latest.find(*asked_);
      found.is_stale = true;
      return found;
    }
    if (is_other_trace) {
      id_ = trace.id();
      snapshots_.clear();
    }
    const bool is_changed = !seen_ || (trace_of(*seen_) == trace_of(key) && !(*seen_ == key));
    seen_ = key;
    if (is_other_trace || is_changed) ask(key);
    auto found = latest.find(*asked_);
    if (!found.is_stale && !(*asked_ == key)) {
      ask(key);
      found = latest.find(key);
    }
    found.is_stale |= !(*asked_ == key);
    return found;
  }

  // Whether that is a snapshot of the open trace that was asked about last.
  bool is_of_this(const store::TracePtr& trace) const {
    return std::ranges::any_of(snapshots_,
                               [&](const auto& snapshot) { return snapshot.lock() == trace; });
  }
  // The question under way, or answered last; only after find().
  const Key& asked() const { return *asked_; }

 private:
  static const store::TracePtr& trace_of(const Key& key) {
    if constexpr (requires { key.trace; }) {
      return key.trace;
    } else {
      return key.scope.trace;
    }
  }
  void ask(const Key& key) {
    asked_ = key;
    std::erase_if(snapshots_, [](const auto& snapshot) { return snapshot.expired(); });
    if (!is_of_this(trace_of(key))) snapshots_.push_back(trace_of(key));
  }

  uint64_t id_ = 0;
  std::optional<Key> seen_, asked_;
  std::vector<std::weak_ptr<const store::Trace>> snapshots_;  // asked about
};

}  // namespace weft::app

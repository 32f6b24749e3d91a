// Steps to the next or previous event that passes a filter, or to the longest one: requested by the
// commands find.next, find.previous and find.longest, found by a worker.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "app/view/view_history.h"
#include "core/base/thread_pool.h"
#include "core/layout/lane_order.h"
#include "core/query/element.h"
#include "core/query/search.h"
#include "core/store/trace.h"

namespace weft::app {

struct FoundHit {
  store::TracePtr trace;  // to which `place` refers
  std::string text;       // of the filter
  query::EventPlace place;
  query::ElementRef element;
};

struct FindKey {
  store::TracePtr trace;
  std::string text;  // the filter expression
  query::Direction direction = query::Direction::kNext;
  // Where to begin: at the first of these that is set: the last hit of this filter, the selected
  // element, a time.
  std::optional<FoundHit> hit = {};
  std::optional<query::ElementRef> element;
  Time time;
  std::optional<TimeRange> longest_in = {};  // the longest event there is asked for instead
  uint64_t serial = 0;                       // distinct for each command
  std::shared_ptr<query::SearchProgress> progress = {};
  LaneViewPtr lanes;
  bool operator==(const FindKey& other) const { return serial == other.serial; }
};

struct FindAnswer {
  std::optional<FoundHit> hit;
  layout::LanePlace place;  // the place of the hit's lane
  bool is_wrapped = false;  // the search went on from the other end of the trace
  std::string error;        // an error in the expression; empty: none
};

// nullopt if it was stopped. Worker threads only: touches mapped pages.
std::optional<FindAnswer> find_hit(const FindKey& key, ThreadPool& pool,
                                   const std::stop_token& stop);

}  // namespace weft::app

// From where the user is to the next or previous event that a filter lets pass: what the commands
// find.next and find.previous ask for and a worker finds.
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
  std::shared_ptr<const store::Trace> trace;  // the place is of it
  query::EventPlace place;
  query::ElementRef element;
};

struct FindKey {
  std::shared_ptr<const store::Trace> trace;
  std::string text;  // of the filter
  query::Direction direction = query::Direction::kNext;
  // Where to begin, the first that there is: the last hit, the selected element, a time.
  std::optional<FoundHit> hit;
  std::optional<query::ElementRef> element;
  Time time;
  uint64_t serial = 0;  // each command's own
  std::shared_ptr<query::SearchProgress> progress;
  LaneViewPtr lanes;
  bool operator==(const FindKey& other) const { return serial == other.serial; }
};

struct FindAnswer {
  std::optional<FoundHit> hit;
  layout::LanePlace place;  // of the hit's lane
  bool is_wrapped = false;  // it went on from the other end of the trace
  std::string error;        // of the expression
};

// None where it was stopped. Work for workers: touches mapped pages.
std::optional<FindAnswer> find_hit(const FindKey& key, ThreadPool& pool,
                                   const std::stop_token& stop);

}  // namespace weft::app

// Looks for elements and lanes of one trace on worker threads: the element that a step leads to,
// the next hit of a filter, the place of a lane. What a question has led to is taken once; a newer
// question of the same kind replaces an older one.
//
// Used on the frame thread. Does not change what it is asked about: the trace lands where a
// question has led (OpenTrace::refresh).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "app/session/errand.h"
#include "app/view/element_step.h"
#include "app/view/find_step.h"
#include "app/view/lane_place.h"
#include "core/base/thread_pool.h"
#include "core/base/time.h"
#include "core/query/element.h"
#include "core/store/trace.h"

namespace weft::app {

// Where a question has led.
struct Landing {
  LaneId lane = LaneId::none();                // to show; none: nothing was found
  TimeRange range{};                           // to show
  std::optional<query::ElementRef> element{};  // to select
  layout::LanePlace place{};                   // of the lane
  uint32_t gesture = 0;
  std::string said{};    // what to tell the user; empty: nothing
  std::string hidden{};  // what to tell instead if the lane is hidden
};

// From its begin to its end; events other than states have no length.
TimeRange extent_of(const query::ElementRef& element);

class ElementFinder {
 public:
  using Wake = std::function<void()>;  // called when an answer can be taken

  // Asks for the element to which the step leads. Sets the key's serial.
  void step(ElementStepKey key, Wake wake);
  // Asks for the nearest event that passes the filter. Starts at the last hit; without one, where
  // the key says; and goes round the trace's end. Sets the key's serial, hit and progress.
  void find(FindKey key, ThreadPool& pool, Wake wake);
  // Asks for the place of the landing's lane; everything else of it is returned as it is.
  void locate(store::TracePtr trace, LaneViewPtr lanes, Landing landing, Wake wake);
  void give_up();
  bool is_busy() const { return step_.asked() || find_.asked() || place_.asked(); }

  // The next answer that is there.
  std::optional<Landing> take();

  // Searches go on from the last hit until it is forgotten, or a step leads elsewhere.
  void forget_hit() { hit_.reset(); }
  // The progress of the search under way; null: none.
  const query::SearchProgress* progress() const {
    return find_.asked() ? find_.asked()->progress.get() : nullptr;
  }

 private:
  std::optional<Landing> take_step();
  std::optional<Landing> take_hit();
  std::optional<Landing> take_place();

  uint64_t last_serial_ = 0;
  std::optional<FoundHit> hit_;
  Landing located_;
  Errand<ElementStepKey, StepAnswer> step_;
  Errand<FindKey, FindAnswer> find_;
  Errand<LanePlaceKey, layout::LanePlace> place_;
};

}  // namespace weft::app

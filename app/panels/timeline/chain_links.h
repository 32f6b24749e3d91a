// The links of a chain of causes and effects, which the timeline draws whatever else it draws.
#pragma once

#include <cstdint>
#include <memory>

#include "app/panels/element/element_facts.h"
#include "app/session/trace_model.h"
#include "core/aggregate/filter.h"

namespace weft::app {

// Whether each end that a link has is on a lane that is shown, in whichever band: a hidden end is
// not a missing one.
bool has_shown_ends(const TraceModel& model, LaneId source, LaneId target);

struct ChainKey {
  std::shared_ptr<const ElementFacts> facts;
  std::shared_ptr<const TraceModel> model;
  TimeRange view;
  aggregate::FilterPtr filter;  // null: everything passes
  bool operator==(const ChainKey&) const = default;
};
// How many of the links that layout::links_in() counts in the view are drawn as the chain's. Reads
// parameters: worker threads only.
uint64_t chain_links_in_view(const ChainKey& key);

}  // namespace weft::app

#include "core/formats/profiles/ghc/cost_centres.h"

#include "core/base/text.h"

namespace weft::formats::ghc {

CostCentres::CostCentres(trace::EventSink& sink)
    : sink_(sink),
      timeline_(sink),
      calls_(sink.add_lane({.name = "calls", .kind = trace::LaneKind::kThread})),
      costs_(sink.add_lane({.name = "costs", .parent = calls_, .kind = trace::LaneKind::kAsync})),
      stacks_(timeline_, calls_) {
  sink.set_time_base(TimeBase::kMicroseconds);
}

// A centre's own cost comes first, then its callees. One that never ran long enough is just a
// punctual event.
void CostCentres::enter(const Centre& centre) {
  const std::string name = valid_utf8(centre.label.empty() ? "(unknown)" : centre.label);
  const std::string module = valid_utf8(centre.module);
  frames_.push_back(sink_.type(trace::Category::kState, name, module));
  if (!centre.costs.empty()) {
    sink_.give(trace::PunctualEvent{.time = stacks_.now(),
                                    .params = sink_.params(centre.costs),
                                    .lane = costs_,
                                    .type = sink_.type(trace::Category::kPunctual, name, module)});
  }
  stacks_.add(frames_, centre.own_us);
}

}  // namespace weft::formats::ghc

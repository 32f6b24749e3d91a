// The losses of a trace that have a place on its time line, one after the other.
#pragma once

#include <optional>
#include <vector>

#include "core/trace/model.h"

namespace weft::app {

struct PlacedLoss {
  const trace::Loss* loss;  // of the report
  const trace::LossPlace* place;
  Time time() const { return *place->time; }
  Time end() const { return time() + place->duration; }
};

// In order of time. Of each kind only the first places are known (Loss::kFirstKept).
// O(n log n) for n known places: few.
std::vector<PlacedLoss> placed_losses(const trace::ImportReport& report);

}  // namespace weft::app

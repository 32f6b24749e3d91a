// The losses of a trace that have a place on its time line, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
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

// How many events were lost or damaged; what was only repaired is not counted.
uint64_t damage_count(const trace::ImportReport& report);
// What figures that are added up say of themselves: "the trace is incomplete: 3 lost or
// damaged"; empty: it is not.
std::string caution_of(const trace::ImportReport& report);

// Where it is in the input: "byte 1034"; empty: nowhere.
std::string in_input(const trace::LossPlace& place);
// The first ones, at most so many: "byte 17, 1034, …".
std::string in_input(const trace::Loss& loss, size_t most);

}  // namespace weft::app

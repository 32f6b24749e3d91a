#include "app/losses.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>

namespace weft::app {

std::vector<PlacedLoss> placed_losses(const trace::ImportReport& report) {
  std::vector<PlacedLoss> placed;
  for (const trace::Loss& loss : report.losses()) {
    for (const trace::LossPlace& place : loss.first) {
      if (place.time) placed.push_back({&loss, &place});
    }
  }
  std::ranges::stable_sort(placed, {}, &PlacedLoss::time);
  return placed;
}

std::string in_input(const trace::LossPlace& place) {
  if (place.unit == trace::PlaceUnit::kNone) return {};
  return fmt::format("{} {}", name_of(place.unit), place.offset);
}

std::string in_input(const trace::Loss& loss, size_t most) {
  std::string text;
  std::optional<trace::PlaceUnit> unit;
  size_t shown = 0;
  for (const trace::LossPlace& place : loss.first) {
    if (place.unit == trace::PlaceUnit::kNone || shown == most) continue;
    if (shown++ > 0) text += ", ";
    text += place.unit == unit ? std::to_string(place.offset) : in_input(place);
    unit = place.unit;
  }
  if (shown > 0 && shown < loss.count) text += ", …";
  return text;
}

}  // namespace weft::app

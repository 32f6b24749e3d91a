#include "app/session/losses.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>

#include "core/base/text.h"

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

uint64_t damage_count(const trace::ImportReport& report) {
  uint64_t count = 0;
  for (const trace::Loss& loss : report.losses()) {
    if (loss.is_damage) count += loss.count;
  }
  return count;
}

std::string caution_of(const trace::ImportReport& report) {
  if (!report.has_damage()) return {};
  return fmt::format("the trace is incomplete: {} lost or damaged",
                     format_count(damage_count(report)));
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

#include "app/losses.h"

#include <algorithm>

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

}  // namespace weft::app

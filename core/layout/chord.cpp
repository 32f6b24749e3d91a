#include "core/layout/chord.h"

#include <algorithm>
#include <numbers>

namespace weft::layout {
namespace {

constexpr double kCircle = 2 * std::numbers::pi;
constexpr double kMostGaps = 1.0 / 3;  // of the circle

// An end of a band on an arc.
struct End {
  uint32_t lane;      // whose arc it is on
  uint32_t distance;  // clockwise to the lane at the other end
  bool is_source;
  uint32_t flow;
};

}  // namespace

Chord arrange_chord(uint32_t lanes, std::span<const ChordFlow> flows, double gap) {
  Chord chord;
  chord.lanes.resize(lanes);
  chord.bands.resize(flows.size());
  std::vector<End> ends;
  double sum = 0;
  for (uint32_t i = 0; i < flows.size(); ++i) {
    const ChordFlow& flow = flows[i];
    ends.push_back({flow.source, (flow.target + lanes - flow.source) % lanes, true, i});
    ends.push_back({flow.target, (flow.source + lanes - flow.target) % lanes, false, i});
    sum += 2 * flow.value;
  }
  // Along an arc the farthest neighbour clockwise comes first: bands that leave side by side do not
  // cross.
  std::ranges::stable_sort(ends, [](const End& a, const End& b) {
    return a.lane != b.lane ? a.lane < b.lane : a.distance > b.distance;
  });
  const double space = lanes > 1 ? std::min(gap, kCircle * kMostGaps / lanes) : 0;
  const double scale = sum == 0 ? 0 : (kCircle - space * lanes) / sum;
  double at = 0;
  size_t next = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    at += space / 2;
    chord.lanes[lane].begin = at;
    for (; next < ends.size() && ends[next].lane == lane; ++next) {
      ChordBand& band = chord.bands[ends[next].flow];
      const double end = at + flows[ends[next].flow].value * scale;
      (ends[next].is_source ? band.source : band.target) = {at, end};
      at = end;
    }
    chord.lanes[lane].end = at;
    at += space / 2;
  }
  return chord;
}

}  // namespace weft::layout

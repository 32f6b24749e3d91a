// Draws traffic between lanes as a chord diagram (core/layout/chord.h) or as a matrix, senders down
// and receivers across. The pair under the pointer and the chosen one are highlighted.
//
// Bounded by kMostBands bands, and by the lanes of the matrix that fit; the busiest are drawn, and
// what is left out is stated. Colours are those of the senders' lanes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/sequence/traffic_figures.h"

namespace weft::app {

enum class TrafficSize : uint8_t { kMessages, kBytes };

struct TrafficPicture {
  static constexpr size_t kMostBands = 400;

  const PanelInput& input;
  const TrafficFigures& figures;
  TrafficSize size = TrafficSize::kMessages;
  std::optional<size_t> chosen{};  // index of a pair

  uint64_t value(const query::PairFlow& pair) const {
    return size == TrafficSize::kMessages ? pair.messages : pair.bytes;
  }
};

// Return the pair under the pointer; nullopt: none.
std::optional<size_t> draw_chord(const TrafficPicture& picture, const Area& area);
std::optional<size_t> draw_matrix(const TrafficPicture& picture, const Area& area);

// The path of a lane; "nowhere" for a missing end.
std::string lane_text(const trace::Dictionary& dictionary, LaneId lane);

}  // namespace weft::app

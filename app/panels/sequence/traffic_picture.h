// Traffic between lanes as a picture: a chord diagram (core/layout/chord.h) or a matrix, senders
// down and receivers across. The pair under the pointer and the chosen one are lit.
//
// Bounded: kMostBands bands, and as many lanes of the matrix as there is room for; the busiest are
// drawn, and what is not is told. Colours are those of the senders' lanes.
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
  std::optional<size_t> chosen{};  // of the pairs

  uint64_t value(const query::PairFlow& pair) const {
    return size == TrafficSize::kMessages ? pair.messages : pair.bytes;
  }
};

// The pair under the pointer; none: there is no such.
std::optional<size_t> draw_chord(const TrafficPicture& picture, const Area& area);
std::optional<size_t> draw_matrix(const TrafficPicture& picture, const Area& area);

// "nowhere" of the end that is missing.
std::string lane_text(const trace::Dictionary& dictionary, LaneId lane);

}  // namespace weft::app

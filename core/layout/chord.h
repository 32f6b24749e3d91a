// A chord diagram: lanes as arcs of a circle, traffic between two of them as a band across it.
//
//        ╭─a─╮        An arc is as long as what its lane sends and receives. A band leaves its
//      ╭╯ ╲ │╲╮       sender's arc over a part that is as long as what it carries, and reaches its
//      c ───┼─b       receiver's over another of that length: no two bands share a part.
//
// Angles in radians, clockwise from the top. Pure; O(lanes + bands · log(bands)).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weft::layout {

// What goes from one of the lanes to another, both by their index.
struct ChordFlow {
  uint32_t source = 0;
  uint32_t target = 0;
  double value = 0;  // >= 0
};

struct Arc {
  double begin = 0;
  double end = 0;
  double length() const { return end - begin; }
  double middle() const { return (begin + end) / 2; }
};

struct ChordBand {
  Arc source;  // on the arc of its source
  Arc target;
};

struct Chord {
  std::vector<Arc> lanes;
  std::vector<ChordBand> bands;  // in the order of the flows
};

// `gap`: between two lanes; smaller where they would take more than a third of the circle.
Chord arrange_chord(uint32_t lanes, std::span<const ChordFlow> flows, double gap);

}  // namespace weft::layout

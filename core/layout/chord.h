// Layout of a chord diagram: lanes are arcs of a circle, traffic between two lanes a band across
// it.
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

// Traffic from one lane to another, both by index.
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
  Arc source;  // part of the source's arc
  Arc target;
};

struct Chord {
  std::vector<Arc> lanes;
  std::vector<ChordBand> bands;  // in the order of `flows`
};

// `gap` is the angle between neighbouring arcs, reduced if all gaps would exceed a third of the
// circle.
Chord arrange_chord(uint32_t lanes, std::span<const ChordFlow> flows, double gap);

}  // namespace weft::layout

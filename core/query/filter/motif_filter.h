// A filter's condition on the shape of what lanes say to each other, by a name: motif == broadcast.
//
//   request    its receiver sends something back to its sender while it handles it (causality.h)
//   response   it is such an answer: what its sender handled came from its receiver
//   broadcast  one of three or more messages of a type that a lane sends to lanes that all differ,
//              one behind the other, with nothing received in between
//   gather     one of three or more messages of a type that a lane receives from lanes that all
//              differ, one behind the other, with nothing sent in between
//
//   A ──●─●─●──────      A ──────────●─●─●──
//       │ │ └──▶ D           B ───●──┘ │ │
//       │ └────▶ C           C ────●───┘ │
//       └──────▶ B           D ─────●────┘
//
// Only messages that have both ends, on two lanes, are part of one. (The motifs are ShiViz's.)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/aggregate/filter.h"

namespace weft::query {

enum class Motif : uint8_t { kRequest, kResponse, kBroadcast, kGather };

struct MotifWord {
  std::string_view name;
  Motif motif;
  std::string_view meaning;
};
std::span<const MotifWord> motif_words();
std::optional<Motif> motif_from_name(std::string_view name);
std::string no_motif(std::string_view name);  // the message where there is none of that name

// A look at a bounded number of neighbours for each message: microseconds, no memory but a
// constant per row of the trace.
struct MotifCondition {
  std::vector<Motif> motifs;  // part of any of these passes
  bool is_negated = false;    // what can be part of one passes if that is not true
};
std::shared_ptr<const aggregate::RecordTest> motif_test(MotifCondition condition);

}  // namespace weft::query

// Filter conditions on communication patterns: motif == broadcast.
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
// Only messages with both ends, on different lanes, are part of a motif. (The motifs are those of
// ShiViz.)
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
std::string no_motif(std::string_view name);  // the error for an unknown name

// Looks at a bounded number of neighbours per message: microseconds, and constant memory per row.
struct MotifCondition {
  std::vector<Motif> motifs;  // passes what is part of any of these
  bool is_negated = false;    // passes what could be part of one, but is not
};
std::shared_ptr<const aggregate::RecordPredicate> motif_test(MotifCondition condition);

}  // namespace weft::query

// Which lanes are shown and in which order: the trace's tree with the user's groups in it
// (lane_groups.h), as the user has arranged it.
//
// A pure function of the dictionary, the rows (ordinary memory) and the arrangement, O(lanes log
// lanes + rows). An arrangement is a plain value that holds while the trace grows: it names lanes,
// not places.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/base/strong_id.h"
#include "core/layout/lane_groups.h"
#include "core/store/trace.h"

namespace weft::layout {

enum class LaneSort : uint8_t {
  kTrace,       // as the trace has it
  kName,        // "cpu 2" before "cpu 10"
  kActivity,    // most time in states first, then most events, with all lanes below
  kFirstEvent,  // earliest first
};

std::optional<LaneSort> lane_sort_from_name(std::string_view name);  // "trace", …, "first"
std::string_view name_of(LaneSort sort);

// A lane or group that was dragged: to stand before a sibling, or, of none, after all of them.
struct LaneMove {
  LaneId lane;
  LaneId before = LaneId::none();
  bool operator==(const LaneMove&) const = default;
};

// Some rows of a trace, by their number. One that grows has more: those are in it, too.
using RowSet = std::shared_ptr<const std::vector<bool>>;
inline bool has_row(const RowSet& set, size_t row) {
  return !set || row >= set->size() || (*set)[row];
}

struct LaneArrangement {
  LaneSort sort = LaneSort::kTrace;  // among siblings
  bool is_flat = false;              // no tree, no groups: lanes with events, by their paths
  uint32_t levels = 0;               // a lane's states take so many lines at most; 0: all they have
  bool shows_eventless = false;      // lanes in which, and below which, the trace has no event
  bool hides_empty = false;          // those, and rows and lanes in which nothing is `passing`
  std::string filter{};              // words that the path of a lane not pinned holds, in any case
  std::vector<LaneGroup> groups{};
  std::unordered_set<LaneId> hidden{};  // with all that lies below
  std::vector<LaneId> pinned{};         // the same: apart from the others, in this order
  std::vector<LaneMove> moves{};        // the oldest first; at most one of a lane
  RowSet passing{};  // with hides_empty: all others are empty, too; null: all are in it
  bool operator==(const LaneArrangement&) const = default;
};

struct ArrangedLane {
  LaneId lane;
  uint16_t depth = 0;  // in the tree that is shown
};

struct LaneOrder {
  std::vector<ArrangedLane> lanes;   // parents before their children; groups among them
  std::vector<ArrangedLane> pinned;  // the same, each pinned lane a root
  uint32_t left_out = 0;             // lanes of the trace that are in neither …
  uint32_t eventless = 0;            // … of them, those that are only for having no event
};

LaneOrder arrange_lanes(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
                        const LaneArrangement& arrangement = {});

// Whether there is a lane without an event in and below it, though others have some: such lanes are
// left out until `shows_eventless`. O(lanes + rows).
bool has_eventless(const trace::Dictionary& dictionary, std::span<const store::Row> rows);

// Where a lane stands in what is arranged, whatever is folded.
struct LanePlace {
  std::vector<LaneId> path;  // the lane, and what it lies below, outwards; groups among them
  bool is_shown = true;
};
// At the same cost: work for workers, where there are many lanes.
LanePlace place_of_lane(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
                        const LaneArrangement& arrangement, LaneId lane);

// By the numbers in them: "cpu 2" comes before "cpu 10".
bool is_name_before(std::string_view a, std::string_view b);

}  // namespace weft::layout

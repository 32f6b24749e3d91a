// Selects and orders the lanes that are shown: the trace's tree with the user's groups
// (lane_groups.h), as arranged by the user.
//
// A pure function of the dictionary, the rows (ordinary memory) and the arrangement, O(lanes log
// lanes + rows). An arrangement is a plain value that stays valid while the trace grows: it refers
// to lanes, not positions.
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
  kTrace,       // the trace's own order
  kName,        // "cpu 2" before "cpu 10"
  kActivity,    // most time in states first, then most events; descendants included
  kFirstEvent,  // earliest first
};

std::optional<LaneSort> lane_sort_from_name(std::string_view name);  // "trace", …, "first"
std::string_view name_of(LaneSort sort);

// A lane or group that was dragged before a sibling or, if that is none(), after all siblings.
struct LaneMove {
  LaneId lane;
  LaneId before = LaneId::none();
  bool operator==(const LaneMove&) const = default;
};

// A set of a trace's rows, by RowId; rows beyond its size are included, since a trace may grow.
// Null: all rows.
using RowSet = std::shared_ptr<const std::vector<bool>>;
inline bool has_row(const RowSet& set, size_t row) {
  return !set || row >= set->size() || (*set)[row];
}

struct LaneArrangement {
  LaneSort sort = LaneSort::kTrace;  // among siblings
  bool is_flat = false;              // no tree, no groups: lanes with events, named by path
  uint32_t levels = 0;               // most lines for a lane's states; 0: no limit
  bool shows_eventless = false;      // show lanes without any event in or below them
  bool hides_empty = false;          // hide these, and rows and lanes without a `passing` event
  std::string filter{};              // words that unpinned lanes' paths must contain, in any case
  std::vector<LaneGroup> groups{};
  std::unordered_set<LaneId> hidden{};  // with all descendants
  std::vector<LaneId> pinned{};         // likewise; shown apart, in this order
  std::vector<LaneMove> moves{};        // oldest first; at most one per lane
  RowSet passing{};                     // with hides_empty: the rows that are not empty; null: all
  bool operator==(const LaneArrangement&) const = default;
};

struct ArrangedLane {
  LaneId lane;
  uint16_t depth = 0;  // in the displayed tree
};

struct LaneOrder {
  std::vector<ArrangedLane> lanes;   // parents before children; groups included
  std::vector<ArrangedLane> pinned;  // likewise, each pinned lane a root
  uint32_t left_out = 0;             // lanes of the trace that are in neither …
  uint32_t eventless = 0;            // … of them, those that are only for having no event
  bool finds_any = true;             // whether the arrangement's filter finds a lane, shown or not
};

LaneOrder arrange_lanes(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
                        const LaneArrangement& arrangement = {});

// Whether some lanes, but not all, have no event in or below them. Such lanes are left out unless
// `shows_eventless`. O(lanes + rows).
bool has_eventless(const trace::Dictionary& dictionary, std::span<const store::Row> rows);

// A lane's position in an arrangement, whatever is folded.
struct LanePlace {
  std::vector<LaneId> path;  // the lane and its ancestors, innermost first; groups included
  bool is_shown = true;
};
// Costs as much as arrange_lanes(): call it from workers if there are many lanes.
LanePlace place_of_lane(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
                        const LaneArrangement& arrangement, LaneId lane);

// Natural order: "cpu 2" comes before "cpu 10".
bool is_name_before(std::string_view a, std::string_view b);

}  // namespace weft::layout

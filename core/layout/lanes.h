// The lane tree at the left: which rows are shown, in which order, where and how high.
//
//   ▾ machine                    a lane without rows of its own: a header
//     ▾ process 12               the name stands beside the lane's first row
//         thread 34   ████ ██    rows of states by depth, then punctual events, then variables
//                      ██
//     ▸ process 13   ▬▬▬▬▬▬      collapsed: one row, a summary of itself and what lies below
//
// A pure function of the trace's dictionary and rows (ordinary memory: frame-safe), the collapsed
// lanes and the heights. Built once per change, O(lanes + rows), about 20 ns each; asked per frame
// in O(log rows + visible rows). Heights in pixels; y grows downwards from the top of the tree.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/strong_id.h"
#include "core/store/trace.h"

namespace weft::layout {

struct LaneHeights {
  float header = 20;
  float state = 16;
  float punctual = 14;
  float variable = 32;
  float summary = 24;  // a collapsed lane
  float gap = 2;       // below each lane's last row
  bool operator==(const LaneHeights&) const = default;
};

// One line of the tree. 40 bytes: a million of them is nothing.
struct DisplayRow {
  enum class Kind : uint8_t {
    kHeader,   // a lane without rows of its own
    kRow,      // one row of the store
    kSummary,  // a collapsed lane: see Lanes::summary
  };
  double y = 0;      // top
  float height = 0;  // without the gap below it
  LaneId lane;
  RowId row = RowId::none();  // kRow
  uint32_t depth = 0;         // kRow, states: the row's
  uint16_t indent = 0;        // depth of the lane in the tree
  Kind kind = Kind::kHeader;
  bool is_first = true;       // of its lane: the name and the fold mark stand here
  bool has_children = false;  // lanes below it
};

// What a collapsed lane shows: thin strips of the outermost states of itself and the lanes below.
struct Summary {
  std::vector<RowId> rows;  // the busiest, in display order, as many as fit
  uint32_t row_count = 0;   // of all such rows; more than rows.size(): the others are not drawn
  uint32_t lane_count = 0;  // lanes below
};

using CollapsedLanes = std::unordered_set<LaneId>;

class Lanes {
 public:
  Lanes() = default;
  static Lanes build(const store::Trace& trace, const CollapsedLanes& collapsed,
                     const LaneHeights& heights = {});
  // The same from plain parts.
  static Lanes build(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
                     const CollapsedLanes& collapsed, const LaneHeights& heights = {});

  std::span<const DisplayRow> rows() const { return rows_; }
  double height() const { return height_; }

  // The rows that overlap [top, bottom).
  std::span<const DisplayRow> visible(double top, double bottom) const;
  // The row at `y`, or null in a gap and outside.
  const DisplayRow* at(double y) const;
  // The line at which a lane stands: its first row, or that of the collapsed lane that hides it.
  // Null for lanes that are not there.
  const DisplayRow* line_of(LaneId lane) const;
  // For a row of kind kSummary, at most `max_strips` rows. O(rows below the lane).
  Summary summary(std::span<const store::Row> rows, const DisplayRow& row,
                  uint32_t max_strips) const;

 private:
  std::vector<DisplayRow> rows_;
  std::vector<uint32_t> line_of_lane_;  // index into rows_
  // Rows of the store below a lane are neighbours there: [first, last) by lane.
  std::vector<std::pair<uint32_t, uint32_t>> store_rows_;
  std::vector<uint32_t> lanes_below_;
  double height_ = 0;
};

// "worker 3", "worker 3 · 12 lanes". Made safe to show.
std::string label_of(const trace::Dictionary& dictionary, const Lanes& lanes,
                     const DisplayRow& row);

}  // namespace weft::layout

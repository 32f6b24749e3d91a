// The lane tree at the left: which rows are shown, in which order, where and how high.
//
//   ▾ machine                    a lane without rows of its own: a header
//     ▾ process 12               the name stands beside the lane's first row
//         thread 34   ████ ██    rows of states by depth, then punctual events, then variables
//                      ██
//     ▸ process 13   ▬▬▬▬▬▬      collapsed: one row, a summary of itself and what lies below
//
// If a lane's states are limited to a few lines, the last of these summarises the deeper ones.
//
// A pure function of the trace's dictionary and rows (ordinary memory: frame-safe), the order of
// lanes (lane_order.h), the collapsed ones and the heights. Built once per change, O(lanes + rows),
// about 35 ns a row; asked per frame
// in O(log rows + visible rows). Heights in pixels; y grows downwards from the top of the tree.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/base/strong_id.h"
#include "core/layout/lane_order.h"
#include "core/store/trace.h"

namespace weft::layout {

// Heights of lines in pixels; rows of height 0 are left out.
struct LaneHeights {
  float header = 20;
  float state = 16;
  float punctual = 14;
  float variable = 32;
  float summary = 24;  // a collapsed lane
  float gap = 2;       // below each lane's last row
  bool operator==(const LaneHeights&) const = default;
};

// One line of the tree, 32 bytes.
struct DisplayRow {
  enum class Kind : uint8_t {
    kHeader,   // a lane without rows of its own
    kRow,      // one row of the store
    kSummary,  // a collapsed lane: see Lanes::summary
    kDeeper,   // the levels of a lane that got no line: likewise
  };
  double y = 0;      // top
  float height = 0;  // without the gap below it
  LaneId lane;
  RowId row = RowId::none();  // kRow
  uint32_t depth = 0;         // kRow, states: the row's; kSummary, kDeeper: which summary
  uint16_t indent = 0;        // depth of the lane in the tree
  Kind kind = Kind::kHeader;
  bool is_first = true;   // the lane's first: shows the name and the fold mark
  bool can_fold = false;  // collapsed, or has lanes below it or several rows
  // A variable with gaps (has_gaps()), in which the states of its lane, the row before, are drawn.
  bool has_states = false;
  RowId row_of_states() const { return has_states ? RowId(row.value() - 1) : RowId::none(); }
  bool is_summary() const { return kind == Kind::kSummary || kind == Kind::kDeeper; }
};

// What a collapsed lane shows as thin strips: the outermost states and the punctual events of
// itself and the lanes below or, if there are no states, all their rows. For kDeeper: the deeper
// levels.
struct Summary {
  static constexpr uint32_t kMaxRows = 12;  // strips of 2 px in 24
  std::vector<RowId> rows;                  // the busiest, in display order
  uint32_t row_count = 0;           // of all such rows; those beyond rows.size() are not drawn
  uint32_t rows_of_others = 0;      // of other rows that stand on lines where the lane is open
  uint32_t lane_count = 0;          // lanes below
  bool lanes_have_one_each = true;  // no two of all such rows are of one lane

  // Where the row with this index is drawn, from the top of a line that is `line_height` high.
  struct Strip {
    float y, height;
  };
  Strip strip_of(size_t index, float line_height) const;
};

using CollapsedLanes = std::unordered_set<LaneId>;

class Lanes {
 public:
  Lanes() = default;
  // All lanes, in the trace's order.
  static Lanes build(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
                     const CollapsedLanes& collapsed, const LaneHeights& heights = {});
  // The given lanes and groups, parents before children; of their rows those in `seen`, and of
  // their states at most `levels` levels (0: all).
  static Lanes build(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
                     std::span<const ArrangedLane> lanes, const CollapsedLanes& collapsed,
                     const LaneHeights& heights = {}, std::span<const LaneGroup> groups = {},
                     const RowSet& seen = {}, uint32_t levels = 0);

  std::span<const DisplayRow> rows() const { return rows_; }
  double height() const { return height_; }
  // Returns the height under other line heights; `rows` are the trace's. O(lines).
  double height_with(const LaneHeights& heights, const trace::Dictionary& dictionary,
                     std::span<const store::Row> rows) const;

  // Returns the rows that overlap [top, bottom).
  std::span<const DisplayRow> visible(double top, double bottom) const;
  // Returns the row at `y`, or the one above the gap there; null outside.
  const DisplayRow* at(double y) const;
  // Returns the first line of a lane, or that of the collapsed lane that hides it; null for unknown
  // lanes.
  const DisplayRow* line_of(LaneId lane) const;
  // Returns the line that shows a row of the lane, be it one for all of its deeper levels; else,
  // and for none(), the lane's first.
  const DisplayRow* line_of(LaneId lane, RowId row) const;
  // The name of a row's lane or group.
  const std::string& name_of(const trace::Dictionary& dictionary, LaneId lane) const;
  // `row` must be is_summary().
  const Summary& summary(const DisplayRow& row) const { return summaries_[row.depth]; }

 private:
  friend class LanesBuilder;
  static constexpr uint32_t kNoLine = 0xFFFFFFFF;

  std::vector<DisplayRow> rows_;
  struct Group {
    std::string name;
    uint32_t line = kNoLine;
  };
  std::vector<uint32_t> line_of_lane_;  // index into rows_
  std::unordered_map<LaneId, Group> groups_;
  std::vector<Summary> summaries_;  // by DisplayRow::depth
  double height_ = 0;
};

// Whether the row's values are words of bits (core/trace/words.h), drawn as boxes as high as
// states.
bool has_words(const trace::Dictionary& dictionary, const store::Row& row);

// Whether a state of the lane explains each gap of the row's variable (core/trace/words.h): both
// then share one line.
bool has_gaps(const trace::Dictionary& dictionary, const store::Row& row);

// Returns the label at the left of a line: "worker 3", "worker 3 · 12 lanes", the name of a
// variable; empty beside a lane's deeper rows. Safe to show. `is_flat`: lanes are labelled by path.
std::string label_of(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
                     const Lanes& lanes, const DisplayRow& row, bool is_flat = false);

}  // namespace weft::layout

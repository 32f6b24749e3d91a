// A tile: one row at one level of the grid, kTileColumns columns long. The unit of creation,
// caching and drawing; holds the texels for the GPU and what tooltips need.
//
//   |<------------- 256 columns of 2^level ticks ------------->|
//   |▂▂█▂  ▌▌▂▂▂▂▂     ◆    ▂▂▂   ██████ box ██████  ▂▂▂▂▂▂ box…   (goes on in the next tile)
//
// Tiles are immutable and own their memory: once made, no mapped page is touched to draw or hover.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/aggregate/columns.h"
#include "core/layout/collapse.h"
#include "core/layout/palette.h"
#include "core/store/trace.h"

namespace weft::layout {

inline constexpr int kTileColumns = 256;

// Identifies a row across the snapshots of a growing trace, in which RowIds may shift.
struct RowKey {
  LaneId lane;
  store::RowKind kind = store::RowKind::kState;
  uint32_t which = 0;  // states: depth; variables: the type
  static RowKey of(const store::Row& row);
  bool operator==(const RowKey&) const = default;
};

// Tile `index` of a level covers the columns [index·kTileColumns, (index+1)·kTileColumns).
struct TileKey {
  RowKey row;
  int level = 0;
  int64_t index = 0;
  uint64_t filter = 0;      // TileFilter::id
  bool keeps_rest = false;  // TileFilter::keeps_rest
  bool operator==(const TileKey&) const = default;
  aggregate::GridSpan span() const;
  TimeRange range() const { return span().range(); }
};
constexpr int64_t tile_index_of(Time t, int level) { return column_of(t, level) >> 8; }
static_assert(kTileColumns == 1 << 8);

// A wide state that overlaps the tile, drawn with exact edges. If its first or last column also
// shows something narrow, the box leaves that column out so as not to cover it.
struct Box {
  Time begin;
  Duration duration;
  EventTypeId type;
  bool shares_first_column = false;
  bool shares_last_column = false;
  bool is_dim = false;  // does not pass the filter
  Time end() const { return begin + duration; }
};

// What a tooltip needs about a non-empty column.
struct CellInfo {
  Time begin;       // of the lone element, or of the first one that begins here
  Duration length;  // of the lone element, or from `begin` to the last one's end
  uint32_t begins = 0;
  EventTypeId type;
  float busy_share = 0;  // of the column, 0…1
  uint8_t column = 0;    // in the tile
  Mark mark = Mark::kEmpty;
};

// The duration by which a column's states are coloured: the lone state's, or an aggregate's mean.
Duration state_length(const CellInfo& info, int level);

// A variable's values in a column; parallel to `cells` in tiles of variables.
struct CellValues {
  float min = 0, max = 0;
  double last = 0;  // exact: shown as text
};

// A punctual event with room around it, drawn as a diamond at its exact time; hollow, at the first
// of them, if its column has several.
struct Marker {
  Time time;
  EventTypeId type;
  uint16_t room = 0;  // free columns on both sides, at least kMarkerColumns
  bool is_several = false;
  bool is_dim = false;
};

struct Tile {
  TileKey key;
  int first_column = 0, end_column = 0;  // [first, end) contains all cells; equal if there are none
  std::vector<Box> boxes;                // in order of begin
  std::vector<CellInfo> cells;           // in order of column, without the empty ones
  std::vector<CellValues> values;        // variables: one per cell
  std::vector<Marker> markers;           // punctual events, in order of time
  std::bitset<kTileColumns> dim;         // columns in which nothing passes the filter
  aggregate::ReadCount reads;            // cost of making it
  std::array<Texel, kTileColumns> texels{};  // last member: frames mostly read the others

  bool is_empty() const { return cells.empty() && boxes.empty(); }
  size_t size_bytes() const;
  // Returns the info of a column; null if it is empty. O(log cells).
  const CellInfo* cell(int column) const;
};

// A diamond of the usual size needs this many free columns on both sides.
inline constexpr int kMarkerColumns = 6;

// Columns before a tile that are read for what they carry into it: narrow states are shorter than
// this.
inline constexpr int kLookBack = kWideColumns;

// Makes a tile from what the tree answered for its span and the kLookBack columns before it;
// `cells` has kLookBack + kTileColumns elements. Pure.
Tile tile_from_cells(const TileKey& key, ValueRange values, std::span<const aggregate::Cell> cells,
                     std::span<const aggregate::Wide> wides, const Palette& palette);

// The span that is read to make `count` tiles side by side.
aggregate::GridSpan span_of_tiles(const TileKey& first, uint32_t count);

// Makes `count` tiles side by side, from `first` on, with one query of the row (stored or filtered,
// see aggregate::FilteredRows). A query's fixed cost (finding what reaches into it, opening a block
// of each list) equals that of a tile's columns, so neighbours are made together. Touches mapped
// pages: call from workers. Thread-safe.
std::vector<Tile> make_tiles(const store::Row& row, const TileKey& first, uint32_t count,
                             const Palette& palette);

}  // namespace weft::layout

// Not noexcept, so that libstdc++ stores the hash with the key and need not recompute it for
// neighbours at each look-up.
template <>
struct std::hash<weft::layout::TileKey> {
  size_t operator()(const weft::layout::TileKey& key) const;
};

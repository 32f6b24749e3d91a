// A tile: one row at one level of the grid, kTileColumns columns long. The unit of making, caching
// and drawing; it holds the texels that the GPU shows and what a tooltip needs about them.
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

// Names a row across the snapshots of a growing trace, in which a RowId may shift.
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

// A wide state that overlaps the tile. It is drawn with exact edges, except where its first or last
// column also shows something narrow, which it would cover: there it keeps out of that column.
struct Box {
  Time begin;
  Duration duration;
  EventTypeId type;
  bool shares_first_column = false;
  bool shares_last_column = false;
  bool is_dim = false;  // does not pass the filter
  Time end() const { return begin + duration; }
};

// A column that is not empty, as a tooltip needs it.
struct CellInfo {
  Time begin;       // of the lone element; aggregates: of the first that begins here
  Duration length;  // of the lone element; aggregates: to the last one's end
  uint32_t begins = 0;
  EventTypeId type;
  float busy_share = 0;  // of the column, 0…1
  uint8_t column = 0;    // in the tile
  Mark mark = Mark::kEmpty;
  uint8_t share = 0;  // see aggregate::Cell
  uint8_t rest = 0;
};

// How long a state of a column takes: the lone one, or an aggregate's mean. By it states are
// coloured where that is wanted.
Duration state_length(const CellInfo& info, int level);

// A variable's values in a column; beside `cells` in tiles of variables.
struct CellValues {
  float min = 0, max = 0;
  double last = 0;  // exact: it is said
};

// A punctual event with room around it: it gets a diamond at its exact time; several of one column
// a hollow one, at the first.
struct Marker {
  Time time;
  EventTypeId type;
  bool is_several = false;
  bool is_dim = false;
};

struct Tile {
  TileKey key;
  int first_column = 0, end_column = 0;  // [first, end) holds all cells; equal where there is none
  std::vector<Box> boxes;                // in order of begin
  std::vector<CellInfo> cells;           // in order of column, without the empty ones
  std::vector<CellValues> values;        // variables: one per cell
  std::vector<Marker> markers;           // punctual events, in order of time
  std::bitset<kTileColumns> dim;         // columns in which nothing passes the filter
  aggregate::ReadCount reads;            // what making it cost
  std::array<Texel, kTileColumns> texels{};  // last: drawing a frame reads only what is above

  bool is_empty() const { return cells.empty() && boxes.empty(); }
  size_t size_bytes() const;
  // The info of a column, or null where it is empty. O(log cells).
  const CellInfo* cell(int column) const;
};

// A diamond needs this many free columns on both sides.
inline constexpr int kMarkerColumns = 6;

// Columns before a tile that its making looks at, for what they carry into it: a narrow state is
// shorter than this.
inline constexpr int kLookBack = kWideColumns;

// The pure part: a tile from what the tree answered for its span and the kLookBack columns before
// it (`cells` holds kLookBack + kTileColumns).
Tile tile_from_cells(const TileKey& key, ValueRange values, std::span<const aggregate::Cell> cells,
                     std::span<const aggregate::Wide> wides, const Palette& palette);

// What the making of `count` tiles side by side looks at.
aggregate::GridSpan span_of_tiles(const TileKey& first, uint32_t count);

// `count` tiles side by side, `first` being the leftmost: one question to the tree of the row,
// stored or as a filter leaves it (aggregate::FilteredRows). What a question costs before its first
// column (finding what reaches into it, opening a block of each list) is as much as a tile's
// columns, so neighbours are made together. Work for workers: touches mapped pages. Thread-safe.
std::vector<Tile> make_tiles(const store::Row& row, const TileKey& first, uint32_t count,
                             const Palette& palette);

}  // namespace weft::layout

// Not noexcept: so that libstdc++'s tables keep the hash beside the key, and need not compute those
// of the neighbours at each look-up.
template <>
struct std::hash<weft::layout::TileKey> {
  size_t operator()(const weft::layout::TileKey& key) const;
};

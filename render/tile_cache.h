// A cache of tiles for the frame thread: ready tiles are returned at once; missing ones are made by
// workers, and the nearest ready tile stands in meanwhile.
//
//   frame thread                                   workers (at low priority)
//   begin_frame ── takes what was made, uploads    ┌→ take the first wish
//   find(row, level, index) … marks, wishes        │  make_tiles: touches mapped pages
//   end_frame ──── publishes the list of wishes ───┘  hand over
//
// A missing filtered tile is replaced by the row as drawn before: under another filter, or whole.
//
// Several panels may draw in one frame; their wishes are combined. Each frame's wishes replace
// those of the frame before, so tiles that scrolled out of sight are never made and the newest
// wishes come first; therefore a panel that shows anything stale must redraw in every frame. The
// frame thread only tries the lock (workers hold it just long enough to move a pointer): it never
// waits and touches no mapped page. Memory is bounded in bytes; the least recently used tiles are
// evicted, those on screen never.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/base/percentiles.h"
#include "core/layout/filtered_tile.h"
#include "core/layout/tile.h"
#include "render/renderer.h"
#include "render/workshop.h"

namespace weft::render {

struct TileCacheOptions {
  size_t max_bytes = 48ull << 20;  // tiles in ordinary memory
  uint32_t workers = 0;            // 0: one per core, at most 4
  uint32_t uploads_per_frame = 640;
  // Called by a worker when tiles are ready, to wake the window's event loop. May be empty.
  std::function<void()> on_ready;
  // Makes the tiles; tests replace it.
  MakeTiles make = TileMaker();
};

struct TileStats {
  uint64_t made = 0;
  uint64_t drawn = 0;             // pieces given to frames …
  uint64_t stale = 0;             // … of which were stand-ins or empty
  uint64_t tiles = 0, bytes = 0;  // currently kept
  uint64_t nodes_read = 0;
  // Time from the first wish for a tile until it is ready to draw.
  Percentiles ready_ms;
};

// What to draw for a tile: itself, or pieces of others that stand in for it.
struct TilePiece {
  const layout::Tile* tile = nullptr;  // valid until the next begin_frame
  uint32_t slot = 0;                   // in the atlas
  // The part of `tile` to draw, in its columns: [first, last).
  double first_column = 0, last_column = 0;
  bool is_stale = false;
};
struct TilePieces {
  TilePiece pieces[2];
  int count = 0;  // 0: nothing to show yet
};

class TileCache {
 public:
  TileCache(Renderer& renderer, TileCacheOptions options = {});
  ~TileCache();  // waits for tiles being made
  // Releases the renderer's slots. The cache can then no longer draw, and any thread may destroy
  // it.
  void release_slots();
  TileCache(const TileCache&) = delete;
  TileCache& operator=(const TileCache&) = delete;

  // Makes tiles of this snapshot and palette from now on; older ones stand in until they are
  // remade. Call between frames or before the first.
  void set_source(store::TracePtr trace, std::shared_ptr<const layout::Palette> palette);

  // Sets the limit; excess tiles are evicted in the next frames, except those on screen.
  void set_max_bytes(size_t max_bytes);

  // Begins a frame. Has no effect within a frame; nor has end_frame() outside of one.
  void begin_frame();
  // Returns what to draw for tiles `first` to `last` of a row, in order; valid until the next call.
  std::span<const TilePieces> find(RowId row, int level, int64_t first, int64_t last,
                                   const layout::TileFilter& filter = {});
  void end_frame();
  // The number of the frame. Tiles from an earlier frame may be gone, and wishes made with them
  // were not repeated: redraw.
  uint64_t frame() const;

  // Whether all wishes of the last frame are ready: a redraw will show nothing stale.
  bool is_idle() const;
  // Whether tiles have become ready since the last frame: redraw.
  bool has_news() const;
  // Waits until all wishes of the last frame are made; then redraw. For pictures without a window.
  // Returns false after `timeout`.
  bool wait_until_idle(std::chrono::milliseconds timeout = std::chrono::minutes(1));

  TileStats stats() const;
  void reset_stats();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::render

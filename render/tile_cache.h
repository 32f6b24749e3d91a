// Tiles by key, for the frame thread: what is ready is returned at once, what is not is made by
// workers, and the nearest tile that is ready stands in meanwhile.
//
//   frame thread                                   workers (at low priority)
//   begin_frame ── takes what was made, uploads    ┌→ take the first wish
//   find(row, level, index) … marks, wishes        │  make_tiles: touches mapped pages
//   end_frame ──── publishes the list of wishes ───┘  hand over
//
// A tile under a filter that is not there yet shows the row as it was drawn before: otherwise
// filtered, or whole.
//
// A frame may be drawn by several panels: what they wish for is wished for together. Each frame's
// wishes replace the last one's, so what scrolled out of sight is never made and the newest is made
// first; so a panel that shows something stale draws again in every frame. The frame
// thread only ever tries the lock (held by workers for the time to move a pointer): it waits for
// nobody and touches no mapped page. Memory is bounded in bytes; what was not used for longest
// leaves, and what is on screen never does.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/layout/filtered_tile.h"
#include "core/layout/tile.h"
#include "render/renderer.h"
#include "render/workshop.h"

namespace weft::render {

struct TileCacheOptions {
  size_t max_bytes = 48ull << 20;  // of tiles in ordinary memory
  uint32_t workers = 0;            // 0: as many as there are cores, at most 4
  uint32_t uploads_per_frame = 640;
  // Called by a worker after tiles were handed over: wakes the window's event loop. May be empty.
  std::function<void()> on_ready;
  // Makes tiles, filtered ones of rows that it keeps; tests give their own.
  MakeTiles make = TileMaker();
};

struct TileStats {
  uint64_t made = 0;
  uint64_t drawn = 0;             // pieces given to frames …
  uint64_t stale = 0;             // … of which stood in for one being made, or showed nothing yet
  uint64_t tiles = 0, bytes = 0;  // kept now
  uint64_t nodes_read = 0;
  // From the first wish for a tile to its being ready to draw.
  double ready_p50_ms = 0, ready_p95_ms = 0, ready_p99_ms = 0, ready_max_ms = 0;
};

// What to draw for a tile: itself, or pieces of others that stand in for it.
struct TilePiece {
  const layout::Tile* tile = nullptr;  // valid until the next begin_frame
  uint32_t slot = 0;                   // of the atlas
  // The part of `tile` to draw, in its columns: [first, last).
  double first_column = 0, last_column = 0;
  bool is_stale = false;
};
struct TilePieces {
  TilePiece pieces[2];
  int count = 0;  // 0: nothing is known yet
};

class TileCache {
 public:
  TileCache(Renderer& renderer, TileCacheOptions options = {});
  ~TileCache();  // waits for the tiles in the making
  // Gives back what it has of the renderer. It can draw no more, and be destroyed by any thread.
  void release_slots();
  TileCache(const TileCache&) = delete;
  TileCache& operator=(const TileCache&) = delete;

  // From now on tiles are of this snapshot and palette; older ones stand in until remade. Between
  // frames, or before the first.
  void set_source(std::shared_ptr<const store::Trace> trace,
                  std::shared_ptr<const layout::Palette> palette);

  // What does not fit any more leaves in the next frames, but for what is on screen.
  void set_max_bytes(size_t max_bytes);

  // Within a frame that has begun it does nothing; so does the end of one that has not.
  void begin_frame();
  // Of the tiles `first` to `last` of a row, one after the other; valid until the next call.
  std::span<const TilePieces> find(RowId row, int level, int64_t first, int64_t last,
                                   const layout::TileFilter& filter = {});
  void end_frame();
  // Grows with every frame. Who still looks at tiles of an earlier one must draw anew: they may be
  // gone, and what was wished for with them was not wished for again.
  uint64_t frame() const;

  // All that the last frame wished for is ready: drawing it again shows nothing stale.
  bool is_idle() const;
  // There are tiles that came since the last frame: draw again.
  bool has_news() const;
  // Waits until all wishes of the last frame are made. For pictures without a window; then draw
  // again. False after `timeout`.
  bool wait_until_idle(std::chrono::milliseconds timeout = std::chrono::minutes(1));

  TileStats stats() const;
  void reset_stats();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::render

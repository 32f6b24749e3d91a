// The workers of the tile cache, and the two lists they share with the frame thread: wishes in,
// tiles out. Internal to TileCache.
//
// The lock is held only to move a few pointers and look up a few keys. The frame thread only tries
// it, so it never waits for a worker that was preempted while holding it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/layout/filtered_tile.h"
#include "core/layout/palette.h"
#include "core/layout/tile.h"
#include "core/store/trace.h"

namespace weft::render {

// The source of tiles. A higher version replaces a lower one.
struct TileSource {
  store::TracePtr trace;
  std::shared_ptr<const layout::Palette> palette;
  uint64_t version = 0;
};

struct TileWish {
  layout::TileKey key;
  RowId row;
  aggregate::FilterPtr filter = {};  // if the key has one
};

// Wishes for adjacent tiles, which are made together; see layout::make_tiles().
struct TileRun {
  TileWish first;
  uint32_t count = 1;

  layout::TileKey key(uint32_t i) const;
  bool is_continued_by(const TileWish& wish) const { return wish.key == key(count); }
};

// Makes run.count tiles. Empty if stopped, because nobody wishes for them any more or at the end.
using MakeTiles = std::function<std::vector<layout::Tile>(const TileSource&, const TileRun&,
                                                          const std::stop_token&)>;

// Makes tiles; filtered ones from filtered rows that all copies share.
class TileMaker {
 public:
  explicit TileMaker(
      std::shared_ptr<aggregate::FilteredRows> rows = std::make_shared<aggregate::FilteredRows>())
      : rows_(std::move(rows)) {}
  std::vector<layout::Tile> operator()(const TileSource& source, const TileRun& run,
                                       const std::stop_token& stop) const;

 private:
  std::shared_ptr<aggregate::FilteredRows> rows_;
};

struct MadeTile {
  std::unique_ptr<const layout::Tile> tile;
  uint64_t version = 0;  // of its source
};

class Workshop {
 public:
  Workshop(uint32_t workers, MakeTiles make, std::function<void()> on_ready);
  ~Workshop();  // waits for tiles being made
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  // Replaces the list of wishes, most urgent first, except those being made or ready; stops workers
  // on tiles not in it; and takes over `unused` tiles to free, since freeing may wait for the
  // allocator. Empties both lists. Returns false, and does nothing, while a worker holds the lock.
  bool try_publish(const TileSource& source, std::vector<TileWish>& wishes,
                   std::vector<std::unique_ptr<const layout::Tile>>& unused);

  // Appends at most `max` finished tiles to `made`, oldest first; none while a worker holds the
  // lock.
  void try_take(size_t max, std::vector<MadeTile>& made);

  bool has_ready() const { return ready_count_.load(std::memory_order_relaxed) > 0; }
  bool is_idle() const { return pending_count_.load(std::memory_order_acquire) == 0; }
  // Waits until every wish is made; returns false after `timeout`.
  bool wait_until_idle(std::chrono::milliseconds timeout);

 private:
  // What a worker is making.
  struct Work {
    TileRun run;
    std::stop_source stop = {};
    bool is_wanted = true;  // by the newest list of wishes
  };

  void work();
  bool is_coming_locked(const layout::TileKey& key);
  TileRun take_run_locked();
  uint32_t most_together(const TileWish& wish) const;
  void count_locked();

  MakeTiles make_;
  std::function<void()> on_ready_;
  std::atomic<size_t> pending_count_ = 0;  // wishes not made yet
  std::atomic<size_t> ready_count_ = 0;    // tiles not taken yet

  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  TileSource source_;
  std::vector<TileWish> wishes_;
  size_t next_wish_ = 0;
  std::list<Work> in_work_;
  // Tiles being made, or (null) ready and not yet taken.
  std::unordered_map<layout::TileKey, Work*> coming_;
  std::vector<MadeTile> ready_;
  std::vector<std::unique_ptr<const layout::Tile>> unused_;
  bool is_stopping_ = false;
  std::vector<std::thread> workers_;  // last member: they use the others
};

}  // namespace weft::render

#include "render/tile_cache.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/time_span.h"
#include "render/tile_index.h"
#include "render/workshop.h"

namespace weft::render {
namespace {

using Clock = std::chrono::steady_clock;
using aggregate::FilterPtr;
using layout::kTileColumns;
using layout::Tile;
using layout::TileKey;

constexpr uint32_t kNoSlot = 0xFFFFFFFF;
// How many levels up a stand-in is looked for: before finer ones, and before the whole trace's.
constexpr int kNearLevels = 2, kFarLevels = 5;
// Bounds on what making room costs a frame.
constexpr size_t kEvictionsPerFrame = 512, kLooksPerEviction = 4096;

struct Entry {
  std::unique_ptr<const Tile> tile;  // null: only wished for
  uint64_t version = 0;              // of the source it was made from
  uint32_t slot = kNoSlot;           // empty tiles have none
  uint64_t used_in = 0;              // frame
  uint64_t wished_in = 0;            // frame; 0: not wished for
  Clock::time_point wished_since;
};

// When a tile was last used, as far as the queue knows.
struct Aged {
  TileKey key;
  uint64_t used_in;  // frame
};

// The latest times from wish to tile, and the longest of all.
class Latencies {
 public:
  void add(double ms) {
    if (values_.size() < kKept) {
      values_.push_back(ms);
    } else {
      values_[next_++ % kKept] = ms;
    }
    max_ = std::max(max_, ms);
  }
  Percentiles percentiles() const {
    Percentiles latest = percentiles_of(values_);
    latest.max = max_;
    return latest;
  }

 private:
  static constexpr size_t kKept = 8192;
  std::vector<double> values_;
  size_t next_ = 0;
  double max_ = 0;
};

uint32_t worker_count(uint32_t wanted) {
  return wanted > 0 ? wanted : std::clamp(std::thread::hardware_concurrency(), 1u, 4u);
}

// Levels 0 and kSingleTicksLevel lie on the same grid.
int shift_between(int level, int coarser) { return std::max(coarser, 0) - std::max(level, 0); }

// The level at which the whole trace is a tile or two.
int level_of_all(TimeRange range) {
  int level = 0;
  const double length = ticks_between(range.begin, range.end);
  while (level < layout::kMaxLevel && std::ldexp(length, -level) > kTileColumns) ++level;
  return level;
}

enum class Priority : uint8_t { kOverview, kMissing, kStale };

}  // namespace

struct TileCache::Impl {
  Impl(Renderer& r, TileCacheOptions o)
      : renderer(r),
        options(std::move(o)),
        workshop(worker_count(options.workers), options.make, options.on_ready) {}

  void release_slots() {
    entries.for_each([&](Entry& entry) {
      if (entry.slot != kNoSlot) renderer.release_slot(std::exchange(entry.slot, kNoSlot));
    });
  }

  void release(Entry& entry) {
    if (entry.slot != kNoSlot) renderer.release_slot(entry.slot);
    drop_tile(entry);
  }

  // Tiles are freed by the workers, which made them.
  void drop_tile(Entry& entry) {
    if (!entry.tile) return;
    bytes -= entry.tile->size_bytes();
    unused.push_back(std::move(entry.tile));
  }

  // Frees the tile that was not used for longest; false where the last frames used all that are
  // looked at. The queue is in order of last use as it was known when a tile was put there: one
  // that was used since goes to the end with its present age.
  bool evict_one() {
    for (size_t i = 0; i < kLooksPerEviction && !by_age.empty(); ++i) {
      const Aged oldest = by_age.front();
      by_age.pop_front();
      Entry* const entry = entries.find(oldest.key);  // never null: see by_age
      const uint64_t used_in = entry->used_in;
      if (used_in != oldest.used_in || used_in + 1 >= frame) {
        by_age.push_back({oldest.key, used_in});
        continue;
      }
      release(*entry);
      entries.erase(oldest.key);
      return true;
    }
    return false;
  }

  void shrink() {
    for (size_t i = 0; i < kEvictionsPerFrame && bytes > options.max_bytes; ++i) {
      if (!evict_one()) return;
    }
  }

  uint32_t slot_for(const Entry& entry, const Tile& tile) {
    if (tile.cells.empty()) return kNoSlot;
    if (entry.slot != kNoSlot) return entry.slot;
    auto slot = renderer.acquire_slot();
    while (!slot && evict_one()) slot = renderer.acquire_slot();
    return slot.value_or(kNoSlot);
  }

  void keep(MadeTile made) {
    const TileKey key = made.tile->key;
    Entry& entry = entries[key];
    if (entry.tile && entry.version > made.version) return;
    entry.used_in = frame;  // so that making room does not drop it
    const uint32_t slot = slot_for(entry, *made.tile);
    if (slot == kNoSlot && !made.tile->cells.empty())
      return;  // more on screen than the atlas holds
    if (entry.slot != kNoSlot && slot == kNoSlot) renderer.release_slot(entry.slot);
    if (slot != kNoSlot) renderer.upload(slot, made.tile->texels);
    const bool had_tile = entry.tile != nullptr;
    drop_tile(entry);
    bytes += made.tile->size_bytes();
    counts.nodes_read += made.tile->reads.nodes;
    ++counts.made;
    if (entry.wished_in != 0) {
      latencies.add(
          std::chrono::duration<double, std::milli>(Clock::now() - entry.wished_since).count());
    }
    if (!had_tile) by_age.push_back({key, frame});
    entry.tile = std::move(made.tile);
    entry.version = made.version;
    entry.slot = slot;
    entry.wished_in = 0;
  }

  void take(size_t max) {
    taken.clear();
    workshop.try_take(max, taken);
    for (MadeTile& made : taken) keep(std::move(made));
    shrink();
  }

  void wish(const TileKey& key, RowId row, const FilterPtr& filter, Priority priority) {
    Entry& entry = entries[key];
    if (entry.wished_in == frame) return;
    if (entry.wished_in == 0) entry.wished_since = Clock::now();
    entry.wished_in = frame;
    wishes[static_cast<size_t>(priority)].push_back({key, row, filter});
  }

  Entry* ready(const TileKey& key) {
    Entry* const entry = entries.find(key);
    if (entry == nullptr || !entry->tile) return nullptr;
    entry->used_in = frame;
    return entry;
  }

  static TilePiece whole(const Entry& entry, bool is_stale) {
    return {entry.tile.get(), entry.slot, 0, kTileColumns, is_stale};
  }

  // The part of a coarser tile that covers `key`.
  bool add_coarser(const TileKey& key, int level, TilePieces& found) {
    const int shift = shift_between(key.level, level);
    const TileKey coarser{key.row, level, key.index >> shift, key.filter, key.keeps_rest};
    const Entry* entry = ready(coarser);
    if (!entry) return false;
    const double width = std::ldexp(kTileColumns, -shift);
    const auto nth = static_cast<double>(key.index - (coarser.index << shift));
    found.pieces[found.count++] = {entry->tile.get(), entry->slot, nth * width, (nth + 1) * width,
                                   true};
    return true;
  }

  void add_finer(const TileKey& key, TilePieces& found) {
    if (key.level < 1) return;
    for (int64_t half = 0; half < 2; ++half) {
      const Entry* entry =
          ready({key.row, key.level - 1, key.index * 2 + half, key.filter, key.keeps_rest});
      if (entry) found.pieces[found.count++] = whole(*entry, true);
    }
  }

  // The nearest in detail first: a level or two coarser, both halves one level finer, then coarser
  // ones up to that of the whole trace, which is wished for where there is none.
  TilePieces stand_ins(const TileKey& key, RowId row, const FilterPtr& filter) {
    TilePieces found;
    const auto add_from = [&](int first, int last) {
      for (int d = first; d <= last && key.level + d <= layout::kMaxLevel; ++d) {
        if (add_coarser(key, key.level + d, found)) return true;
      }
      return false;
    };
    if (add_from(1, kNearLevels)) return found;
    add_finer(key, found);
    if (found.count == 2) return found;
    const TilePieces half = std::exchange(found, {});
    if (add_from(kNearLevels + 1, kFarLevels)) return found;
    // Its tiles come one by one then, and that of the whole trace needs all that they need.
    if (filter && aggregate::is_filtered_in_chunks(source.trace->row(row))) return half;
    const int shift = shift_between(key.level, most_level);
    if (shift <= 0 || add_coarser(key, most_level, found)) return shift <= 0 ? half : found;
    wish({key.row, most_level, key.index >> shift, key.filter, key.keeps_rest}, row, filter,
         Priority::kOverview);
    return half;
  }

  // The row as drawn before the filter was set or its mode changed.
  TilePieces otherwise_filtered(const TileKey& key) {
    TilePieces found;
    TileKey other = key;
    for (const auto& [filter, keeps_rest] :
         {std::pair(key.filter, !key.keeps_rest), std::pair(uint64_t{0}, false)}) {
      other.filter = filter;
      other.keeps_rest = keeps_rest;
      if (const Entry* entry = ready(other)) {
        found.pieces[found.count++] = whole(*entry, true);
        break;
      }
      if (most_level > key.level && add_coarser(other, most_level, found)) break;
    }
    return found;
  }

  // A frame has up to 1800 tiles, which lie anywhere in memory: what finding and painting them
  // looks at is brought near for a whole row, all at once instead of one after the other.
  std::span<const TilePieces> find_all(RowId row, int level, int64_t first, int64_t last,
                                       const layout::TileFilter& filter) {
    TileKey key{layout::RowKey::of(source.trace->row(row)), level, first, filter.id,
                filter.id != 0 && filter.keeps_rest};
    entries.for_each_of(key, last, [](const Entry& entry) {
      const auto* const tile = reinterpret_cast<const std::byte*>(entry.tile.get());
      if (tile == nullptr) return;  // only wished for
      for (size_t at = 0; at < offsetof(Tile, texels); at += 64) __builtin_prefetch(tile + at);
    });
    all_found.clear();
    for (; key.index <= last; ++key.index) all_found.push_back(find(key, row, filter));
    for (const TilePieces& found : all_found) {
      for (int p = 0; p < found.count; ++p) __builtin_prefetch(found.pieces[p].tile->boxes.data());
    }
    return all_found;
  }

  TilePieces find(const TileKey& key, RowId row, const layout::TileFilter& filter) {
    const bool is_known = filter.id == 0 || filter.filter;  // else nothing can be made yet
    TilePieces found;
    if (const Entry* entry = ready(key)) {
      const bool is_stale = entry->version != source.version;
      found.pieces[found.count++] = whole(*entry, is_stale);
      if (is_stale && is_known) wish(key, row, filter.filter, Priority::kStale);
    } else {
      if (is_known) found = stand_ins(key, row, filter.filter);
      if (found.count == 0 && filter.id != 0) found = otherwise_filtered(key);
      const Priority priority = found.count == 0 ? Priority::kMissing : Priority::kStale;
      if (is_known) wish(key, row, filter.filter, priority);
    }
    ++counts.drawn;
    if (found.count == 0 || found.pieces[0].is_stale) ++counts.stale;
    return found;
  }

  // Wishes of the frame before that this one did not repeat lapse.
  void forget_lapsed() {
    for (const TileKey& key : wished_before) {
      Entry* const entry = entries.find(key);
      if (entry == nullptr || entry->wished_in == frame) continue;
      entry->wished_in = 0;
      if (!entry->tile) entries.erase(key);
    }
    wished_before.clear();
  }

  void publish() {
    forget_lapsed();
    published.clear();
    for (std::vector<TileWish>& list : wishes) {
      published.insert(published.end(), list.begin(), list.end());
      list.clear();
    }
    for (const TileWish& wish : published) wished_before.push_back(wish.key);
    if (!published.empty() || !unused.empty() || has_wishes_there) republish();
    has_wishes_there = has_unpublished || !wished_before.empty();
  }

  void republish() { has_unpublished = !workshop.try_publish(source, published, unused); }

  Renderer& renderer;
  TileCacheOptions options;
  TileSource source;
  int most_level = 0;

  TileIndex<Entry> entries;
  std::deque<Aged> by_age;  // every entry that has a tile, once
  size_t bytes = 0;
  uint64_t frame = 1;
  bool is_open = false;             // between begin_frame and end_frame
  std::vector<TileWish> wishes[3];  // of this frame, by priority
  std::vector<TileWish> published;
  std::vector<TilePieces> all_found;   // by the last find
  std::vector<TileKey> wished_before;  // by the last frame
  bool has_unpublished = false;        // a worker held the lock
  bool has_wishes_there = false;       // the workshop's list is not empty
  std::vector<MadeTile> taken;
  std::vector<std::unique_ptr<const Tile>> unused;

  TileStats counts;
  Latencies latencies;

  Workshop workshop;  // last: its workers use the options
};

TileCache::TileCache(Renderer& renderer, TileCacheOptions options)
    : impl_(std::make_unique<Impl>(renderer, std::move(options))) {}
TileCache::~TileCache() { impl_->release_slots(); }

void TileCache::release_slots() { impl_->release_slots(); }

void TileCache::set_source(store::TracePtr trace, std::shared_ptr<const layout::Palette> palette) {
  impl_->most_level = level_of_all(trace->range());
  impl_->source = {std::move(trace), std::move(palette), impl_->source.version + 1};
}

void TileCache::set_max_bytes(size_t max_bytes) { impl_->options.max_bytes = max_bytes; }

void TileCache::begin_frame() {
  if (std::exchange(impl_->is_open, true)) return;
  ++impl_->frame;
  impl_->take(impl_->options.uploads_per_frame);
}

std::span<const TilePieces> TileCache::find(RowId row, int level, int64_t first, int64_t last,
                                            const layout::TileFilter& filter) {
  return impl_->find_all(row, level, first, last, filter);
}

void TileCache::end_frame() {
  if (std::exchange(impl_->is_open, false)) impl_->publish();
}

uint64_t TileCache::frame() const { return impl_->frame; }

bool TileCache::is_idle() const { return !impl_->has_unpublished && impl_->workshop.is_idle(); }

bool TileCache::has_news() const { return impl_->workshop.has_ready(); }

bool TileCache::wait_until_idle(std::chrono::milliseconds timeout) {
  const auto deadline = Clock::now() + timeout;
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (!impl_->workshop.wait_until_idle(std::max(left, std::chrono::milliseconds(0))))
      return false;
    while (impl_->workshop.has_ready()) impl_->take(SIZE_MAX);
    if (!impl_->has_unpublished) return true;
    impl_->republish();
  }
}

TileStats TileCache::stats() const {
  TileStats stats = impl_->counts;
  stats.tiles = impl_->entries.size();
  stats.bytes = impl_->bytes;
  stats.ready_ms = impl_->latencies.percentiles();
  return stats;
}

void TileCache::reset_stats() {
  impl_->counts = {};
  impl_->latencies = {};
}

}  // namespace weft::render

// A map from tile keys to entries, optimised for the access pattern of frames: along a row, tile
// after tile, and for each missing tile the coarser levels of the same row. The tiles of a row lie
// together, level by level, and the rows last looked up are cached: most look-ups take two short
// binary searches. Entries keep their address until erased.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/layout/scale.h"
#include "core/layout/tile.h"

namespace weft::render {

template <class Entry>
class TileIndex {
 public:
  using Key = layout::TileKey;

  size_t size() const { return size_; }

  // Returns null if there is none.
  Entry* find(const Key& key) {
    const Level* level = level_of(row_of(key), key.level);
    if (level == nullptr) return nullptr;
    const auto at = place(*level, key.index);
    return is_at(*level, at, key.index) ? at->second.get() : nullptr;
  }

  // Returns the entry, creating it if necessary.
  Entry& operator[](const Key& key) {
    if (row_of(key) == nullptr) recent(key).row = &rows_[row_name(key)];
    Row& row = *recent(key).row;
    auto level = place(row, key.level);
    if (!is_at(row, level, key.level)) level = row.emplace(level, key.level, Level());
    auto at = place(level->second, key.index);
    if (!is_at(level->second, at, key.index)) {
      at = level->second.insert(at, {key.index, std::make_unique<Entry>()});
      ++size_;
    }
    return *at->second;
  }

  void erase(const Key& key) {
    Row* row = row_of(key);
    Level* level = level_of(row, key.level);
    if (level == nullptr) return;
    const auto at = place(*level, key.index);
    if (!is_at(*level, at, key.index)) return;
    level->erase(at);
    --size_;
    if (!level->empty()) return;
    row->erase(place(*row, key.level));
    if (!row->empty()) return;
    rows_.erase(row_name(key));
    recent(key).row = nullptr;
  }

  // Visits the entries of the key's row and level from the key's index to `last`.
  template <class Visit>
  void for_each_of(const Key& key, int64_t last, Visit visit) {
    const Level* level = level_of(row_of(key), key.level);
    if (level == nullptr) return;
    for (auto at = place(*level, key.index); at != level->end() && at->first <= last; ++at)
      visit(*at->second);
  }

  template <class Visit>
  void for_each(Visit visit) {
    for (auto& [name, row] : rows_) {
      for (auto& [number, level] : row) {
        for (auto& [index, entry] : level) visit(*entry);
      }
    }
  }

 private:
  // Both sorted by their first element.
  using Level = std::vector<std::pair<int64_t, std::unique_ptr<Entry>>>;  // by index
  using Row = std::vector<std::pair<int, Level>>;
  struct Recent {
    Key name;
    Row* row = nullptr;  // null: no such row
    bool is_known = false;
  };

  static Key row_name(Key key) {
    key.level = 0;
    key.index = 0;
    return key;
  }
  template <class Places, class Number>
  static auto place(Places& places, Number number) {
    return std::ranges::lower_bound(places, number, {},
                                    [](const auto& each) { return each.first; });
  }
  template <class Places, class At, class Number>
  static bool is_at(const Places& places, At at, Number number) {
    return at != places.end() && at->first == number;
  }
  static Level* level_of(Row* row, int number) {
    if (row == nullptr) return nullptr;
    const auto at = place(*row, number);
    return is_at(*row, at, number) ? &at->second : nullptr;
  }

  // A separate entry per filter, since a row is looked up with and without one in turn.
  Recent& recent(const Key& key) { return recent_[(key.filter + (key.keeps_rest ? 1 : 0)) % 4]; }
  Row* row_of(const Key& key) {
    const Key wanted = row_name(key);
    Recent& last = recent(key);
    if (!last.is_known || last.name != wanted) {
      const auto at = rows_.find(wanted);
      last = {wanted, at == rows_.end() ? nullptr : &at->second, true};
    }
    return last.row;
  }

  std::unordered_map<Key, Row> rows_;  // by key without level and index; never empty
  std::array<Recent, 4> recent_;
  size_t size_ = 0;
};

}  // namespace weft::render

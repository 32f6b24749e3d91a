// A map from tile keys to entries, made for how frames look tiles up: along a row, tile after tile,
// and for each missing one the coarser levels of the same row. The tiles of a row at one level lie
// together, and the group that was last looked up at each level is remembered, so that most
// look-ups end in a short binary search. Entries stay where they are until erased.
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

  // Null where there is none.
  Entry* find(const Key& key) {
    const Group* group = group_of(key);
    if (group == nullptr) return nullptr;
    const auto at = place(*group, key.index);
    return at != group->end() && at->first == key.index ? at->second.get() : nullptr;
  }

  // The entry, made where there was none.
  Entry& operator[](const Key& key) {
    if (group_of(key) == nullptr) recent(key).group = &groups_[without_index(key)];
    Group& group = *recent(key).group;
    auto at = place(group, key.index);
    if (at == group.end() || at->first != key.index) {
      at = group.insert(at, {key.index, std::make_unique<Entry>()});
      ++size_;
    }
    return *at->second;
  }

  void erase(const Key& key) {
    Group* group = group_of(key);
    if (group == nullptr) return;
    const auto at = place(*group, key.index);
    if (at == group->end() || at->first != key.index) return;
    group->erase(at);
    --size_;
    if (!group->empty()) return;
    groups_.erase(without_index(key));
    recent(key).group = nullptr;
  }

  template <class Visit>
  void for_each(Visit visit) {
    for (auto& [key, group] : groups_) {
      for (auto& [index, entry] : group) visit(*entry);
    }
  }

 private:
  // In order of index.
  using Group = std::vector<std::pair<int64_t, std::unique_ptr<Entry>>>;
  struct Recent {
    Key key;
    Group* group = nullptr;  // null: there is none of that key
    bool is_known = false;
  };

  static Key without_index(Key key) {
    key.index = 0;
    return key;
  }
  template <class AGroup>
  static auto place(AGroup& group, int64_t index) {
    return std::ranges::lower_bound(group, index, {}, [](const auto& each) { return each.first; });
  }

  Recent& recent(const Key& key) {
    return recent_[static_cast<size_t>(key.level - layout::kSingleTicksLevel) % recent_.size()];
  }
  Group* group_of(const Key& key) {
    const Key wanted = without_index(key);
    Recent& last = recent(key);
    if (!last.is_known || last.key != wanted) {
      const auto at = groups_.find(wanted);
      last = {wanted, at == groups_.end() ? nullptr : &at->second, true};
    }
    return last.group;
  }

  std::unordered_map<Key, Group> groups_;  // by key without index; none is empty
  std::array<Recent, 64> recent_;          // by level
  size_t size_ = 0;
};

}  // namespace weft::render

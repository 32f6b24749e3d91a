// The lines of source of a part with their costs, in the order in which they were met first.
//
// Files give the lines of a function in one order, again and again in those that have several
// threads or sum up nothing, so the one that was met behind the last is tried before a look-up.
// Memory: 32 bytes and 8 for each event a line, and 16 to 32 of the table.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "core/base/flat_index.h"
#include "core/base/hash_index.h"
#include "core/base/time.h"

namespace weft::formats::callgrind {

// By the index of the event; what lies behind the end is 0.
using Costs = std::vector<int64_t>;

inline void add_costs(Costs& sum, const Costs& more) {
  if (sum.size() < more.size()) sum.resize(more.size());
  for (size_t i = 0; i < more.size(); ++i) sum[i] = saturating_add(sum[i], more[i]);
}
inline int64_t cost_at(std::span<const int64_t> costs, size_t event) {
  return event < costs.size() ? costs[event] : 0;
}

// A line of source in a function, which may be another file's: that of an inlined function.
struct LineKey {
  uint32_t function = 0, file = 0;
  int64_t line = 0;
  auto operator<=>(const LineKey&) const = default;
};

// What few lines have.
struct LineCalls {
  int64_t calls = 0;
  Costs of_calls;                   // what those cost
  int64_t jumps = 0, branches = 0;  // jumps that were made, conditional ones that were met
};

class SourceLines {
 public:
  size_t size() const { return lines_.size(); }

  // Returns the line's index; a new line is added if there is room for it, else it has none.
  template <class HasRoom>
  std::optional<uint32_t> find_or_add(const LineKey& key, const HasRoom& has_room) {
    if (const uint32_t next = last_ + 1; next < lines_.size() && lines_[next].key == key)
      return last_ = next;
    const auto is_equal = [&](uint32_t index) { return lines_[index].key == key; };
    const uint64_t hash = hash_of(key);
    auto index = index_.find(hash, is_equal);
    if (!index && has_room()) {
      bool is_new = false;
      index = index_.find_or_add(hash, is_equal, is_new);
      lines_.push_back({.key = key});
      costs_.resize(costs_.size() + most_costs_);
    }
    if (index) last_ = *index;
    return index;
  }

  // Set before the first line.
  void set_most_costs(size_t count) { most_costs_ = count; }
  // At most as many costs as were set.
  void add_self(uint32_t line, std::span<const int64_t> more) {
    int64_t* const sum = &costs_[line * most_costs_];
    for (size_t i = 0; i < more.size(); ++i) sum[i] = saturating_add(sum[i], more[i]);
    uint32_t& count = lines_[line].cost_count;
    count = std::max(count, static_cast<uint32_t>(more.size()));
  }
  LineCalls& calls_of(uint32_t line) {
    uint32_t& index = lines_[line].calls;
    if (index == kNone) {
      index = static_cast<uint32_t>(calls_.size());
      calls_.emplace_back();
    }
    return calls_[index];
  }

  // The lines by function, file and number.
  std::vector<uint32_t> in_order() const {
    std::vector<uint32_t> order(lines_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [this](uint32_t line) { return lines_[line].key; });
    return order;
  }
  const LineKey& key(uint32_t line) const { return lines_[line].key; }
  std::span<const int64_t> self(uint32_t line) const {
    return std::span(costs_).subspan(line * most_costs_, lines_[line].cost_count);
  }
  const LineCalls* calls(uint32_t line) const {
    const uint32_t index = lines_[line].calls;
    return index == kNone ? nullptr : &calls_[index];
  }

 private:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  struct Line {
    LineKey key;
    uint32_t cost_count = 0;
    uint32_t calls = kNone;  // its index in calls_
  };

  static uint64_t hash_of(const LineKey& key) {
    const uint64_t place = uint64_t{key.function} << 32 | key.file;
    return NumberHash()(NumberHash()(place) + static_cast<uint64_t>(key.line));
  }

  size_t most_costs_ = 0;
  uint32_t last_ = kNone;  // that was found; the first line lies behind none
  std::vector<Line> lines_;
  std::vector<int64_t> costs_;  // most_costs_ of each line
  std::vector<LineCalls> calls_;
  HashIndex index_;
};

}  // namespace weft::formats::callgrind

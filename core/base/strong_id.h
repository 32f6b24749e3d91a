// A typed integer id: explicit to construct, without arithmetic, as small as the integer inside.
// none(), the largest value and the default, stands for "no such thing".
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

namespace weft {

template <class Tag, class Int = uint32_t>
class StrongId {
 public:
  using Value = Int;
  constexpr StrongId() = default;
  constexpr explicit StrongId(Int value) : value_(value) {}
  static constexpr StrongId none() { return StrongId(std::numeric_limits<Int>::max()); }

  constexpr Int value() const { return value_; }
  constexpr bool is_none() const { return *this == none(); }
  constexpr auto operator<=>(const StrongId&) const = default;

 private:
  Int value_ = std::numeric_limits<Int>::max();
};

struct LaneTag;
struct EventTypeTag;
struct ParamsTag;
struct RowTag;

using LaneId = StrongId<LaneTag>;                // index into Dictionary::lanes
using EventTypeId = StrongId<EventTypeTag>;      // index into Dictionary::types
using ParamsId = StrongId<ParamsTag, uint64_t>;  // where an event's parameters lie in the store
using RowId = StrongId<RowTag>;                  // index into Trace::rows()

static_assert(sizeof(LaneId) == sizeof(uint32_t) && sizeof(ParamsId) == sizeof(uint64_t));

}  // namespace weft

template <class Tag, class Int>
struct std::hash<weft::StrongId<Tag, Int>> {
  size_t operator()(weft::StrongId<Tag, Int> id) const noexcept {
    return std::hash<Int>{}(id.value());
  }
};

// The user's choices about the slices of a statistics panel, kept in its options; slices are
// identified by name:
//   "excluded": ["idle"], "merged": [{"name": "X", "color": "#4e79a7", "of": ["a", "b"]}],
//   "open": ["X"], "selected": ["a"]
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/json.h"

namespace weft::app {

// The names of the folders that gather slices. A merged slice cannot have them.
inline constexpr std::string_view kAggregatedName = "Aggregated";
inline constexpr std::string_view kExcludedName = "Excluded";

struct MergedSlice {
  std::string name;
  uint32_t rgb = 0;
  std::vector<std::string> of;  // names of the slices in it
  bool operator==(const MergedSlice&) const = default;
};

struct SliceChoice {
  std::set<std::string> excluded;
  std::vector<MergedSlice> merged;
  std::set<std::string> open;
  std::set<std::string> selected;
  bool operator==(const SliceChoice&) const = default;
};
// Reads the choices; members of the wrong type are left out.
SliceChoice slice_choice(const Json& options);
Json json_from(const std::vector<MergedSlice>& merged);

}  // namespace weft::app

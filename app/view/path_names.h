// Takes paths of lanes apart. In a path, names are joined by '/', but a name may hold one of its
// own: "irq/16-foo" is one lane, as the lane tree says.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/base/text_hash.h"
#include "core/trace/model.h"

namespace weft::app {

class PathNames {
 public:
  PathNames() = default;  // of lanes without a '/' in their names
  // O(lanes).
  explicit PathNames(const trace::Dictionary& dictionary);

  // The places of each '/' between two names, in a path as printable() gives it. Of several ways to
  // take the path apart, the one whose names are the longest, from the left.
  std::vector<size_t> separators(std::string_view path) const;

 private:
  size_t end_of_name(std::string_view path, size_t begin) const;

  std::unordered_set<std::string, TextHash, std::equal_to<>> with_slash_;  // names, printable
  size_t longest_ = 0;                                                     // of these, in bytes
};

}  // namespace weft::app

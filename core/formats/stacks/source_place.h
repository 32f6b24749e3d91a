// Where a function stands in its source, as the group of its type: functions that have only their
// names in common, or none, are then told apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/numbers.h"

namespace weft::formats::stacks {

// "app.js:10:5"; of a function without a file "line 10, column 5". A number below 0 says, as none
// does, that it is not known; a column means nothing without a line.
inline std::string source_place(std::string_view file, std::optional<int64_t> line,
                                std::optional<int64_t> column) {
  std::string place(file);
  if (line.value_or(-1) < 0) return place;
  place += file.empty() ? "line " : ":";
  append_number(place, *line);
  if (column.value_or(-1) < 0) return place;
  place += file.empty() ? ", column " : ":";
  append_number(place, *column);
  return place;
}

}  // namespace weft::formats::stacks

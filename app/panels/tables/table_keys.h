// Keys in a table (table_view.h): pure functions of rows and numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "app/panels/tables/table_view.h"

namespace weft::app {

inline constexpr std::string_view kMenuKey = "Shift+F10";  // opens the menu of the row
inline constexpr std::string_view kFiltersKey = "Tab";     // goes into the fields below the titles

// The visible rows of a table.
struct SeenRows {
  uint64_t first = 0;
  uint64_t count = 0;  // fully visible ones
};

// The chords that a table with these rows takes; static storage.
std::span<const std::string_view> table_keys(const TableRows& rows, const SeenRows& seen);

struct KeyStep {
  uint64_t row = 0;  // the row to go to, which the other members refer to
  bool opens = false;
  bool folds = false;
  bool copies = false;
  bool has_menu = false;
};
// The step from row `from`, or from the visible rows if it is nullopt. There must be a row.
KeyStep step_by_key(std::string_view key, std::optional<uint64_t> from, const TableRows& rows,
                    const SeenRows& seen);

// The row at the top after scrolling as little as possible to show `row`.
uint64_t top_to_show(uint64_t row, const SeenRows& seen);

}  // namespace weft::app

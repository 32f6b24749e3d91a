// What keys do in a table (table_view.h): pure, of rows and numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "app/panels/tables/table_view.h"

namespace weft::app {

inline constexpr std::string_view kMenuKey = "Shift+F10";  // of the row
inline constexpr std::string_view kFiltersKey = "Tab";     // into the fields below the titles

// What a table shows of its rows.
struct SeenRows {
  uint64_t first = 0;
  uint64_t count = 0;  // whole ones
};

// The chords that a table with such rows takes; they outlive the program.
std::span<const std::string_view> table_keys(const TableRows& rows, const SeenRows& seen);

struct KeyStep {
  uint64_t row = 0;  // where it leads; what else is done is done to this one
  bool opens = false;
  bool folds = false;
  bool copies = false;
  bool has_menu = false;
};
// From this row; nothing: from those seen. There is a row.
KeyStep step_by_key(std::string_view key, std::optional<uint64_t> from, const TableRows& rows,
                    const SeenRows& seen);

// The row at the top after the least scrolling that shows this one.
uint64_t top_to_show(uint64_t row, const SeenRows& seen);

}  // namespace weft::app

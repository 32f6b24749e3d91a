// The cells of a row, without their quotes: views into the row, and copies only of cells that have
// quotes within.
#pragma once

#include <cstddef>
#include <deque>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/decimal_time.h"

namespace weft::formats::csv {

class Cells {
 public:
  // Returns false if a quote stays open: the row continues. The row must last as long as the cells.
  bool split(std::string_view row, char separator, char quote = '"');

  // Whether a line ends a row that a quote before it has left open.
  static bool closes(std::string_view line, char separator, char quote);

  size_t size() const { return cells_.size(); }
  std::string_view operator[](size_t i) const { return cells_[i]; }
  void replace(size_t i, std::string text) { cells_[i] = copy() = std::move(text); }
  // Replaces decimal commas by points.
  void use_points(size_t i);

 private:
  // Takes a cell with quotes, up to its separator; returns false if one stays open.
  bool take_quoted(const char*& at, const char* end, char separator, char quote);
  std::string& copy();

  std::vector<std::string_view> cells_;
  std::deque<std::string> copies_;  // kept for their memory
  size_t copy_count_ = 0;
};

// Cells as people read them: with a sign ("+1.5"), with a unit of their own ("1.5 ms"), and, in
// quotes, with commas between thousands ("1,234,567.5").
std::string_view without_plus(std::string_view cell);

// Returns the unit that stands in the cell of a time; nullopt: none.
std::optional<DecimalUnit> unit_in(std::string_view cell);
// Parses a time, of the unit if the cell has none.
std::expected<DecimalTime, DecimalError> time_in(std::string_view cell, DecimalUnit unit);
// Also what is not finite: "NaN", "inf", "-Infinity".
std::optional<double> number_in(std::string_view cell);

}  // namespace weft::formats::csv

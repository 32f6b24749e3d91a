#include "core/formats/general/csv/csv_cells.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/formats/general/csv/csv_columns.h"

namespace weft::formats::csv {
namespace {

// A cell without the unit behind its number, if there is one.
struct Quantity {
  std::string_view number;
  std::optional<DecimalUnit> unit;

  explicit Quantity(std::string_view cell) : number(cell) {
    const size_t end = cell.find_last_of("0123456789.") + 1;  // 0: no number
    if (end == 0 || end == cell.size()) return;
    unit = unit_named(trimmed(cell.substr(end)));
    if (unit) number = cell.substr(0, end);
  }
};

// The number without the commas between its thousands; nullopt: there are none.
std::optional<std::string> without_commas(std::string_view number) {
  constexpr size_t kGroup = 3;
  const std::string_view whole = number.substr(0, number.find('.'));
  const size_t first = whole.find(',');
  if (first == std::string_view::npos) return std::nullopt;
  std::string_view before = whole.substr(0, first);
  if (before.starts_with('-')) before.remove_prefix(1);
  // Else the comma is a decimal one.
  if (before.empty() || before.size() > kGroup || before.starts_with('0')) return std::nullopt;
  for (std::string_view rest = whole.substr(first); !rest.empty(); rest.remove_prefix(kGroup + 1)) {
    const std::string_view group = rest.substr(1, kGroup);
    const bool is_group = group.size() == kGroup && std::ranges::all_of(group, is_digit);
    if (rest.front() != ',' || !is_group) return std::nullopt;
  }
  std::string plain(number);
  std::erase(plain, ',');
  return plain;
}

}  // namespace

bool Cells::split(std::string_view row, char separator, char quote) {
  cells_.clear();
  copy_count_ = 0;
  const char* at = row.data();
  const char* const end = at + row.size();
  for (;; ++at) {
    const char* const begin = at;
    while (at != end && *at != separator && *at != quote) ++at;
    if (at == end || *at == separator) {
      cells_.emplace_back(begin, static_cast<size_t>(at - begin));
    } else {
      at = begin;
      if (!take_quoted(at, end, separator, quote)) return false;
    }
    if (at == end) return true;
  }
}

bool Cells::take_quoted(const char*& at, const char* end, char separator, char quote) {
  if (*at == quote) {
    const char* const begin = at + 1;
    const auto* const close =
        static_cast<const char*>(std::memchr(begin, quote, static_cast<size_t>(end - begin)));
    if (close != nullptr && (close + 1 == end || close[1] == separator)) {
      cells_.emplace_back(begin, static_cast<size_t>(close - begin));
      at = close + 1;
      return true;
    }
  }
  std::string& cell = copy();
  bool is_open = false;
  for (; at != end && (is_open || *at != separator); ++at) {
    if (*at != quote) {
      const char* const plain = at;
      while (at + 1 != end && at[1] != quote && at[1] != separator) ++at;
      cell.append(plain, at + 1);
    } else if (is_open && at + 1 != end && at[1] == quote) {
      cell += *at++;
    } else if (is_open || cell.empty()) {
      is_open = !is_open;
    } else {
      cell += quote;
    }
  }
  cells_.emplace_back(cell);
  return !is_open;
}

bool Cells::closes(std::string_view line, char separator, char quote) {
  if (!line.contains(quote)) return false;
  bool is_open = true, is_empty = false;  // of the cell
  for (size_t i = 0; i < line.size(); ++i) {
    const bool is_quote = line[i] == quote;
    const bool is_doubled = is_quote && is_open && i + 1 < line.size() && line[i + 1] == quote;
    if (is_doubled) ++i;
    if (is_quote && !is_doubled && (is_open || is_empty)) {
      is_open = !is_open;
    } else {
      is_empty = !is_open && line[i] == separator;
    }
  }
  return !is_open;
}

void Cells::use_points(size_t i) {
  if (!cells_[i].contains(',')) return;
  std::string text(cells_[i]);
  csv::use_points(text);
  replace(i, std::move(text));
}

std::string& Cells::copy() {
  if (copy_count_ == copies_.size()) copies_.emplace_back();
  std::string& text = copies_[copy_count_++];
  text.clear();
  return text;
}

std::string_view without_plus(std::string_view cell) {
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  return cell;
}

std::optional<DecimalUnit> unit_in(std::string_view cell) { return Quantity(cell).unit; }

std::expected<DecimalTime, DecimalError> time_in(std::string_view cell, DecimalUnit unit) {
  cell = without_plus(cell);
  const auto time = parse_decimal_time(cell, unit);
  if (time || time.error() != DecimalError::kNoNumber) return time;
  const Quantity quantity(cell);
  const auto plain = without_commas(quantity.number);
  return parse_decimal_time(plain ? *plain : quantity.number, quantity.unit.value_or(unit));
}

std::optional<double> number_in(std::string_view cell) {
  cell = without_plus(cell);
  if (const auto number = parse_number<double>(cell)) return number;
  if (const auto plain = without_commas(cell)) return parse_number<double>(*plain);
  double value = 0;
  const char* const end = cell.data() + cell.size();
  const bool is_whole = std::from_chars(cell.data(), end, value).ptr == end;
  return is_whole && !std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace weft::formats::csv

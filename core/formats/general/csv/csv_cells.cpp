#include "core/formats/general/csv/csv_cells.h"

#include <cstring>
#include <utility>

#include "core/formats/general/csv/csv_columns.h"

namespace weft::formats::csv {

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

}  // namespace weft::formats::csv

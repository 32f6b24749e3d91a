// Whether a text is a table that has a meaning as a trace.
#include <string_view>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/general/csv/csv_columns.h"
#include "core/formats/general/csv/csv_reader.h"

namespace weft::formats {
namespace {

std::string_view take_line(std::string_view& text) {
  std::string_view line = take_to(text, '\n');
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

int sniff_csv(std::span<const std::byte> head) {
  std::string_view text = as_chars(head);
  if (text.starts_with('{') || text.starts_with("[{")) return 0;  // JSON, which may be one line
  std::string_view line = take_line(text);
  while (csv::is_note(line) && !text.empty()) line = take_line(text);
  const bool is_cut = text.empty() && as_chars(head).ends_with(line);  // names may lack an end
  if (is_cut) return 0;
  const char separator = csv::separator_of(line);
  const auto columns = csv::columns_of(line, separator);
  constexpr int kSure = 58, kLikely = 45, kGuess = 30;
  if (columns.size() > 1 && csv::is_trace(columns)) return kSure;
  line = take_line(text);
  if (csv::is_row_of_units(columns, line, separator)) line = take_line(text);
  while (trimmed(line).empty() && !text.empty()) line = take_line(text);
  if (csv::is_table_of_values(columns, line, separator)) return kLikely;
  return csv::nameless_columns(as_chars(head)).empty() ? 0 : kGuess;
}

}  // namespace weft::formats

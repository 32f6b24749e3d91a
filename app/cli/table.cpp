#include "app/cli/table.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/base/utf8.h"

namespace weft::cli {
namespace {

// Of a column; a longer text, such as the name of a C++ template, pushes the rest of its own
// row aside, and does not tear all the others apart.
constexpr size_t kWidest = 120;

void print_row(Output& output, const std::vector<Table::Column>& columns,
               const std::vector<size_t>& widths, const std::vector<std::string>& cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    const std::string padding(widths[i] - std::min(widths[i], letters_in(cells[i])), ' ');
    if (i > 0) line += "  ";
    line += columns[i].align == Align::kRight ? padding + cells[i] : cells[i] + padding;
  }
  while (line.ends_with(' ')) line.pop_back();
  output.print("{}\n", line);
}

}  // namespace

void Table::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

void Table::print(Output& output) const {
  std::vector<std::string> titles;
  std::vector<size_t> widths;
  for (const Column& column : columns_) {
    titles.push_back(column.title);
    widths.push_back(letters_in(column.title));
  }
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], std::min(kWidest, letters_in(row[i])));
  }
  const bool has_titles = std::ranges::any_of(titles, [](const auto& t) { return !t.empty(); });
  if (has_titles) print_row(output, columns_, widths, titles);
  for (const auto& row : rows_) print_row(output, columns_, widths, row);
}

}  // namespace weft::cli

#include "app/session/sql_answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "core/base/large_vector.h"
#include "core/base/saturating.h"
#include "core/query/sql/sql.h"

namespace weft::app {
namespace {

using query::SqlStatement;

constexpr uint64_t kMostBytes = uint64_t{256} << 20;

Cell cell_of(const SqlStatement& row, int column) {
  switch (row.kind(column)) {
    case SqlStatement::Kind::kNull:
      return {};
    case SqlStatement::Kind::kInteger:
      return row.integer(column);
    case SqlStatement::Kind::kReal:
      return row.real(column);
    default:
      return row.plain_text(column);
  }
}

using ColumnsTaker = std::function<void(size_t statement, std::vector<std::string> columns)>;
using StatementRowTaker = std::function<bool(size_t statement, std::span<const Cell> cells)>;

// Runs all statements, counted from 0. `begin` is told the columns of each that has some, then
// `row` its rows, until it answers false.
Status run_statements(const SqlKey& key, const std::stop_token& stop, const ColumnsTaker& begin,
                      const StatementRowTaker& row) {
  WEFT_TRY_ASSIGN(const auto database, query::SqlDatabase::open(key.trace));
  const std::stop_callback interrupt(stop, [&] { database->interrupt(); });
  size_t at = 0;  // in the query
  for (size_t number = 0; !stop.stop_requested(); ++number) {
    WEFT_TRY_ASSIGN(const auto statement, database->prepare(key.query, at));
    if (!statement) return {};
    if (key.range) {
      statement->bind(":from", key.range->begin.ticks);
      statement->bind(":to", key.range->end.ticks);
    }
    std::vector<std::string> columns;
    columns.reserve(static_cast<size_t>(statement->columns()));
    for (int i = 0; i < statement->columns(); ++i) columns.emplace_back(statement->column_name(i));
    std::vector<Cell> cells(columns.size());
    if (!columns.empty()) begin(number, std::move(columns));
    while (true) {
      WEFT_TRY_ASSIGN(const bool has_row, statement->next());
      if (!has_row) break;
      for (size_t i = 0; i < cells.size(); ++i) cells[i] = cell_of(*statement, static_cast<int>(i));
      if (!row(number, cells)) break;
    }
  }
  return {};
}

std::optional<int> decimals_of(std::span<const std::vector<Cell>> rows, size_t column) {
  constexpr double kMostWhole = 1e15;  // beyond it digits are made up
  constexpr int kMost = 6;
  int most = 0;
  for (const auto& row : rows) {
    const auto* value = std::get_if<double>(&row[column]);
    if (!value) continue;
    const std::string text = fmt::format("{}", *value);
    const bool is_plain = std::abs(*value) < kMostWhole && text.find('e') == std::string::npos;
    if (!is_plain) return std::nullopt;
    const size_t point = text.find('.');
    if (point != std::string::npos)
      most = std::max(most, static_cast<int>(text.size() - point) - 1);
  }
  return std::min(most, kMost);
}

uint64_t bytes_of(const std::vector<Cell>& row) {
  uint64_t bytes = sizeof(row) + row.capacity() * sizeof(Cell);
  for (const Cell& cell : row) {
    if (const auto* text = std::get_if<std::string>(&cell)) bytes += text->capacity();
  }
  return bytes;
}

}  // namespace

uint64_t SqlAnswer::size_bytes() const {
  uint64_t bytes = 0;
  for (const auto& row : rows) bytes += bytes_of(row);
  return bytes;
}

std::optional<size_t> SqlAnswer::column(std::string_view name) const {
  const auto at = std::ranges::find(columns, name);
  if (at == columns.end()) return std::nullopt;
  return static_cast<size_t>(at - columns.begin());
}

std::optional<int64_t> SqlAnswer::integer(uint64_t row, std::string_view name) const {
  const auto at = column(name);
  const auto* value = at ? std::get_if<int64_t>(&rows[row][*at]) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

std::optional<SqlAnswer> answer_sql(const SqlKey& key, const std::stop_token& stop) {
  const uint64_t most_bytes = std::min(kMostBytes, large_arrays_use().most_bytes / 2);
  uint64_t bytes = 0;
  SqlAnswer answer;
  answer.key = key;
  const Status status = run_statements(
      key, stop,
      [&](size_t statement, std::vector<std::string> columns) {
        answer.statement = statement;
        answer.is_number.assign(columns.size(), false);
        answer.columns = std::move(columns);
        answer.rows.clear();
        bytes = 0;
        answer.has_more = false;
      },
      [&](size_t, std::span<const Cell> cells) {
        answer.has_more = answer.rows.size() == key.limit || bytes >= most_bytes;
        if (answer.has_more) return false;
        if (answer.rows.empty()) {
          for (size_t i = 0; i < cells.size(); ++i) {
            answer.is_number[i] = !std::holds_alternative<std::string>(cells[i]);
          }
        }
        bytes += bytes_of(answer.rows.emplace_back(cells.begin(), cells.end()));
        return true;
      });
  if (stop.stop_requested()) return std::nullopt;
  if (!status) answer.error = status.error().message;
  for (size_t i = 0; i < answer.columns.size(); ++i)
    answer.decimals.push_back(decimals_of(answer.rows, i));
  return answer;
}

std::string text_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* value = std::get_if<int64_t>(&cell)) return std::to_string(*value);
  if (const auto* value = std::get_if<double>(&cell)) return fmt::format("{}", *value);
  return {};
}

std::string shown_text(const SqlAnswer& answer, uint64_t row, size_t column,
                       const TimeDisplay& display) {
  const Cell& cell = answer.rows[row][column];
  if (column >= answer.is_duration.size() || !answer.is_duration[column]) {
    const auto* real = std::get_if<double>(&cell);
    const bool is_even = real && column < answer.decimals.size() && answer.decimals[column];
    return is_even ? fmt::format("{:.{}f}", *real, *answer.decimals[column]) : text_of(cell);
  }
  const TimeBase base = answer.key.trace->dictionary().time_base;
  if (const auto* ticks = std::get_if<int64_t>(&cell)) return length_cell(display, {*ticks}, base);
  const auto* ticks = std::get_if<double>(&cell);
  const auto length = ticks ? checked_round(*ticks) : std::nullopt;
  return length ? length_cell(display, {*length}, base) : text_of(cell);
}

Sheet sheet_of(const std::shared_ptr<const SqlAnswer>& answer) {
  if (!answer->has_more) {
    return sheet_of_cells(answer->columns, answer->rows.size(),
                          [answer](uint64_t row, size_t i) { return answer->rows[row][i]; });
  }
  const auto read = [key = answer->key, shown = answer->statement](const RowTaker& row,
                                                                   const std::stop_token& stop) {
    return run_statements(
        key, stop, [](size_t, const auto&) {},
        [&](size_t statement, std::span<const Cell> cells) {
          return statement == shown && row(cells);
        });
  };
  return {answer->columns, std::nullopt, read};
}

}  // namespace weft::app

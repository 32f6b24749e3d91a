#include "app/panels/sql_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "core/base/text.h"
#include "core/query/sql.h"

namespace weft::app {
namespace {

using query::SqlStatement;

Cell cell_of(const SqlStatement& row, int column) {
  switch (row.kind(column)) {
    case SqlStatement::Kind::kNull:
      return {};
    case SqlStatement::Kind::kInteger:
      return row.integer(column);
    case SqlStatement::Kind::kReal:
      return row.real(column);
    case SqlStatement::Kind::kBlob:
      return hexadecimal(std::as_bytes(std::span(row.text(column))));
    case SqlStatement::Kind::kText:
      break;
  }
  return std::string(row.text(column));
}

// Runs all statements. `begin` is told the columns of each that has some, then `row` its rows,
// until it answers false.
Status run_statements(const SqlKey& key, const std::stop_token& stop,
                      const std::function<void(std::vector<std::string> columns)>& begin,
                      const RowTaker& row) {
  WEFT_TRY_ASSIGN(const auto database, query::SqlDatabase::open(key.trace));
  const std::stop_callback interrupt(stop, [&] { database->interrupt(); });
  for (size_t at = 0; !stop.stop_requested();) {
    WEFT_TRY_ASSIGN(const auto statement, database->prepare(key.query, at));
    if (!statement) return {};
    std::vector<std::string> columns;
    columns.reserve(static_cast<size_t>(statement->columns()));
    for (int i = 0; i < statement->columns(); ++i) columns.emplace_back(statement->column_name(i));
    std::vector<Cell> cells(columns.size());
    if (!columns.empty()) begin(std::move(columns));
    while (true) {
      WEFT_TRY_ASSIGN(const bool has_row, statement->next());
      if (!has_row) break;
      for (size_t i = 0; i < cells.size(); ++i) cells[i] = cell_of(*statement, static_cast<int>(i));
      if (!row(cells)) break;
    }
  }
  return {};
}

// Numbers before texts, nothing before both.
bool is_before(const Cell& a, const Cell& b) {
  const auto number = [](const Cell& cell) -> std::optional<double> {
    if (const auto* value = std::get_if<int64_t>(&cell)) return static_cast<double>(*value);
    if (const auto* value = std::get_if<double>(&cell)) return *value;
    return std::nullopt;
  };
  const auto* x = std::get_if<int64_t>(&a);
  const auto* y = std::get_if<int64_t>(&b);
  if (x && y) return *x < *y;
  const auto p = number(a), q = number(b);
  if (p && q) return *p < *q;
  if (a.index() != b.index()) return a.index() < b.index();
  const auto* s = std::get_if<std::string>(&a);
  return s && *s < std::get<std::string>(b);
}

}  // namespace

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
  SqlAnswer answer;
  answer.key = key;
  const Status status = run_statements(
      key, stop,
      [&](std::vector<std::string> columns) {
        answer.is_number.assign(columns.size(), false);
        answer.columns = std::move(columns);
        answer.rows.clear();
        answer.has_more = false;
      },
      [&](std::span<const Cell> cells) {
        answer.has_more = answer.rows.size() == key.limit;
        if (answer.has_more) return false;
        if (answer.rows.empty()) {
          for (size_t i = 0; i < cells.size(); ++i) {
            answer.is_number[i] = !std::holds_alternative<std::string>(cells[i]);
          }
        }
        answer.rows.emplace_back(cells.begin(), cells.end());
        return true;
      });
  if (stop.stop_requested()) return std::nullopt;
  if (!status) answer.error = status.error().message;
  return answer;
}

std::string text_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* value = std::get_if<int64_t>(&cell)) return fmt::to_string(*value);
  if (const auto* value = std::get_if<double>(&cell)) return fmt::format("{}", *value);
  return {};
}

SqlOrder arrange_answer(const SqlOrderKey& key) {
  SqlOrder order{key, {}, {}};
  const SqlAnswer& answer = *key.answer;
  for (size_t i = 0; i < answer.columns.size(); ++i) {
    const float width = answer.is_number[i] ? 110 : 180;
    order.columns.push_back(
        {answer.columns[i], answer.columns[i], width, answer.is_number[i], /*has_filter=*/true});
  }
  const TableFilters filters(key.options, order.columns);
  for (uint32_t row = 0; row < answer.rows.size(); ++row) {
    const auto& cells = answer.rows[row];
    if (filters.take([&](size_t column) { return text_of(cells[column]); })) {
      order.rows.push_back(row);
    }
  }
  const auto by = sort_column(key.options, order.columns);
  if (!by) return order;
  std::ranges::stable_sort(order.rows, [&](uint32_t a, uint32_t b) {
    if (key.options.is_descending) std::swap(a, b);
    return is_before(answer.rows[a][*by], answer.rows[b][*by]);
  });
  return order;
}

Sheet sheet_of(const SqlAnswer& answer) {
  const auto read = [key = answer.key](const RowTaker& row, const std::stop_token& stop) {
    // Its error was told when it was asked first.
    (void)run_statements(key, stop, [](const auto&) {}, row);
  };
  return {answer.columns, answer.has_more ? 0 : answer.rows.size(), read};
}

}  // namespace weft::app

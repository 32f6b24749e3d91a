// The answer of a trace to an SQL query, for a table: its first rows, at most `limit`, and at most
// as many as fit in 256 MiB or in half of the memory for answers (large_vector.h). Worker threads
// only; a stop token ends it, however long SQLite is at it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/base/sheet.h"
#include "app/base/time_display.h"
#include "core/base/time.h"
#include "core/store/trace.h"

namespace weft::app {

struct SqlKey {
  store::TracePtr trace;
  std::string query;  // one statement or several; the rows are those of the last that has columns
  uint64_t limit = 0;
  std::optional<TimeRange> range = {};  // what :from and :to stand for
  bool operator==(const SqlKey&) const = default;
};

struct SqlAnswer {
  SqlKey key;
  std::vector<std::string> columns;
  std::vector<bool> is_number;         // by column: whether its first value is a number
  std::vector<bool> is_duration = {};  // by column: ticks, shown as a duration; or empty
  // By column, how many decimals its reals are shown with: as many as any of them needs, up to six.
  // nullopt: unrounded.
  std::vector<std::optional<int>> decimals = {};
  // By column, titles for people, from a page of statistics. Empty for a user's own query.
  std::vector<std::string> titles = {};
  std::vector<std::vector<Cell>> rows;
  bool has_more = false;  // whether there are more rows than these
  size_t statement = 0;   // that they are of, from 0
  std::string error;

  uint64_t size_bytes() const;  // O(cells)
  std::optional<size_t> column(std::string_view name) const;
  // The value of a cell if the column exists and the cell is an integer; otherwise nullopt.
  std::optional<int64_t> integer(uint64_t row, std::string_view column) const;
};
// nullopt if it was stopped.
std::optional<SqlAnswer> answer_sql(const SqlKey& key, const std::stop_token& stop);

std::string text_of(const Cell& cell);
// The text of a cell as shown to people.
std::string shown_text(const SqlAnswer& answer, uint64_t row, size_t column,
                       const TimeDisplay& display = {});

// All rows of the query, which is run again without a limit where `answer` has not all of them.
Sheet sheet_of(const std::shared_ptr<const SqlAnswer>& answer);

}  // namespace weft::app

// What a trace answers to a query in SQL, for a table: the first rows, as many as are wanted, and
// as fit in 256 MiB, or half of what answers may take (large_vector.h). Work for workers; ended by
// a stop token, however long SQLite is at it.
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
  std::shared_ptr<const store::Trace> trace;
  std::string query;  // one statement or several; the rows are those of the last that has columns
  uint64_t limit = 0;
  std::optional<TimeRange> range = {};  // what :from and :to stand for
  bool operator==(const SqlKey&) const = default;
};

struct SqlAnswer {
  SqlKey key;
  std::vector<std::string> columns;
  std::vector<bool> is_number;         // by column: whether its first value is one
  std::vector<bool> is_duration = {};  // by column: of ticks that read as lengths of time; or empty
  // By column, how many digits behind the point its reals are shown with: as many as any of them
  // needs, up to six. Nothing: as they are.
  std::vector<std::optional<int>> decimals = {};
  // By column, of a page of statistics: it is there to be read. Empty: for those who asked in SQL.
  std::vector<std::string> titles = {};
  std::vector<std::vector<Cell>> rows;
  bool has_more = false;  // than these
  std::string error;

  uint64_t size_bytes() const;  // O(cells)
  std::optional<size_t> column(std::string_view name) const;
  // Of a cell that is there and an integer.
  std::optional<int64_t> integer(uint64_t row, std::string_view column) const;
};
// None where it was told to stop.
std::optional<SqlAnswer> answer_sql(const SqlKey& key, const std::stop_token& stop);

std::string text_of(const Cell& cell);
// As people read it.
std::string shown_text(const SqlAnswer& answer, uint64_t row, size_t column,
                       const TimeDisplay& display = {});

// All rows of the query, which is asked again without a limit; those at hand where no query made
// them.
Sheet sheet_of(const std::shared_ptr<const SqlAnswer>& answer);

}  // namespace weft::app

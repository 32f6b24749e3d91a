// The content of a table for files and the clipboard: exact values, every row, nothing shortened.
//
// A worker reads a sheet long after its panel was drawn, so a sheet owns everything that it reads.
// Times and durations are ticks. Text is as in the trace; the writers below escape it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/base/job.h"
#include "core/base/result.h"

namespace weft::app {

// Empty, a number or a text. NaN (0 / 0) is written as empty.
using Cell = std::variant<std::monostate, int64_t, uint64_t, double, std::string>;

using RowTaker = std::function<bool(std::span<const Cell>)>;

struct Sheet {
  std::vector<std::string> columns;
  std::optional<uint64_t> row_count = 0;  // nullopt: not known before they are read
  // Calls `row` for each row, with a cell for each column, until it returns false or `stop` is
  // requested. Fails if rows are missing.
  std::function<Status(const RowTaker& row, const std::stop_token& stop)> read;
  std::string shortfall = {};  // which rows it does not have, in words; empty: it has all
};

// Makes a sheet from a function that returns single cells.
Sheet sheet_of_cells(std::vector<std::string> columns, uint64_t row_count,
                     std::function<Cell(uint64_t row, size_t column)> cell);

// The sheet without the named columns.
Sheet without_columns(Sheet sheet, std::span<const std::string> columns);

// CSV (RFC 4180 with LF line ends, a line of titles first, control characters made visible), or a
// JSON array with one object per line.
enum class SheetFormat : uint8_t { kCsv, kJson };
std::optional<SheetFormat> sheet_format_from_name(std::string_view name);  // "csv", "json"
SheetFormat sheet_format_of(const std::filesystem::path& file);            // ".json"; else CSV

// Passes the text to `take` piece by piece, as long as that succeeds, and returns the number of
// rows written. Cancelling the job is an error, too.
Result<uint64_t> write_sheet(const Sheet& sheet, SheetFormat format, Job::Progress& progress,
                             const std::function<Status(std::string_view piece)>& take);
// Writes to a file that appears under its name once it is complete.
Result<uint64_t> write_sheet(const Sheet& sheet, SheetFormat format, Job::Progress& progress,
                             const std::filesystem::path& file);
struct SheetText {
  std::string text;
  uint64_t rows = 0;
};
// Writes to a string of at most `most_bytes`: a clipboard is not a place for more.
Result<SheetText> text_of_sheet(const Sheet& sheet, SheetFormat format, Job::Progress& progress,
                                size_t most_bytes);

}  // namespace weft::app

// What a table holds, for files and the clipboard: exact values, every row, nothing shortened.
//
// A sheet is read by a worker, long after its panel was drawn: it owns what it reads. Times and
// durations are ticks. Text is as in the trace; the writers below escape it.
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

// Nothing, a number or a text. A number that is no number (0 / 0) is written as nothing.
using Cell = std::variant<std::monostate, int64_t, uint64_t, double, std::string>;

using RowTaker = std::function<bool(std::span<const Cell>)>;

struct Sheet {
  std::vector<std::string> columns;
  uint64_t row_count = 0;
  // Calls `row` for each, until it returns false; gives up, too, where it is told to stop.
  std::function<void(const RowTaker& row, const std::stop_token& stop)> read;
};

// One whose cells can be had one by one.
Sheet sheet_of_cells(std::vector<std::string> columns, uint64_t row_count,
                     std::function<Cell(uint64_t row, size_t column)> cell);

// The rest of a sheet.
Sheet without_columns(Sheet sheet, std::span<const std::string> columns);

// CSV (RFC 4180, ended by LF, a line of titles above; control characters are made visible), or a
// JSON array with an object a line.
enum class SheetFormat : uint8_t { kCsv, kJson };
std::optional<SheetFormat> sheet_format_from_name(std::string_view name);  // "csv", "json"
SheetFormat sheet_format_of(const std::filesystem::path& file);            // ".json"; else CSV

// Hands the text over in pieces, as long as `take` succeeds; how many rows were written. An error,
// too, where the job was cancelled.
Result<uint64_t> write_sheet(const Sheet& sheet, SheetFormat format, Job::Progress& progress,
                             const std::function<Status(std::string_view piece)>& take);
// Into a file that appears under its name once it is whole.
Result<uint64_t> write_sheet(const Sheet& sheet, SheetFormat format, Job::Progress& progress,
                             const std::filesystem::path& file);
// As a text of at most `most_bytes`: the clipboard is no place for more.
Result<std::string> text_of_sheet(const Sheet& sheet, SheetFormat format, Job::Progress& progress,
                                  size_t most_bytes);

}  // namespace weft::app

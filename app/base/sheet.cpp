#include "app/base/sheet.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/base/json_text.h"
#include "core/base/text.h"
#include "core/io/output_file.h"

namespace weft::app {
namespace {

constexpr size_t kPieceBytes = 256 << 10;
constexpr uint64_t kRowsPerLook = 256;  // between two looks at whether it was cancelled

// A number as both formats have it; nothing where it is none.
std::string number_text(const Cell& cell) {
  if (const auto* value = std::get_if<int64_t>(&cell)) return std::to_string(*value);
  if (const auto* value = std::get_if<uint64_t>(&cell)) return std::to_string(*value);
  if (const auto* value = std::get_if<double>(&cell)) {
    return std::isfinite(*value) ? fmt::format("{}", *value) : std::string();
  }
  return {};
}

void append_csv(std::string& out, std::span<const Cell> cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += ',';
    const auto* text = std::get_if<std::string>(&cells[i]);
    out += text ? csv_cell(*text) : number_text(cells[i]);
  }
  out += '\n';
}

void append_json(std::string& out, std::span<const std::string> names,
                 std::span<const Cell> cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    out += i == 0 ? '{' : ',';
    out += names[i];
    out += ':';
    if (const auto* text = std::get_if<std::string>(&cells[i])) {
      out += json_string(*text);
    } else {
      const std::string number = number_text(cells[i]);
      out += number.empty() ? "null" : number;
    }
  }
  out += '}';
}

}  // namespace

Sheet sheet_of_cells(std::vector<std::string> columns, uint64_t row_count,
                     std::function<Cell(uint64_t row, size_t column)> cell) {
  const size_t width = columns.size();
  const auto read = [width, row_count, cell = std::move(cell)](const RowTaker& row,
                                                               const std::stop_token&) {
    std::vector<Cell> cells(width);
    for (uint64_t i = 0; i < row_count; ++i) {
      for (size_t column = 0; column < width; ++column) cells[column] = cell(i, column);
      if (!row(cells)) break;
    }
    return Status();
  };
  return {std::move(columns), row_count, read};
}

Sheet without_columns(Sheet sheet, std::span<const std::string> columns) {
  std::vector<size_t> kept;
  Sheet rest{{}, sheet.row_count, {}, std::move(sheet.shortfall)};
  for (size_t i = 0; i < sheet.columns.size(); ++i) {
    if (std::ranges::find(columns, sheet.columns[i]) != columns.end()) continue;
    kept.push_back(i);
    rest.columns.push_back(std::move(sheet.columns[i]));
  }
  rest.read = [read = std::move(sheet.read), kept = std::move(kept)](const RowTaker& row,
                                                                     const std::stop_token& stop) {
    std::vector<Cell> cells(kept.size());
    return read(
        [&](std::span<const Cell> all) {
          for (size_t i = 0; i < kept.size(); ++i)
            cells[i] = kept[i] < all.size() ? all[kept[i]] : Cell();
          return row(cells);
        },
        stop);
  };
  return rest;
}

std::optional<SheetFormat> sheet_format_from_name(std::string_view name) {
  if (name == "csv") return SheetFormat::kCsv;
  if (name == "json") return SheetFormat::kJson;
  return std::nullopt;
}

SheetFormat sheet_format_of(const std::filesystem::path& file) {
  return file.extension() == ".json" ? SheetFormat::kJson : SheetFormat::kCsv;
}

Result<uint64_t> write_sheet(const Sheet& sheet, SheetFormat format, Job::Progress& progress,
                             const std::function<Status(std::string_view piece)>& take) {
  const bool is_json = format == SheetFormat::kJson;
  progress.total = sheet.row_count.value_or(0);
  std::string piece;
  std::vector<std::string> names;
  names.reserve(sheet.columns.size());
  for (const std::string& column : sheet.columns) names.push_back(json_string(column));
  if (is_json) {
    piece = "[";
  } else {
    append_csv(piece, std::vector<Cell>(sheet.columns.begin(), sheet.columns.end()));
  }
  Status status;
  uint64_t written = 0;
  Status read = sheet.read(
      [&](std::span<const Cell> all) {
        const std::span<const Cell> cells = all.first(std::min(all.size(), names.size()));
        if (is_json) {
          piece += written == 0 ? "\n" : ",\n";
          append_json(piece, names, cells);
        } else {
          append_csv(piece, cells);
        }
        if (++written % kRowsPerLook == 0) {
          progress.done.store(written, std::memory_order_relaxed);
          if (progress.stop.stop_requested()) status = fail("cancelled");
        }
        if (piece.size() >= kPieceBytes && status) {
          status = take(piece);
          piece.clear();
        }
        return status.has_value();
      },
      progress.stop);
  if (status && progress.stop.stop_requested()) status = fail("cancelled");
  if (status) status = std::move(read);
  if (is_json) piece += written == 0 ? "]\n" : "\n]\n";
  if (status) status = take(piece);
  if (!status) return fail(std::move(status).error());
  return written;
}

Result<uint64_t> write_sheet(const Sheet& sheet, SheetFormat format, Job::Progress& progress,
                             const std::filesystem::path& file) {
  WEFT_TRY_ASSIGN(io::OutputFile out, io::OutputFile::create(file));
  uint64_t size = 0;
  WEFT_TRY_ASSIGN(const uint64_t rows,
                  write_sheet(sheet, format, progress, [&](std::string_view piece) {
                    const uint64_t at = std::exchange(size, size + piece.size());
                    return out.write_at(at, std::as_bytes(std::span(piece)));
                  }));
  WEFT_TRY(out.commit());
  return rows;
}

Result<SheetText> text_of_sheet(const Sheet& sheet, SheetFormat format, Job::Progress& progress,
                                size_t most_bytes) {
  std::string text;
  WEFT_TRY_ASSIGN(const uint64_t rows,
                  write_sheet(sheet, format, progress, [&](std::string_view piece) -> Status {
                    if (text.size() + piece.size() > most_bytes) {
                      return fail(fmt::format("the table is larger than {}: write it to a file",
                                              format_bytes(most_bytes)));
                    }
                    text += piece;
                    return {};
                  }));
  return SheetText{std::move(text), rows};
}

}  // namespace weft::app

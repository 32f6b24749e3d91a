#include "app/panels/tables/table_keys.h"

#include <algorithm>

namespace weft::app {
namespace {

constexpr std::string_view kKeys[] = {"Up",    "Down",   "PageUp", "PageDown",  "Home", "End",
                                      "Enter", "Ctrl+C", kMenuKey, kFiltersKey, "Left", "Right"};
constexpr size_t kFolderKeys = 2;  // the last ones

// The parent of a row: the last row above it that is indented less; itself if there is none.
uint64_t parent_of(const TableRows& rows, uint64_t row) {
  const int level = rows.row(row).level;
  uint64_t above = row;
  while (above > 0 && rows.row(above).level >= level) --above;
  return rows.row(above).level < level ? above : row;
}

}  // namespace

std::span<const std::string_view> table_keys(const TableRows& rows, const SeenRows& seen) {
  const std::span<const std::string_view> all = kKeys;
  const uint64_t end = std::min(rows.count(), seen.first + seen.count);
  for (uint64_t row = seen.first; row < end; ++row) {
    if (rows.row(row).is_open || rows.row(row).level > 0) return all;
  }
  return all.first(all.size() - kFolderKeys);
}

KeyStep step_by_key(std::string_view key, std::optional<uint64_t> from, const TableRows& rows,
                    const SeenRows& seen) {
  const uint64_t last = rows.count() - 1;
  const uint64_t at = std::min(from.value_or(seen.first), last);
  const uint64_t page = std::max<uint64_t>(seen.count, 2) - 1;
  const auto up = [&](uint64_t by) { return at - std::min(by, at); };
  const auto down = [&](uint64_t by) { return at + std::min(by, last - at); };
  if (key == "Up") return {up(1)};
  if (key == "Down") return {from ? down(1) : at};
  if (key == "PageUp") return {up(page)};
  if (key == "PageDown") return {down(page)};
  if (key == "Home") return {0};
  if (key == "End") return {last};
  const std::optional<bool> is_open = rows.row(at).is_open;
  if (key == "Left")
    return is_open == true ? KeyStep{.row = at, .folds = true} : KeyStep{parent_of(rows, at)};
  if (key == "Right")
    return is_open == false ? KeyStep{.row = at, .folds = true} : KeyStep{down(is_open ? 1 : 0)};
  return {
      .row = at, .opens = key == "Enter", .copies = key == "Ctrl+C", .has_menu = key == kMenuKey};
}

uint64_t top_to_show(uint64_t row, const SeenRows& seen) {
  if (row < seen.first) return row;
  const uint64_t end = seen.first + std::max<uint64_t>(seen.count, 1);
  return row < end ? seen.first : row - (end - seen.first) + 1;
}

}  // namespace weft::app

// The orders in which a scan can return its records, so that SQLite need not sort them.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <span>

#include "core/query/sql/sql_event_columns.h"

namespace weft::query {

// By time; or by lane and type, either of them first.
struct SqlScanOrder {
  // By number; or by name, then by number.
  enum class By : uint8_t { kNothing, kNumber, kName };

  bool is_by_time = false;
  By lane = By::kNothing;
  By type = By::kNothing;
  // Records of one lane (by number or name) come together, and within them those of one type;
  // otherwise types come first.
  By lanes_first = By::kNothing;

  // Encodes the order for SQLite to carry from plan to scan; 0: as records lie.
  int bits() const;
  static SqlScanOrder from(int bits);
};

// Returns the order that SQLite wants for `columns`; nullopt if it has to sort. Also covers GROUP
// BY and DISTINCT, which only need equal values to be consecutive: but SQLite relies on the order
// if ORDER BY asks for the same.
std::optional<SqlScanOrder> order_for(const sqlite3_index_info& info,
                                      std::span<const EventColumn> columns);

}  // namespace weft::query

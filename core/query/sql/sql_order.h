// The orders in which a scan can give its records, so that SQLite need not sort them.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <span>

#include "core/query/sql/sql_event_columns.h"

namespace weft::query {

// By time; or by lane and by type, either of them first.
struct ScanOrder {
  // Of numbers; or of names, and of numbers where these are the same.
  enum class By : uint8_t { kNothing, kNumber, kName };

  bool is_by_time = false;
  By lane = By::kNothing;
  By type = By::kNothing;
  // Lanes of one number, or name, come together, and within them types; else types come first.
  By lanes_first = By::kNothing;

  // As SQLite carries it from the plan to the scan; 0: as records lie.
  int bits() const;
  static ScanOrder from(int bits);
};

// That which SQLite asks for of `columns`; nothing where it has to sort. Also for GROUP BY and
// DISTINCT, which ask only that what is equal lies together: SQLite takes it that it is in order
// where ORDER BY says the same.
std::optional<ScanOrder> order_for(const sqlite3_index_info& info,
                                   std::span<const EventColumn> columns);

}  // namespace weft::query

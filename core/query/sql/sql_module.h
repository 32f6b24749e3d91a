// An SQLite virtual table as a class: tables differ in their columns, in how conditions narrow a
// scan, and in their cursor. Running out of memory ends the program, as everywhere here.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/store/trace.h"

namespace weft::query {

class SqlCursor {
 public:
  virtual ~SqlCursor() = default;
  // Begins a scan; `plan` and `values` are what the table's plan() requested.
  virtual void filter(int plan, const char* plan_text, std::span<sqlite3_value* const> values) = 0;
  virtual bool is_at_end() const = 0;
  virtual void next() = 0;
  // Unique among the rows of the table.
  virtual int64_t rowid() const = 0;
  // Returns one value by sqlite3_result_…; NULL if it calls none.
  virtual void column(sqlite3_context* context, int column) const = 0;
};

class SqlTable {
 public:
  virtual ~SqlTable() = default;
  virtual std::string columns() const = 0;  // for CREATE TABLE, without the parentheses
  // Chooses how to scan; see xBestIndex of SQLite.
  virtual void plan(sqlite3_index_info& info) const = 0;
  virtual std::unique_ptr<SqlCursor> open() const = 0;
};

// Registers the table in the database, which takes ownership, under this name.
int add_sql_table(sqlite3* database, const char* name, std::unique_ptr<SqlTable> table);

inline void give_text(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}
template <class Tag, class Int>
void give_id(sqlite3_context* context, StrongId<Tag, Int> id) {
  id.is_none() ? sqlite3_result_null(context)
               : sqlite3_result_int64(context, static_cast<sqlite3_int64>(id.value()));
}

}  // namespace weft::query

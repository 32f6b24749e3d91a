// SQL over a trace: SQLite, with virtual tables that read the store's columns in place. Nothing is
// copied into a database; a scan decodes the blocks it passes, and a condition on time, duration,
// lane, type or depth skips what cannot match.
//
//   events, states, punctuals, links, variables   one row per event (sql_event_table.h)
//   lanes, types, params                          what their ids stand for (sql_dictionary.h)
//
// Beside SQLite's own functions: duration('5ms') and at('+12.5ms' | '40%') in ticks, and
// `text REGEXP pattern` (PCRE2, bounded). docs/sql.md is the users' description.
//
// A database belongs to one thread at a time; interrupt() may be called from any.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"
#include "core/store/trace.h"

struct sqlite3;
struct sqlite3_stmt;

namespace weft::query {

// A prepared statement that steps through its rows.
class SqlStatement {
 public:
  enum class Kind : uint8_t { kNull, kInteger, kReal, kText, kBlob };

  int columns() const;
  std::string_view column_name(int i) const;

  // Sets a named parameter (":from"); no effect if the statement has none of that name.
  void bind(const char* name, int64_t value);

  // Steps to the next row; returns false after the last. Errors are SQLite's.
  Result<bool> next();

  // Describe the current row; text lives until the next step, and is a blob's bytes.
  Kind kind(int column) const;
  int64_t integer(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;
  // As people and files have it, exact: nothing for NULL, hexadecimal digits for a blob.
  std::string plain_text(int column) const;

 private:
  friend class SqlDatabase;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  SqlStatement(sqlite3* database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}
  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class SqlDatabase {
 public:
  static Result<std::unique_ptr<SqlDatabase>> open(store::TracePtr trace);
  ~SqlDatabase();

  // Prepares the statement at byte `at` of `text` and advances `at` past it. Null if only white
  // space and comments remain. Errors name the column (from 1) if SQLite knows it. The statement
  // must not outlive the database.
  Result<std::unique_ptr<SqlStatement>> prepare(const std::string& text, size_t& at);

  // Makes the running statement end soon, with an error.
  void interrupt();

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  explicit SqlDatabase(store::TracePtr trace) : trace_(std::move(trace)) {}

  store::TracePtr trace_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace weft::query

// An SQLite database that a stranger made, opened to be read: what tables it has, and queries.
//
// Nothing is written, views and triggers do not run, the schema is not trusted, sizes are limited.
// Reading forward costs a cache of `memory_bytes`.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/io/source.h"

namespace weft::formats::sqlite {

// "it's" as an identifier and as a text of SQL.
std::string quoted_name(std::string_view name);

class Query {
 public:
  Query(sqlite3* database, sqlite3_stmt* statement) : database_(database), statement_(statement) {}

  int columns() const { return sqlite3_column_count(statement_.get()); }
  std::string_view name(int column) const;
  // Returns false after the last row; an error says what is wrong with the database.
  Result<bool> next();

  int type(int column) const { return sqlite3_column_type(statement_.get(), column); }
  bool is_null(int column) const { return type(column) == SQLITE_NULL; }
  int64_t integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  double real(int column) const { return sqlite3_column_double(statement_.get(), column); }
  // The bytes of a text or blob; valid until the next row.
  std::string_view bytes(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  static Result<Database> open(io::Source& source, uint64_t memory_bytes);

  // Sets a function called from time to time while a query runs; false stops the query.
  void set_watch(std::function<bool()> is_wanted);

  // Tables in order of name, with their columns in their own order.
  const std::map<std::string, std::vector<std::string>, std::less<>>& tables() const {
    return tables_;
  }
  bool has(std::string_view table) const { return tables_.find(table) != tables_.end(); }
  bool has(std::string_view table, std::string_view column) const;

  Result<Query> query(const std::string& sql) const;

  // Cut or damaged: what can be read is.
  bool is_damaged() const { return is_damaged_; }
  // Changes lie in a file beside it that is not read.
  bool has_log() const { return has_log_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };
  Status open_file(const std::string& path);
  Status open_bytes(io::Source& source, uint64_t most_bytes);
  Status protect(uint64_t memory_bytes);
  Status read_tables();

  std::unique_ptr<sqlite3, Close> database_;
  std::map<std::string, std::vector<std::string>, std::less<>> tables_;
  std::unique_ptr<std::function<bool()>> is_wanted_;
  bool is_damaged_ = false, has_log_ = false;
};

}  // namespace weft::formats::sqlite

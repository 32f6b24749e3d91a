#include "core/query/sql/sql_module.h"

namespace weft::query {
namespace {

struct Table : sqlite3_vtab {
  const SqlTable* table = nullptr;
};

struct Cursor : sqlite3_vtab_cursor {
  std::unique_ptr<SqlCursor> cursor;
};

SqlCursor& cursor_of(sqlite3_vtab_cursor* base) { return *static_cast<Cursor*>(base)->cursor; }

int connect(sqlite3* database, void* aux, int, const char* const*, sqlite3_vtab** out, char**) {
  const auto* table = static_cast<const SqlTable*>(aux);
  const int status =
      sqlite3_declare_vtab(database, ("CREATE TABLE t(" + table->columns() + ")").c_str());
  if (status != SQLITE_OK) return status;
  sqlite3_vtab_config(database, SQLITE_VTAB_INNOCUOUS);
  auto* made = new Table();
  made->table = table;
  *out = made;
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* base) {
  delete static_cast<Table*>(base);
  return SQLITE_OK;
}

int best_index(sqlite3_vtab* base, sqlite3_index_info* info) {
  static_cast<Table*>(base)->table->plan(*info);
  return SQLITE_OK;
}

int open(sqlite3_vtab* base, sqlite3_vtab_cursor** out) {
  auto* cursor = new Cursor();
  cursor->cursor = static_cast<Table*>(base)->table->open();
  *out = cursor;
  return SQLITE_OK;
}

int close(sqlite3_vtab_cursor* base) {
  delete static_cast<Cursor*>(base);
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* base, int plan, const char* plan_text, int count,
           sqlite3_value** values) {
  cursor_of(base).filter(plan, plan_text, std::span(values, static_cast<size_t>(count)));
  return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* base) {
  cursor_of(base).next();
  return SQLITE_OK;
}

int is_at_end(sqlite3_vtab_cursor* base) { return cursor_of(base).is_at_end() ? 1 : 0; }

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  cursor_of(base).column(context, column);
  return SQLITE_OK;
}

int rowid(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  *out = cursor_of(base).rowid();
  return SQLITE_OK;
}

// Eponymous and read-only: without xCreate the name is the table.
constexpr sqlite3_module kModule = [] {
  sqlite3_module module{};
  module.xConnect = connect;
  module.xBestIndex = best_index;
  module.xDisconnect = disconnect;
  module.xOpen = open;
  module.xClose = close;
  module.xFilter = filter;
  module.xNext = next;
  module.xEof = is_at_end;
  module.xColumn = column;
  module.xRowid = rowid;
  return module;
}();

}  // namespace

int add_sql_table(sqlite3* database, const char* name, std::unique_ptr<SqlTable> table) {
  return sqlite3_create_module_v2(database, name, &kModule, table.release(),
                                  [](void* aux) { delete static_cast<SqlTable*>(aux); });
}

}  // namespace weft::query

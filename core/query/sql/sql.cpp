#include "core/query/sql/sql.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <algorithm>
#include <span>

#include "core/base/regex.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/base/utf8.h"
#include "core/query/sql/sql_dictionary.h"
#include "core/query/sql/sql_event_table.h"

namespace weft::query {
namespace {

constexpr int kMostText = 32 << 20;  // of one value, of which SQLite makes several copies

std::string_view text_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return {text, text ? static_cast<size_t>(sqlite3_value_bytes(value)) : 0};
}

void give_error(sqlite3_context* context, const Error& error) {
  sqlite3_result_error(context, error.message.c_str(), static_cast<int>(error.message.size()));
}

// `text REGEXP pattern` is regexp(pattern, text).
void regexp(sqlite3_context* context, int, sqlite3_value** values) {
  if (sqlite3_value_type(values[1]) == SQLITE_NULL) return;
  auto* regex = static_cast<Regex*>(sqlite3_get_auxdata(context, 0));
  if (regex == nullptr) {
    auto compiled = Regex::compile(text_of(values[0]));
    if (!compiled) return give_error(context, compiled.error());
    const Regex& once = *compiled;
    sqlite3_result_int(context, once.matches(text_of(values[1])) ? 1 : 0);
    // From now on SQLite keeps it, while the pattern is a constant.
    sqlite3_set_auxdata(context, 0, new Regex(std::move(*compiled)),
                        [](void* kept) { delete static_cast<Regex*>(kept); });
    return;
  }
  sqlite3_result_int(context, regex->matches(text_of(values[1])) ? 1 : 0);
}

const store::Trace& trace_of(sqlite3_context* context) {
  return *static_cast<const store::Trace*>(sqlite3_user_data(context));
}

void duration(sqlite3_context* context, int, sqlite3_value** values) {
  const auto ticks = parse_duration(text_of(values[0]), trace_of(context).dictionary().time_base);
  if (!ticks) return give_error(context, ticks.error());
  sqlite3_result_int64(context, ticks->ticks);
}

void at(sqlite3_context* context, int, sqlite3_value** values) {
  const store::Trace& trace = trace_of(context);
  const auto time = parse_time(text_of(values[0]), trace.range(), trace.dictionary().time_base);
  if (!time) return give_error(context, time.error());
  sqlite3_result_int64(context, time->ticks);
}

// A trace is read, and nothing else: no other files, no settings.
int authorize(void*, int action, const char*, const char*, const char*, const char*) {
  const bool is_forbidden =
      action == SQLITE_ATTACH || action == SQLITE_DETACH || action == SQLITE_PRAGMA;
  return is_forbidden ? SQLITE_DENY : SQLITE_OK;
}

// Where in the user's text, in characters from 1; the line only if there are several.
std::string place_in(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const size_t column = letters_in(before.substr(before.rfind('\n') + 1)) + 1;
  if (!text.contains('\n')) return fmt::format("column {}", column);
  return fmt::format("line {}, column {}", std::ranges::count(before, '\n') + 1, column);
}

// "events, states, …": all tables that there are.
std::string names_of_tables() {
  std::string names;
  for (const EventTableKind& kind : event_table_kinds()) names += std::string(kind.name) + ", ";
  return names + "lanes, types, params";
}

// `begin`: where the statement begins in the user's text.
std::unexpected<Error> sql_error(sqlite3* database, std::string_view text = {}, size_t begin = 0) {
  if (sqlite3_errcode(database) == SQLITE_AUTH)
    return fail("SQL: the trace alone is read: no ATTACH, DETACH, PRAGMA or VACUUM");
  std::string message = fmt::format("SQL: {}", sqlite3_errmsg(database));
  if (message.starts_with("SQL: no such table: ")) message += "; there are " + names_of_tables();
  const int offset = sqlite3_error_offset(database);
  if (offset >= 0)
    message += fmt::format(" ({})", place_in(text, begin + static_cast<size_t>(offset)));
  return fail(std::move(message));
}

int add_function(sqlite3* database, const char* name, int arguments,
                 void (*function)(sqlite3_context*, int, sqlite3_value**),
                 const store::Trace& trace) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  // SQLite hands the trace back as it is; nothing writes through it.
  return sqlite3_create_function_v2(database, name, arguments, kFlags,
                                    const_cast<store::Trace*>(&trace), function, nullptr, nullptr,
                                    nullptr);
}

}  // namespace

void SqlStatement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

int SqlStatement::columns() const { return sqlite3_column_count(statement_.get()); }

std::string_view SqlStatement::column_name(int i) const {
  const char* name = sqlite3_column_name(statement_.get(), i);
  return name ? name : "";
}

void SqlStatement::bind(const char* name, int64_t value) {
  const int place = sqlite3_bind_parameter_index(statement_.get(), name);
  if (place > 0) sqlite3_bind_int64(statement_.get(), place, value);
}

Result<bool> SqlStatement::next() {
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_ROW:
      return true;
    case SQLITE_DONE:
      return false;
    default:
      return sql_error(database_);
  }
}

SqlStatement::Kind SqlStatement::kind(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_INTEGER:
      return Kind::kInteger;
    case SQLITE_FLOAT:
      return Kind::kReal;
    case SQLITE_TEXT:
      return Kind::kText;
    case SQLITE_BLOB:
      return Kind::kBlob;
    default:
      return Kind::kNull;
  }
}

int64_t SqlStatement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}
double SqlStatement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}
std::string_view SqlStatement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return {bytes, bytes ? static_cast<size_t>(size) : 0};
}

std::string SqlStatement::plain_text(int column) const {
  switch (kind(column)) {
    case Kind::kBlob:
      return hexadecimal(std::as_bytes(std::span(text(column))));
    case Kind::kReal:  // whose text by SQLite has 15 digits
      return fmt::format("{}", real(column));
    default:
      return std::string(text(column));
  }
}

void SqlDatabase::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Result<std::unique_ptr<SqlDatabase>> SqlDatabase::open(store::TracePtr trace) {
  std::unique_ptr<SqlDatabase> sql(new SqlDatabase(trace));
  sqlite3* database = nullptr;
  // Its own, without a name: what is made in it goes to a file where it grows.
  const int status = sqlite3_open("", &database);
  sql->database_.reset(database);
  if (status != SQLITE_OK) return fail(fmt::format("SQL: {}", sqlite3_errstr(status)));
  bool is_ready = true;
  for (const EventTableKind& kind : event_table_kinds())
    is_ready &= add_sql_table(database, kind.name, make_sql_event_table(kind, trace)) == 0;
  is_ready &= add_sql_table(database, "lanes", make_sql_lanes(trace)) == 0;
  is_ready &= add_sql_table(database, "types", make_sql_types(trace)) == 0;
  is_ready &= add_sql_table(database, "params", make_sql_params(trace)) == 0;
  is_ready &= add_function(database, "regexp", 2, regexp, *trace) == 0;
  is_ready &= add_function(database, "duration", 1, duration, *trace) == 0;
  is_ready &= add_function(database, "at", 1, at, *trace) == 0;
  if (!is_ready) return sql_error(database);
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kMostText);
  sqlite3_set_authorizer(database, authorize, nullptr);
  return sql;
}

SqlDatabase::~SqlDatabase() = default;

Result<std::unique_ptr<SqlStatement>> SqlDatabase::prepare(const std::string& text, size_t& at) {
  const char* const rest = text.c_str() + at;
  sqlite3_stmt* statement = nullptr;
  const char* tail = nullptr;
  const int status = sqlite3_prepare_v2(database_.get(), rest, -1, &statement, &tail);
  if (status != SQLITE_OK) return sql_error(database_.get(), text, at);
  at += static_cast<size_t>(tail - rest);
  if (statement == nullptr) return nullptr;
  return std::unique_ptr<SqlStatement>(new SqlStatement(database_.get(), statement));
}

void SqlDatabase::interrupt() { sqlite3_interrupt(database_.get()); }

}  // namespace weft::query

#include "core/formats/general/sqlite/database.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>

#include "core/formats/base/whole_input.h"

namespace weft::formats::sqlite {
namespace {

constexpr std::string_view kMagic("SQLite format 3\0", 16);

std::unexpected<Error> failure(sqlite3* database) {
  return fail(fmt::format("cannot be read by SQLite: {}", sqlite3_errmsg(database)));
}

// Whether these bytes lie there as they are: not compressed, not out of a pipe.
bool is_plain_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  char head[kMagic.size()];
  return file.read(head, sizeof head) && std::string_view(head, sizeof head) == kMagic;
}

std::string uri_of(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    const bool is_special = c == '?' || c == '#' || c == '%';
    uri += is_special ? fmt::format("%{:02X}", static_cast<unsigned>(c)) : std::string(1, c);
  }
  return uri + "?immutable=1";
}

}  // namespace

std::string quoted_name(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string_view Query::name(int column) const {
  const char* const name = sqlite3_column_name(statement_.get(), column);
  return name == nullptr ? std::string_view() : std::string_view(name);
}

Result<bool> Query::next() {
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_ROW:
      return true;
    case SQLITE_DONE:
    case SQLITE_INTERRUPT:
      return false;
    default:
      return failure(database_);
  }
}

std::string_view Query::bytes(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (bytes == nullptr || size <= 0) return {};
  return {static_cast<const char*>(bytes), static_cast<size_t>(size)};
}

Result<Database> Database::open(io::Source& source, uint64_t memory_bytes) {
  Database database;
  const std::filesystem::path& path = source.path();
  if (path != "-" && is_plain_file(path)) {
    WEFT_TRY(database.open_file(path.string()));
    std::error_code error;
    const auto log_bytes = std::filesystem::file_size(path.string() + "-wal", error);
    database.has_log_ = !error && log_bytes > 0;
  } else {
    WEFT_TRY(database.open_bytes(source, memory_bytes / 2));
  }
  WEFT_TRY(database.protect(memory_bytes / 4));
  WEFT_TRY(database.read_tables());
  return database;
}

Status Database::open_file(const std::string& path) {
  sqlite3* opened = nullptr;
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(uri_of(path).c_str(), &opened, flags, nullptr);
  database_.reset(opened);
  return code == SQLITE_OK ? Status() : Status(failure(opened));
}

Status Database::open_bytes(io::Source& source, uint64_t most_bytes) {
  std::string bytes;
  const Status read = read_up_to(source, most_bytes, bytes);
  if (!read && bytes.empty()) return read;
  is_damaged_ = !read;
  if (bytes.size() > most_bytes)
    return fail("is a compressed database larger than the memory: decompress it first");
  // One with a log of its own is read without it.
  constexpr size_t kWriteVersion = 18, kReadVersion = 19;
  if (bytes.size() > kReadVersion) bytes[kWriteVersion] = bytes[kReadVersion] = 1;
  sqlite3* opened = nullptr;
  int code =
      sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  database_.reset(opened);
  auto* const copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
  if (code != SQLITE_OK || copy == nullptr) return fail("cannot be held in memory");
  std::ranges::copy(bytes, copy);
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  code = sqlite3_deserialize(opened, "main", copy, size, size,
                             SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY);
  return code == SQLITE_OK ? Status() : Status(failure(opened));
}

Status Database::protect(uint64_t memory_bytes) {
  sqlite3* const database = database_.get();
  constexpr int kMostText = 16 << 20, kMostSql = 1 << 20, kMostColumns = 512, kMostDepth = 100;
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kMostText);
  sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, kMostSql);
  sqlite3_limit(database, SQLITE_LIMIT_COLUMN, kMostColumns);
  sqlite3_limit(database, SQLITE_LIMIT_EXPR_DEPTH, kMostDepth);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  for (const auto& [setting, value] : {std::pair(SQLITE_DBCONFIG_DEFENSIVE, 1),
                                       {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                       {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                       {SQLITE_DBCONFIG_ENABLE_VIEW, 0}}) {
    if (sqlite3_db_config(database, setting, value, nullptr) != SQLITE_OK) return failure(database);
  }
  const std::string settings = fmt::format(
      "PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;"
      "PRAGMA cache_size = -{};",
      std::max<uint64_t>(memory_bytes / 1024, 64));
  sqlite3_exec(database, settings.c_str(), nullptr, nullptr, nullptr);
  return {};
}

Status Database::read_tables() {
  const std::string sql =
      "SELECT m.name, c.name FROM sqlite_schema m LEFT JOIN pragma_table_info(m.name) c "
      "WHERE coalesce(m.type, '') NOT IN ('index', 'trigger', 'view') "
      "AND coalesce(m.sql, '') NOT LIKE 'CREATE VIRTUAL%' "
      "AND coalesce(m.name, '') NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
  auto list = query(sql);
  if (!list) {
    // One that was cut lacks pages that it says to have; whoever may write the schema may read on.
    is_damaged_ = true;
    sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
    sqlite3_exec(database_.get(), "PRAGMA writable_schema = ON", nullptr, nullptr, nullptr);
    list = query(sql);
  }
  if (!list) return std::unexpected(list.error());
  while (true) {
    WEFT_TRY_ASSIGN(const bool is_row, list->next());
    if (!is_row) return {};
    if (list->is_null(1)) return fail("is a database whose list of tables is damaged");
    tables_[std::string(list->bytes(0))].emplace_back(list->bytes(1));
  }
}

bool Database::has(std::string_view table, std::string_view column) const {
  const auto it = tables_.find(table);
  return it != tables_.end() && std::ranges::find(it->second, column) != it->second.end();
}

void Database::set_watch(std::function<bool()> is_wanted) {
  constexpr int kStepsBetweenLooks = 100'000;
  is_wanted_ = std::make_unique<std::function<bool()>>(std::move(is_wanted));
  sqlite3_progress_handler(
      database_.get(), kStepsBetweenLooks,
      [](void* watch) { return (*static_cast<std::function<bool()>*>(watch))() ? 0 : 1; },
      is_wanted_.get());
}

Result<Query> Database::query(const std::string& sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql.c_str(), static_cast<int>(sql.size()),
                                      &statement, nullptr);
  if (code != SQLITE_OK || statement == nullptr) return failure(database_.get());
  return Query(database_.get(), statement);
}

}  // namespace weft::formats::sqlite

#include "core/formats/general/sqlite/sqlite_reader.h"

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/general/sqlite/database.h"
#include "core/formats/general/sqlite/rows.h"
#include "core/formats/general/sqlite/schemas.h"

namespace weft::formats {
namespace {

// For the line that says why nothing was found.
std::string names_of_tables(const sqlite::Database& database) {
  constexpr size_t kMostNames = 8, kMostBytes = 40;
  std::string names;
  size_t count = 0;
  for (const auto& [name, columns] : database.tables()) {
    if (count++ == kMostNames) return names + ", …";
    names += (names.empty() ? "" : ", ") + printable(name, kMostBytes);
  }
  return names.empty() ? "none" : names;
}

// Says how many rows of a table are left out.
void lose_rows(const sqlite::Database& database, const std::string& table, trace::EventSink& sink) {
  auto query = database.query("SELECT count(*) FROM " + sqlite::quoted_name(table));
  if (!query || !query->next().value_or(false)) return;
  if (const int64_t count = query->integer(0); count > 0)
    sink.note(fmt::format("rows of table {}: not read", printable(table, 64)),
              trace::LossPlace::nowhere(), static_cast<uint64_t>(count));
}

}  // namespace

int sniff_sqlite(std::span<const std::byte> head) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  const std::string_view bytes = as_chars(head);
  return bytes.starts_with(kMagic) ? 100 : 0;
}

Status read_sqlite(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(sqlite::Database database, sqlite::Database::open(source, context.memory_bytes));
  const sqlite::Plan plan = sqlite::plan_of(database);
  if (plan.queries.empty())
    return fail(
        fmt::format("is a database without a table that has a time and a lane or a type; "
                    "its tables: {}",
                    names_of_tables(database)));
  sink.set_time_base(plan.base);
  if (!plan.program.empty()) sink.set_metadata("written by", plan.program);
  if (database.is_damaged())
    sink.loss("database that is cut or damaged", trace::LossPlace::nowhere());
  if (database.has_log())
    sink.loss("changes in the log beside it (-wal): not read", trace::LossPlace::nowhere());
  database.set_watch([&sink] { return sink.keep_going(); });
  sqlite::Rows rows(sink, plan.base, context.memory_bytes / 4);
  for (size_t i = 0; i < plan.queries.size(); ++i) {
    const sqlite::TableQuery& table = plan.queries[i];
    auto query = database.query(table.sql);
    if (!query) {
      sink.loss(fmt::format("table {} is laid out in an unknown way", printable(table.table, 64)),
                0);
      continue;
    }
    if (!rows.play(*query, table)) break;
    sink.progress(i + 1, plan.queries.size());
  }
  rows.finish();
  for (const std::string& table : plan.not_read) lose_rows(database, table, sink);
  return {};
}

}  // namespace weft::formats

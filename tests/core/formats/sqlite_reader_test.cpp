// covers FS-62, R7
#include "core/formats/general/sqlite/sqlite_reader.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <zlib.h>

#include <cstdlib>
#include <memory>

#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;

void write_database(const std::filesystem::path& path, const std::string& sql) {
  std::filesystem::remove(path);
  sqlite3* opened = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &opened), SQLITE_OK);
  const std::unique_ptr<sqlite3, decltype(&sqlite3_close)> database(opened, sqlite3_close);
  const std::string all = "PRAGMA page_size = 512; BEGIN;" + sql + "; COMMIT;";
  ASSERT_EQ(sqlite3_exec(opened, all.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(opened);
}

// The sources of the cases are beside them, NAME.sql. WEFT_UPDATE_CASES=1 writes the databases
// anew; their bytes are another's with each version of SQLite, what is read of them is not.
TEST(Sqlite, CasesAreWhatTheirSourcesSay) {
  const ScratchFolder folder;
  for (const auto& path : test::cases_of("sqlite")) {
    std::filesystem::path source = path;
    source.replace_extension(".sql");
    const std::string sql = test::content_of(source);
    if (std::getenv("WEFT_UPDATE_CASES") != nullptr) write_database(path, sql);
    const auto made = folder.path() / "made.sqlite";
    write_database(made, sql);
    EXPECT_EQ(read(made)->text(), read(path)->text()) << path;
  }
}

constexpr const char* kTable =
    "CREATE TABLE events (time INTEGER, lane TEXT, type TEXT);"
    "INSERT INTO events VALUES (1, 'a', 'x'), (2, 'b', 'y')";

TEST(Sqlite, NamesThatUrisWouldChangeAreOpened) {
  const ScratchFolder folder;
  const auto path = folder.path() / "a?b#c%20d.sqlite";
  write_database(path, kTable);
  EXPECT_EQ(read(path)->sink.punctual_events().size(), 2u);
}

// Writes NAME.sqlite.gz beside NAME.sqlite.
std::filesystem::path compressed_from(const std::filesystem::path& path) {
  const std::string bytes = test::content_of(path);
  std::filesystem::path compressed = path;
  compressed += ".gz";
  gzFile file = gzopen(compressed.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  return compressed;
}

TEST(Sqlite, OneThatIsCompressedIsReadInMemory) {
  const ScratchFolder folder;
  const auto path = folder.path() / "t.sqlite";
  write_database(path, std::string("PRAGMA user_version = 1;") + kTable);
  const auto compressed = compressed_from(path);
  EXPECT_EQ(read(compressed)->sink.punctual_events().size(), 2u);
  EXPECT_EQ(read(compressed, {"sqlite", 0, 1024})->error,
            "is a compressed database larger than the memory: decompress it first");
}

TEST(Sqlite, OneThatIsCutIsReadUpToItsEndAlsoIfCompressed) {
  const ScratchFolder folder;
  const auto path = folder.path() / "t.sqlite";
  write_database(path,
                 "CREATE TABLE events (time INTEGER, lane TEXT, type TEXT);"
                 "WITH RECURSIVE n(time) AS (SELECT 1 UNION ALL SELECT time + 1 FROM n LIMIT 2000)"
                 "INSERT INTO events SELECT time, 'a', 'x' FROM n");
  for (const auto& whole : {compressed_from(path), path}) {
    std::filesystem::resize_file(whole, std::filesystem::file_size(whole) * 3 / 4);
    const auto reading = read(whole);
    EXPECT_EQ(reading->error, "") << whole;
    EXPECT_EQ(reading->sink.loss_count("database that is cut or damaged"), 1u) << whole;
    EXPECT_GT(reading->sink.punctual_events().size(), 500u) << whole;
  }
}

TEST(Sqlite, ALogBesideItIsALoss) {
  const ScratchFolder folder;
  const auto path = folder.path() / "t.sqlite";
  write_database(path, kTable);
  folder.write("t.sqlite-wal", "not merged");
  const auto reading = read(path);
  EXPECT_EQ(reading->sink.punctual_events().size(), 2u);
  EXPECT_EQ(reading->sink.loss_count("changes in the log beside it (-wal): not read"), 1u);
}

// Code that a stranger put into the schema: in views, defaults, columns that are computed.
TEST(Sqlite, TheSchemaRunsNoCode) {
  const ScratchFolder folder;
  const auto path = folder.path() / "t.sqlite";
  write_database(path,
                 "CREATE TABLE events (time INTEGER, lane TEXT, type TEXT,"
                 "  note TEXT AS (upper(lane)) VIRTUAL);"
                 "INSERT INTO events VALUES (1, 'a', 'x');"
                 "CREATE VIEW forever AS WITH RECURSIVE n(time) AS"
                 "  (SELECT 1 UNION ALL SELECT time + 1 FROM n) SELECT time, 'a' lane FROM n;"
                 "CREATE TABLE slice (ts INTEGER)");
  const auto reading = read(path);
  EXPECT_EQ(reading->error, "");
  EXPECT_EQ(reading->sink.punctual_events().size(), 1u);
}

}  // namespace
}  // namespace weft::formats

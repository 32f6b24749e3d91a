// SQL over a trace. The tables' bounds are checked against SQLite itself: a copy of a table without
// any of them must give the same answer to the same question.
#include "core/query/sql/sql.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/base/thread_pool.h"
#include "core/query/sql/sql_by_type.h"
#include "core/store/builder.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;
using trace::Category;

using Rows = std::vector<std::vector<std::string>>;

std::string shown(const SqlStatement& row, int column) {
  switch (row.kind(column)) {
    case SqlStatement::Kind::kNull:
      return "null";
    case SqlStatement::Kind::kInteger:
      return std::to_string(row.integer(column));
    case SqlStatement::Kind::kReal:
      return fmt::format("{:g}", row.real(column));
    default:
      return std::string(row.text(column));
  }
}

class Sql {
 public:
  explicit Sql(store::TracePtr trace) {
    auto database = SqlDatabase::open(std::move(trace));
    EXPECT_TRUE(database) << database.error().message;
    database_ = std::move(*database);
  }

  // The rows of the last statement.
  Result<Rows> try_rows(const std::string& text) {
    Rows rows;
    for (size_t at = 0;;) {
      WEFT_TRY_ASSIGN(const auto statement, database_->prepare(text, at));
      if (!statement) return rows;
      rows.clear();
      for (;;) {
        WEFT_TRY_ASSIGN(const bool has_row, statement->next());
        if (!has_row) break;
        auto& row = rows.emplace_back();
        for (int i = 0; i < statement->columns(); ++i) row.push_back(shown(*statement, i));
      }
    }
  }
  Rows rows(const std::string& text) {
    auto rows = try_rows(text);
    EXPECT_TRUE(rows) << text << ": " << rows.error().message;
    return rows ? *rows : Rows();
  }
  std::string error(const std::string& text) {
    auto rows = try_rows(text);
    return rows ? "no error" : rows.error().message;
  }

 private:
  std::unique_ptr<SqlDatabase> database_;
};

// Two lanes, a nested state with parameters, a link that arrives, one that does not and one that
// nobody sent, a sample, an instant with a payload.
store::TracePtr small_trace(const testing_traces::ScratchFolder& folder) {
  ThreadPool pool(1);
  auto builder = store::StoreBuilder::create({folder / "small.weft", "test"}, pool);
  EXPECT_TRUE(builder);
  trace::EventSink& sink = **builder;
  const LaneId app = sink.add_lane({"app", LaneId::none(), trace::LaneKind::kProcess});
  const LaneId main = sink.add_lane({"main", app, trace::LaneKind::kThread});
  const LaneId io = sink.add_lane({"io", app, trace::LaneKind::kThread});
  const EventTypeId work = sink.type(Category::kState, "work", "g");
  const EventTypeId tick = sink.type(Category::kPunctual, "tick");
  const EventTypeId message = sink.type(Category::kLink, "message");
  const EventTypeId load = sink.type(Category::kVariable, "load");
  sink.set_type_color(work, 0x102030);
  const ParamsId params = sink.params(
      R"({"n":1,"at":{"file":"a.c","line":2.5},"ok":true,"all":18446744073709551615})", {});
  const std::byte bytes[] = {std::byte{0xCA}, std::byte{0xFE}};
  const ParamsId payload = sink.params("{}", bytes);
  const ParamsId none = ParamsId::none();
  sink.states({{{{10}, {90}, params, main, work, 0}, {{20}, {30}, none, main, work, 1}}});
  sink.punctuals({{{{15}, payload, io, tick}}});
  sink.links({{{{30}, {70}, none, main, io, message},
               {{40}, {40}, none, main, LaneId::none(), message},
               {{50}, {50}, none, LaneId::none(), io, message}}});
  sink.variables({{{{60}, 2.5, none, app, load}}});
  auto trace = (*builder)->finish();
  EXPECT_TRUE(trace) << trace.error().message;
  return *trace;
}

class SqlTables : public testing::Test {
 protected:
  testing_traces::ScratchFolder folder_;
  Sql sql_{small_trace(folder_)};
};

TEST_F(SqlTables, EventsAreAllOfThemInOrderOfTime) {
  const Rows expected = {
      {"state", "10", "100", "90", "0", "app/main", "work", "null", "null", "null"},
      {"punctual", "15", "null", "null", "null", "app/io", "tick", "null", "null", "null"},
      {"state", "20", "50", "30", "1", "app/main", "work", "null", "null", "null"},
      {"link", "30", "null", "null", "null", "app/main", "message", "null", "app/io", "70"},
      {"link", "40", "null", "null", "null", "app/main", "message", "null", "null", "null"},
      {"link", "50", "null", "null", "null", "app/io", "message", "null", "app/io", "50"},
      {"variable", "60", "null", "null", "null", "app", "load", "2.5", "null", "null"},
  };
  EXPECT_EQ(sql_.rows("SELECT category, time, end, dur, depth, lane, type, value, target, "
                      "target_time FROM events ORDER BY time"),
            expected);
}

TEST_F(SqlTables, EventsSayTheirCpuWhereItIsKnown) {
  ThreadPool pool(1);
  auto builder = store::StoreBuilder::create({folder_ / "cpus.weft", "test"}, pool);
  trace::EventSink& sink = **builder;
  const LaneId cpu = sink.add_lane({"CPU 3", LaneId::none(), trace::LaneKind::kCpu, 0});
  const LaneId task = sink.add_lane({"task", LaneId::none(), trace::LaneKind::kThread, 0});
  const EventTypeId work = sink.type(Category::kState, "work");
  const EventTypeId tick = sink.type(Category::kPunctual, "tick");
  sink.states({{{{10}, {5}, ParamsId::none(), cpu, work, 0}}});
  sink.punctuals(
      {{{{20}, sink.params(R"({"cpu":1})"), task, tick}, {{30}, ParamsId::none(), task, tick}}});
  auto trace = (*builder)->finish();
  ASSERT_TRUE(trace);
  Sql sql(*trace);
  EXPECT_EQ(sql.rows("SELECT cpu FROM events ORDER BY time"), (Rows{{"3"}, {"1"}, {"null"}}));
  EXPECT_EQ(sql.rows("SELECT time FROM punctuals WHERE cpu = 1"), (Rows{{"20"}}));
  EXPECT_EQ(sql.rows("SELECT count(cpu) FROM states"), (Rows{{"1"}}));
}

TEST_F(SqlTables, LinksShowBothEndsAndWhatIsMissing) {
  const Rows expected = {{"null", "50", "null", "null", "app/io"},
                         {"30", "70", "40", "app/main", "app/io"},
                         {"40", "null", "null", "app/main", "null"}};
  EXPECT_EQ(sql_.rows("SELECT send, receive, latency, source, target FROM links ORDER BY send"),
            expected);
}

TEST_F(SqlTables, LanesTypesAndParametersJoin) {
  EXPECT_EQ(sql_.rows("SELECT path, kind, parent_id FROM lanes WHERE id = 2"),
            (Rows{{"app/io", "thread", "0"}}));
  EXPECT_EQ(sql_.rows("SELECT name, type_group, category, color FROM types ORDER BY id LIMIT 2"),
            (Rows{{"work", "g", "state", "#102030"}, {"tick", "", "punctual", "null"}}));
  const Rows params = {
      {"n", "1"}, {"at.file", "a.c"}, {"at.line", "2.5"}, {"ok", "1"}, {"all", "1.84467e+19"}};
  EXPECT_EQ(sql_.rows("SELECT name, value FROM params"), params);
  EXPECT_EQ(sql_.rows("SELECT p.name, p.value FROM states s JOIN params p ON p.id = s.params_id"),
            params);
  EXPECT_EQ(sql_.rows("SELECT params ->> '$.at.file' FROM states WHERE depth = 0"),
            (Rows{{"a.c"}}));
  EXPECT_EQ(sql_.rows("SELECT hex(payload) FROM punctuals"), (Rows{{"CAFE"}}));
}

TEST_F(SqlTables, FunctionsOfTimeAndRegularExpressions) {
  EXPECT_EQ(sql_.rows("SELECT duration('1us'), at('+5'), at('100%')"),
            (Rows{{"1000", "15", "100"}}));
  EXPECT_EQ(sql_.rows("SELECT type FROM events WHERE type REGEXP '^t.ck$'"), (Rows{{"tick"}}));
  EXPECT_NE(sql_.error("SELECT 'x' REGEXP '('"), "no error");
  EXPECT_NE(sql_.error("SELECT duration('soon')"), "no error");
}

TEST_F(SqlTables, ErrorsSayWhereAndNothingElseIsReached) {
  EXPECT_EQ(sql_.error("SELECT 1; SELEC 2"), "SQL: near \"SELEC\": syntax error (column 11)");
  EXPECT_EQ(sql_.error("SELECT nope FROM states"), "SQL: no such column: nope (column 8)");
  EXPECT_EQ(sql_.error("DELETE FROM states"), "SQL: table states may not be modified");
  for (const char* text : {"ATTACH 'x.db' AS x", "PRAGMA table_list"}) {
    EXPECT_EQ(sql_.error(text),
              "SQL: the trace alone is read: no ATTACH, DETACH, PRAGMA or VACUUM");
  }
  EXPECT_EQ(sql_.error("SELECT * FROM spans"),
            "SQL: no such table: spans; there are events, states, punctuals, links, variables, "
            "lanes, types, params");
  EXPECT_EQ(sql_.error("SELECT 'ä',\n  nope\nFROM states"),
            "SQL: no such column: nope (line 2, column 3)");
  EXPECT_EQ(sql_.error("SELECT 'ä', nope FROM states"), "SQL: no such column: nope (column 13)");
}

TEST_F(SqlTables, AConditionJoinedByOrSeesEveryRowOnce) {
  EXPECT_EQ(sql_.rows("SELECT count(*) FROM states WHERE begin = 10 OR dur = 30 OR begin = 20"),
            (Rows{{"2"}}));
}

TEST(SqlInterrupt, EndsWhatRuns) {
  const testing_traces::ScratchFolder folder;
  auto database = SqlDatabase::open(small_trace(folder));
  ASSERT_TRUE(database);
  size_t at = 0;
  auto statement = (*database)->prepare(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n", at);
  ASSERT_TRUE(statement);
  ASSERT_TRUE((*statement)->next());
  (*database)->interrupt();
  EXPECT_EQ((*statement)->next().error().message, "SQL: interrupted");
}

TEST(SqlText, HoldsNumbersExactly) {
  const testing_traces::ScratchFolder folder;
  auto database = SqlDatabase::open(small_trace(folder));
  ASSERT_TRUE(database);
  size_t at = 0;
  auto statement =
      (*database)->prepare("SELECT 9007199254740991e0, 123456789.12345679, 5e-324, -0.5, 7", at);
  ASSERT_TRUE(statement);
  ASSERT_TRUE((*statement)->next());
  std::vector<std::string> texts;
  for (int i = 0; i < (*statement)->columns(); ++i) texts.push_back((*statement)->plain_text(i));
  EXPECT_EQ(texts, (std::vector<std::string>{"9007199254740991", "123456789.12345679", "5e-324",
                                             "-0.5", "7"}));
}

// A condition on one column of a table, with constants from the trace and beside it.
std::string random_condition(std::mt19937_64& random, const std::vector<std::string>& columns,
                             int64_t span) {
  const std::string& column = columns[random() % columns.size()];
  const bool is_text = column == "lane" || column == "type" || column == "source";
  constexpr const char* kComparisons[] = {"=", "<", "<=", ">", ">=", "<>"};
  const char* comparison = kComparisons[is_text ? (random() % 2) * 5 : random() % 6];
  const auto below = [&](int64_t n) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(n));
  };
  if (column == "lane" || column == "source") {
    return fmt::format("{} {} 'lane {}'", column, comparison, below(6));
  }
  if (column == "type") return fmt::format("type {} 'type {}'", comparison, below(8));
  const bool is_small = column.ends_with("_id") || column == "depth";
  const int64_t value = is_small ? below(7) : column == "dur" ? below(200) : below(span);
  switch (random() % 4) {
    case 0:
      return fmt::format("{} {} {}.5", column, comparison, value);
    case 1:
      return fmt::format("{} BETWEEN {} AND {}", column, value, value + span / 8);
    default:
      return fmt::format("{} {} {}", column, comparison, value);
  }
}

TEST(SqlBounds, GiveWhatSqliteFindsInACopyWithoutThem) {
  std::mt19937_64 random(5);
  const struct {
    const char* table;
    const char* time;
    std::vector<std::string> columns;
  } kTables[] = {
      {"states", "begin", {"begin", "end", "dur", "depth", "lane", "lane_id", "type", "type_id"}},
      {"links", "send", {"send", "receive", "source", "source_id", "target_id", "type"}},
      {"variables", "time", {"time", "lane", "type_id", "value"}},
      {"events", "time", {"time", "end", "dur", "depth", "lane", "type", "target_time"}},
  };
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    const testing_traces::ScratchFolder folder;
    Events events = random_events(seed, 5, 2000);
    for (size_t i = 0; i < events.links.size(); ++i) {
      if (i % 3 == 0) events.links[i].target = LaneId::none();
      if (i % 3 == 1) events.links[i].source = LaneId::none();
    }
    const auto trace = build(events, folder / "t.weft");
    Sql sql(trace);
    for (const auto& [table, time, columns] : kTables) {
      const Rows count = sql.rows(fmt::format(
          "CREATE TABLE copy_of_{0} AS SELECT * FROM {0}; SELECT count(*) FROM copy_of_{0}",
          table));
      const std::string name = table;
      const auto wanted = name == "states"      ? trace->counts()[Category::kState]
                          : name == "links"     ? trace->counts()[Category::kLink]
                          : name == "variables" ? trace->counts()[Category::kVariable]
                                                : trace->counts().total();
      EXPECT_EQ(count, (Rows{{std::to_string(wanted)}})) << table;
      for (int i = 0; i < 60; ++i) {
        std::string where = random_condition(random, columns, trace->range().length().ticks);
        for (int more = 0; more < 3 && random() % 2 == 0; ++more) {
          where += (random() % 4 == 0 ? " OR " : " AND ") +
                   random_condition(random, columns, trace->range().length().ticks);
        }
        const auto ask = [&](const char* prefix) {
          return sql.rows(fmt::format("SELECT {}, * FROM {}{} WHERE {} ORDER BY {}", time, prefix,
                                      table, where, time));
        };
        Rows found = ask("");
        Rows copied = ask("copy_of_");
        // Ties may come in any order; the order of times is the same.
        for (size_t row = 0; row < std::min(found.size(), copied.size()); ++row) {
          ASSERT_EQ(found[row][0], copied[row][0]) << table << " WHERE " << where;
        }
        std::ranges::sort(found);
        std::ranges::sort(copied);
        ASSERT_EQ(found, copied) << table << " WHERE " << where;
      }
    }
  }
}

// Whatever the scan gives together, and SQLite does not sort.
TEST(SqlBounds, GroupsAreWhole) {
  const testing_traces::ScratchFolder folder;
  Events events = random_events(4, 5, 2000);
  for (size_t i = 0; i < events.links.size(); i += 3) events.links[i].source = LaneId::none();
  Sql sql(build(events, folder / "t.weft"));
  (void)sql.rows("CREATE TABLE copy_of_states AS SELECT * FROM states");
  (void)sql.rows("CREATE TABLE copy_of_events AS SELECT * FROM events");
  for (const char* table : {"states", "events"}) {
    for (const char* by :
         {"lane_id", "lane", "type_id", "type", "lane_id, lane", "type_id, type", "lane, type",
          "type, lane_id", "lane_id, type_id", "type_id, lane, lane_id", "lane, lane_id, type",
          "lane, type, lane_id", "type, lane, type_id", "type, type_id, lane", "type, depth"}) {
      for (const char* where : {"1", "dur > 40", "type_id > 1 AND lane_id < 4", "0"}) {
        const auto ask = [&](const char* prefix, const char* query) {
          return sql.rows(fmt::format(fmt::runtime(query), by, prefix, table, where));
        };
        for (const char* query :
             {"SELECT {0}, count(*), sum(dur) FROM {1}{2} WHERE {3} GROUP BY {0} ORDER BY {0}",
              "SELECT {0}, count(*) FROM {1}{2} WHERE {3} GROUP BY {0} ORDER BY {0} DESC",
              "SELECT count(*), sum(n * n) FROM "
              "(SELECT count(*) AS n FROM {1}{2} WHERE {3} GROUP BY {0})",
              "SELECT count(*) FROM (SELECT DISTINCT {0} FROM {1}{2} WHERE {3})",
              "SELECT {0} FROM {1}{2} WHERE {3} ORDER BY {0}",
              "SELECT DISTINCT {0} FROM {1}{2} WHERE {3} ORDER BY {0} DESC"})
          EXPECT_EQ(ask("", query), ask("copy_of_", query)) << table << " " << by << " " << where;
      }
    }
  }
}

// Types of one name: a state and an event; and lanes of one name.
TEST(SqlBounds, GroupsByNameHoldAllOfIt) {
  const testing_traces::ScratchFolder folder;
  ThreadPool pool(1);
  auto builder = store::StoreBuilder::create({folder / "t.weft", "test"}, pool);
  ASSERT_TRUE(builder);
  trace::EventSink& sink = **builder;
  const LaneId lane = sink.add_lane({"lane", LaneId::none(), trace::LaneKind::kThread});
  const LaneId other = sink.add_lane({"lane", LaneId::none(), trace::LaneKind::kThread});
  const EventTypeId work = sink.type(Category::kState, "work");
  const EventTypeId rest = sink.type(Category::kPunctual, "rest");
  const EventTypeId begun = sink.type(Category::kPunctual, "work");
  const ParamsId none = ParamsId::none();
  sink.states({{{{10}, {5}, none, lane, work, 0}}});
  sink.punctuals(
      {{{{20}, none, lane, begun}, {{21}, none, other, rest}, {{22}, none, other, begun}}});
  Sql sql((*builder)->finish().value());
  EXPECT_EQ(sql.rows("SELECT type, count(*) FROM events GROUP BY type"),
            (Rows{{"rest", "1"}, {"work", "3"}}));
  EXPECT_EQ(sql.rows("SELECT type_id, count(*) FROM events GROUP BY type_id").size(), 3u);
  EXPECT_EQ(sql.rows("SELECT lane, type, count(*) FROM events GROUP BY lane, type"),
            (Rows{{"lane", "rest", "1"}, {"lane", "work", "3"}}));
  EXPECT_EQ(sql.rows("SELECT lane_id, type, count(*) FROM events GROUP BY lane, lane_id, type"),
            (Rows{{"0", "work", "2"}, {"1", "rest", "1"}, {"1", "work", "1"}}));
  EXPECT_EQ(sql.rows("SELECT type, lane_id, type_id FROM events ORDER BY type, lane_id, type_id"),
            (Rows{{"rest", "1", "1"}, {"work", "0", "0"}, {"work", "0", "2"}, {"work", "1", "2"}}));
}

// However few of them fit into memory: types together, or one that does not fit, in pieces.
TEST(SqlBounds, RecordsByTypeAreAllOfThemWhateverTheMemory) {
  const testing_traces::ScratchFolder folder;
  const auto trace = build(random_events(7, 4, 1500), folder / "t.weft");
  std::vector<ScannedPart> parts;
  std::vector<uint64_t> expected;  // their ids, by type
  uint64_t first_id = 0;
  std::map<uint32_t, std::vector<uint64_t>> of_type;
  for (const store::Row& row : trace->rows()) {
    for (const store::RowPart& part : row.parts) {
      parts.push_back({&row, &part, first_id});
      for (uint64_t i = 0; i < part.count(); ++i)
        of_type[part.record(i).type.value()].push_back(first_id + i);
      first_id += part.count();
    }
  }
  for (const auto& [type, ids] : of_type) expected.insert(expected.end(), ids.begin(), ids.end());
  const ScanBounds bounds;
  const std::vector<uint32_t> places = type_places(trace->dictionary(), false);
  for (const size_t most : {size_t{1}, size_t{10}, size_t{700}, RecordsByType::kMost}) {
    RecordsByType records(
        parts, bounds, places, [&](PartScan& scan) { scan.settle(bounds); }, most);
    std::vector<uint64_t> found;
    for (; !records.is_at_end(); records.next()) found.push_back(records.id());
    EXPECT_EQ(found, expected) << most;
  }
}

TEST(SqlBounds, StatesAreThoseOfAPlainLoop) {
  const testing_traces::ScratchFolder folder;
  const auto trace = build(random_events(9, 4, 3000), folder / "t.weft");
  Rows expected;
  for (const FlatEvent& event : flat_events(*trace)) {
    if (event.row->kind != store::RowKind::kState) continue;
    expected.push_back({std::to_string(event.record.begin.ticks),
                        std::to_string(event.record.duration.ticks),
                        std::to_string(event.row->depth), std::to_string(event.row->lane.value()),
                        std::to_string(event.record.type.value())});
  }
  Rows found = Sql(trace).rows("SELECT begin, dur, depth, lane_id, type_id FROM states");
  std::ranges::sort(expected);
  std::ranges::sort(found);
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace weft::query

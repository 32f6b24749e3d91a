// The SQL panel's answers: typed, cut at a limit and whole in a file. covers B-30
#include "app/panels/tables/answer_table.h"

#include <gtest/gtest.h>

#include "app/session/html_report.h"
#include "core/base/large_vector.h"
#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

class SqlAnswers : public ::testing::Test {
 protected:
  SqlAnswers() : trace_(testing::opened(testing::write_sample(folder_.path()))) {}
  SqlAnswer ask(const std::string& query, uint64_t limit = 100'000) const {
    return answer_sql({trace_, query, limit}, {}).value();
  }

  testing::ScratchFolder folder_;
  store::TracePtr trace_;
};

TEST_F(SqlAnswers, HoldWhatTheTraceHolds) {
  const SqlAnswer answer = ask("SELECT begin, dur, type, lane_id, type_id FROM states");
  EXPECT_TRUE(answer.error.empty());
  EXPECT_EQ(answer.rows.size(), trace_->counts()[trace::Category::kState]);
  EXPECT_EQ(answer.columns.size(), 5u);
  EXPECT_EQ(answer.is_number, (std::vector<bool>{true, true, false, true, true}));
  EXPECT_EQ(answer.integer(0, "begin"), std::get<int64_t>(answer.rows[0][0]));
  EXPECT_EQ(answer.integer(0, "type"), std::nullopt);
  EXPECT_EQ(answer.integer(0, "no column"), std::nullopt);
}

TEST_F(SqlAnswers, EndAtTheLimitAndSaySo) {
  const auto all = ask("SELECT * FROM events").rows.size();
  const SqlAnswer some = ask("SELECT * FROM events", all - 1);
  EXPECT_EQ(some.rows.size(), all - 1);
  EXPECT_TRUE(some.has_more);
  EXPECT_FALSE(ask("SELECT * FROM events", all).has_more);
  // The file has all of them.
  uint64_t written = 0;
  sheet_of(std::make_shared<const SqlAnswer>(some))
      .read([&](std::span<const Cell>) { return ++written > 0; }, {});
  EXPECT_EQ(written, all);
}

// covers B-20
TEST_F(SqlAnswers, EndWhereTheyFillWhatAnswersMayTake) {
  const uint64_t all = ask("SELECT * FROM events").rows.size();
  limit_large_arrays(64 << 10, {});
  const SqlAnswer some = ask("SELECT * FROM events");
  limit_large_arrays(kNoLimit, {});
  EXPECT_LT(some.rows.size(), all);
  EXPECT_GT(some.rows.size(), 0u);
  EXPECT_LT(some.size_bytes(), 64u << 10);
  EXPECT_TRUE(some.has_more);
  EXPECT_TRUE(ask("SELECT group_concat(hex(zeroblob(1000000))) FROM events").error.contains("big"));
}

TEST_F(SqlAnswers, AreThoseOfTheLastStatementWithRows) {
  const SqlAnswer answer =
      ask("SELECT 1; CREATE TABLE t (x); INSERT INTO t VALUES (7), (8); SELECT x FROM t");
  EXPECT_TRUE(answer.error.empty()) << answer.error;
  EXPECT_EQ(answer.columns, std::vector<std::string>{"x"});
  EXPECT_EQ(answer.rows.size(), 2u);
}

TEST_F(SqlAnswers, AreWrittenOfTheLastStatementWithRowsAlone) {
  const auto answer = std::make_shared<const SqlAnswer>(
      ask("SELECT 1 AS x, 2 AS y, 'z' AS z; SELECT 4 AS b UNION ALL SELECT 5", 1));
  ASSERT_TRUE(answer->has_more);
  Job::Progress progress;
  const auto json = text_of_sheet(sheet_of(answer), SheetFormat::kJson, progress, 1'000);
  ASSERT_TRUE(json);
  EXPECT_EQ(json->text, "[\n{\"b\":4},\n{\"b\":5}\n]\n");
  EXPECT_EQ(json->rows, 2u);
  EXPECT_EQ(sheet_of(answer).row_count, std::nullopt);
}

TEST_F(SqlAnswers, AreNotWrittenInPart) {
  SqlAnswer answer = ask("SELECT 1 AS x UNION ALL SELECT 2", 1);
  answer.key.query = "SELECT x FROM nowhere";
  Job::Progress progress;
  const auto text = text_of_sheet(sheet_of(std::make_shared<const SqlAnswer>(answer)),
                                  SheetFormat::kCsv, progress, 1'000);
  ASSERT_FALSE(text);
  EXPECT_TRUE(text.error().message.contains("nowhere")) << text.error().message;
}

TEST_F(SqlAnswers, AreWrittenAsTheyAreFilteredAndSorted) {
  const auto answer = std::make_shared<const SqlAnswer>(
      ask("SELECT 5 AS n, 'a' AS t UNION ALL SELECT 6, 'b' UNION ALL SELECT 7, 'a'", 2));
  const auto written = [&](const Json& options) {
    Job::Progress progress;
    const auto order =
        std::make_shared<const SqlOrder>(arrange_answer({answer, table_options(options)}));
    return text_of_sheet(sheet_of(order), SheetFormat::kCsv, progress, 1'000)->text;
  };
  EXPECT_EQ(written(Json::object()), "n,t\n5,a\n6,b\n7,a\n");
  EXPECT_EQ(written({{"sort", "-n"}}), "n,t\n6,b\n5,a\n");
  EXPECT_EQ(written({{"filters", {{"t", "b"}}}}), "n,t\n6,b\n");
}

TEST_F(SqlAnswers, SayInAReportThatThereAreMoreRows) {
  const auto report_of = [&](uint64_t limit) {
    const auto answer = std::make_shared<const SqlAnswer>(
        ask("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 1001) "
            "SELECT x FROM c",
            limit));
    SessionReport report;
    report.items.push_back({.id = 1,
                            .title = "SQL",
                            .note = {},
                            .context = {},
                            .picture = {},
                            .table = sheet_of(answer)});
    Job::Progress progress;
    return html_of(report, progress);
  };
  const std::string cut = report_of(10), whole = report_of(2'000);
  EXPECT_TRUE(cut.contains("<summary>more than 1,000 rows</summary>")) << cut;
  EXPECT_TRUE(cut.contains("The first 1,000 of more than 1,000 rows."));
  EXPECT_TRUE(whole.contains("<summary>1,001 rows</summary>"));
  EXPECT_TRUE(whole.contains("The first 1,000 of 1,001 rows."));
}

TEST_F(SqlAnswers, TellWhatIsWrong) {
  const SqlAnswer answer = ask("SELECT x FROM nowhere");
  EXPECT_NE(answer.error.find("nowhere"), std::string::npos) << answer.error;
}

TEST_F(SqlAnswers, EndWhereTheyAreToldTo) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(answer_sql({trace_, "SELECT 1", 1}, stop.get_token()));
}

TEST_F(SqlAnswers, ShowRealsOfAColumnWithAsManyDigits) {
  const auto shown = [&](const char* query) {
    const SqlAnswer answer = ask(query);
    std::vector<std::string> texts;
    for (uint64_t row = 0; row < answer.rows.size(); ++row)
      texts.push_back(shown_text(answer, row, 0));
    return texts;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(shown("SELECT 7.5 AS x UNION ALL SELECT 0.25 UNION ALL SELECT -3.0"),
            (Texts{"7.50", "0.25", "-3.00"}));
  EXPECT_EQ(shown("SELECT 7.0 UNION ALL SELECT 12.0"), (Texts{"7", "12"}));
  EXPECT_EQ(shown("SELECT 1.0 / 3 UNION ALL SELECT 7"), (Texts{"0.333333", "7"}));
  // Small and large ones stay what they are.
  EXPECT_EQ(shown("SELECT 1e-9 AS x UNION ALL SELECT 7.25"), (Texts{"1e-09", "7.25"}));
}

// A time of a clock that counts from 1970 has nineteen digits.
TEST_F(SqlAnswers, HaveColumnsThatHoldTheirNumbers) {
  const auto answer = std::make_shared<const SqlAnswer>(
      ask("SELECT 7 AS few, 1711851992500000000 AS many, printf('%.*c', 9000, 'x') AS text"));
  const SqlOrder order = arrange_answer({answer, table_options(Json::object())});
  ASSERT_EQ(order.columns.size(), 3u);
  EXPECT_LE(order.columns[0].width_px, 120);
  EXPECT_GE(order.columns[1].width_px, 19 * 8.3F);
  EXPECT_LE(order.columns[1].width_px, 220);
  EXPECT_LE(order.columns[2].width_px, 300);
}

TEST_F(SqlAnswers, AreSortedAndFiltered) {
  const auto answer = std::make_shared<const SqlAnswer>(
      ask("SELECT NULL AS x UNION ALL SELECT 10 UNION ALL SELECT 9 UNION ALL SELECT 'text'"));
  const auto rows = [&](const Json& options) {
    std::vector<std::string> texts;
    for (const uint32_t row : arrange_answer({answer, table_options(options)}).rows) {
      texts.push_back(text_of(answer->rows[row][0]));
    }
    return texts;
  };
  EXPECT_EQ(rows({{"sort", "x"}}), (std::vector<std::string>{"", "9", "10", "text"}));
  EXPECT_EQ(rows({{"sort", "-x"}}), (std::vector<std::string>{"text", "10", "9", ""}));
  EXPECT_EQ(rows({{"filters", {{"x", "^\\d"}}}}), (std::vector<std::string>{"10", "9"}));
}

}  // namespace
}  // namespace weft::app

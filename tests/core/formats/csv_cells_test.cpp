#include "core/formats/general/csv/csv_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/core/formats/case_folder.h"

namespace weft::formats::csv {
namespace {

// The cells of a row, sign by sign; returns false if a quote stays open.
bool split_by_sign(std::string_view row, std::vector<std::string>& out) {
  out = {""};
  bool is_quoted = false;
  for (size_t i = 0; i < row.size(); ++i) {
    if (row[i] == ',' && !is_quoted) {
      out.emplace_back();
    } else if (row[i] != '"') {
      out.back() += row[i];
    } else if (is_quoted && row.substr(i + 1).starts_with('"')) {
      out.back() += row[i++];
    } else if (is_quoted || out.back().empty()) {
      is_quoted = !is_quoted;
    } else {
      out.back() += '"';
    }
  }
  return !is_quoted;
}

// All rows of up to seven of these signs.
TEST(CsvCells, AreThoseThatALoopFinds) {
  constexpr std::string_view kSigns = "a,\" ";
  constexpr size_t kMostBytes = 7;
  std::vector<std::string> rows = {""}, expected;
  Cells cells;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string row = rows[i];
    ASSERT_EQ(cells.split(row, ','), split_by_sign(row, expected)) << row;
    ASSERT_EQ(cells.size(), expected.size()) << row;
    for (size_t cell = 0; cell < expected.size(); ++cell)
      ASSERT_EQ(cells[cell], expected[cell]) << row;
    if (row.size() == kMostBytes) continue;
    for (const char sign : kSigns) rows.push_back(row + sign);
  }
}

TEST(CsvCells, AreChangedWithoutTheRow) {
  const std::string row = "1,5;\"a\"\"b\";c";
  Cells cells;
  ASSERT_TRUE(cells.split(row, ';'));
  cells.use_points(0);
  cells.replace(2, "d");
  EXPECT_EQ(cells[0], "1.5");
  EXPECT_EQ(cells[1], "a\"b");
  EXPECT_EQ(cells[2], "d");
  EXPECT_EQ(row, "1,5;\"a\"\"b\";c");
}

TEST(CsvTables, OfSaleaeHaveALaneForEachAnalyzer) {
  const test::ScratchFolder folder;
  const auto path = folder.write("analyzers.csv",
                                 "name,type,start_time,duration,\"ack\",\"address\"\n"
                                 "\"I2C\",\"address\",0.0013,0.00002,true,0x50\n"
                                 "\"Async Serial\",\"data\",0.00132,0.00001,,\n");
  const std::string text = test::read(path, {"csv"})->text();
  EXPECT_THAT(text,
              testing::HasSubstr(R"(state 1300000 to 1320000 on I2C: "address" {"ack":"true")"));
  EXPECT_THAT(text, testing::HasSubstr(R"(state 1320000 to 1330000 on Async Serial: "data")"));
}

}  // namespace
}  // namespace weft::formats::csv

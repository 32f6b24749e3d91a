#include "core/formats/general/csv/csv_cells.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/formats/general/csv/csv_columns.h"

namespace weft::formats::csv {
namespace {

// All rows of up to seven of these signs.
TEST(CsvCells, AreThoseThatAreCopied) {
  constexpr std::string_view kSigns = "a,\" ";
  constexpr size_t kMostBytes = 7;
  std::vector<std::string> rows = {""}, copied;
  Cells cells;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string row = rows[i];
    ASSERT_EQ(cells.split(row, ','), split(row, ',', copied)) << row;
    ASSERT_EQ(cells.size(), copied.size()) << row;
    for (size_t cell = 0; cell < copied.size(); ++cell) ASSERT_EQ(cells[cell], copied[cell]) << row;
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

}  // namespace
}  // namespace weft::formats::csv

// Tables as text: exact, whole, and never in part. covers B-16, B-28, FS-58
#include "app/base/sheet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "app/base/json.h"
#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

Sheet sheet_of(std::vector<Cell> cells) {
  return sheet_of_cells({"value"}, cells.size(),
                        [cells](uint64_t row, size_t) { return cells[row]; });
}

std::string written(const Sheet& sheet, SheetFormat format) {
  Job::Progress progress;
  return text_of_sheet(sheet, format, progress, 1 << 20).value().text;
}

const std::vector<Cell> kHostile = {Cell(),
                                    std::numeric_limits<int64_t>::min(),
                                    std::numeric_limits<uint64_t>::max(),
                                    0.1,
                                    std::numeric_limits<double>::quiet_NaN(),
                                    "a,b",
                                    "say \"so\"",
                                    "two\nlines",
                                    "=1+1",
                                    "\xff"};

TEST(Sheets, QuoteAndShowWhatWouldBreakALine) {
  EXPECT_EQ(written(sheet_of(kHostile), SheetFormat::kCsv),
            "value\n\n-9223372036854775808\n18446744073709551615\n0.1\n\n\"a,b\"\n"
            "\"say \"\"so\"\"\"\ntwo\\nlines\n=1+1\n\xEF\xBF\xBD\n");
}

TEST(Sheets, AreJsonThatReadsBackAsItWas) {
  const Json json = Json::parse(written(sheet_of(kHostile), SheetFormat::kJson));
  ASSERT_EQ(json.size(), kHostile.size());
  EXPECT_TRUE(json[0]["value"].is_null());
  EXPECT_EQ(json[1]["value"].get<int64_t>(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(json[2]["value"].get<uint64_t>(), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(json[3]["value"].get<double>(), 0.1);
  EXPECT_TRUE(json[4]["value"].is_null());
  EXPECT_EQ(json[7]["value"], "two\nlines");
  EXPECT_EQ(Json::parse(written(sheet_of({}), SheetFormat::kJson)), Json::array());
}

// covers reliability 1.2: what is copied or written may be looked at in a terminal
TEST(Sheets, AreJsonThatDoesNotActOnATerminal) {
  const std::string hostile =
      "a\x1B[31m\x7F\xC2\x9B"
      "2J\xE2\x80\xAE"
      "b";
  const std::string text = written(sheet_of({Cell(hostile)}), SheetFormat::kJson);
  EXPECT_THAT(text, ::testing::HasSubstr(R"("a\u001b[31m\u007f\u009b2J\u202eb")"));
  EXPECT_EQ(Json::parse(text)[0]["value"], hostile);
}

TEST(Sheets, LeaveColumnsOut) {
  const Sheet whole = sheet_of_cells({"a", "b", "c"}, 2, [](uint64_t row, size_t column) {
    return Cell(static_cast<uint64_t>(10 * row + column));
  });
  EXPECT_EQ(written(without_columns(whole, std::vector<std::string>{"b", "z"}), SheetFormat::kCsv),
            "a,c\n0,2\n10,12\n");
}

TEST(Sheets, HaveACellForEachColumnWhateverIsRead) {
  const Sheet odd = {{"a", "b"}, std::nullopt, [](const RowTaker& row, const std::stop_token&) {
                       row(std::vector<Cell>{"1"});
                       row(std::vector<Cell>{"2", "3", "4"});
                       return Status();
                     }};
  EXPECT_EQ(written(odd, SheetFormat::kJson), "[\n{\"a\":\"1\"},\n{\"a\":\"2\",\"b\":\"3\"}\n]\n");
  EXPECT_EQ(written(without_columns(odd, std::vector<std::string>{"a"}), SheetFormat::kCsv),
            "b\n\n3\n");
}

TEST(Sheets, AreTooLargeForTheClipboardAtSomePoint) {
  Job::Progress progress;
  const std::vector<Cell> cells(1'000, "0123456789");
  EXPECT_FALSE(text_of_sheet(sheet_of(cells), SheetFormat::kCsv, progress, 10'000));
  EXPECT_TRUE(text_of_sheet(sheet_of(cells), SheetFormat::kCsv, progress, 12'000));
}

class SheetFiles : public ::testing::Test {
 protected:
  testing::ScratchFolder folder_;
  Job::Progress progress_;
};

TEST_F(SheetFiles, HoldEveryRow) {
  const auto file = folder_.path() / "many.csv";
  constexpr uint64_t kRows = 200'000;  // several pieces
  const Sheet sheet =
      sheet_of_cells({"n"}, kRows, [](uint64_t row, size_t) -> Cell { return row; });
  ASSERT_EQ(write_sheet(sheet, SheetFormat::kCsv, progress_, file).value(), kRows);
  std::ifstream in(file);
  std::string line;
  ASSERT_TRUE(std::getline(in, line));
  EXPECT_EQ(line, "n");
  for (uint64_t row = 0; row < kRows; ++row) {
    ASSERT_TRUE(std::getline(in, line));
    ASSERT_EQ(line, std::to_string(row));
  }
  EXPECT_FALSE(std::getline(in, line));
}

TEST_F(SheetFiles, AreNotWrittenInPart) {
  EXPECT_FALSE(write_sheet(sheet_of({"x"}), SheetFormat::kCsv, progress_,
                           folder_.path() / "no" / "such" / "folder.csv"));
  std::stop_source stop;
  progress_.stop = stop.get_token();
  uint64_t read = 0;
  const Sheet endless = {{"n"}, 0, [&](const RowTaker& row, const std::stop_token&) {
                           const std::vector<Cell> cells = {read};
                           while (row(cells)) {
                             if (++read == 100'000) stop.request_stop();
                           }
                           return Status();
                         }};
  const auto file = folder_.path() / "stopped.csv";
  EXPECT_FALSE(write_sheet(endless, SheetFormat::kCsv, progress_, file));
  EXPECT_GE(read, 100'000u);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(SheetFormats, AreToldByNameAndEnding) {
  EXPECT_EQ(sheet_format_from_name("json"), SheetFormat::kJson);
  EXPECT_EQ(sheet_format_from_name("xml"), std::nullopt);
  EXPECT_EQ(sheet_format_of("a.b.json"), SheetFormat::kJson);
  EXPECT_EQ(sheet_format_of("json"), SheetFormat::kCsv);
}

}  // namespace
}  // namespace weft::app

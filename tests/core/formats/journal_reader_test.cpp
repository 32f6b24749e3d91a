// covers FS-62, R7
#include "core/formats/general/journal/journal_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/core/formats/bytes.h"
#include "tests/core/formats/reading.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats {
namespace {

using test::Bytes;
using test::ScratchFolder;

constexpr size_t kSixMiB = size_t{6} << 20;

// The second event's line: what follows the long fields is read as it should be.
void expect_left_out(const std::string& bytes, uint64_t left_out) {
  const ScratchFolder folder;
  const auto reading = test::read(folder.write("t", bytes));
  ASSERT_EQ(reading->error, "");
  EXPECT_EQ(reading->sink.loss_count("part of an entry beyond 8 MiB"), left_out);
  const auto& events = reading->sink.punctual_events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].time.ticks, 2'000'000'000);
  EXPECT_EQ(reading->sink.params_of(events[1].params), R"({"message":"hello"})");
}

constexpr std::string_view kFirst = "__REALTIME_TIMESTAMP=1000000\nMESSAGE=long\n";
constexpr std::string_view kSecond = "\n__REALTIME_TIMESTAMP=2000000\nMESSAGE=hello\n\n";

TEST(Journal, FieldsBeyondTheMostOfAnEntryAreCounted) {
  const std::string text(kSixMiB, 'x');
  expect_left_out(Bytes().text(kFirst).text("A=" + text + "\nB=" + text + "\n").text(kSecond).str(),
                  1);
  expect_left_out(Bytes().text(kFirst).text("A=" + text + text + "\n").text(kSecond).str(), 1);
}

TEST(Journal, OfABinaryFieldBeyondTheMostOfAnEntryNothingIsTakenForLines) {
  const std::string lines = "\n\n" + std::string(kSixMiB, 'x') + "\n\nMESSAGE=no\n\n";
  Bytes bytes;
  bytes.text(kFirst).text("A=" + std::string(kSixMiB, 'x') + "\nB\n");
  bytes.little(uint64_t{lines.size()}).text(lines).text("\n").text(kSecond);
  expect_left_out(bytes.str(), 1);
}

TEST(Journal, LinesOfAVerboseEntryBeyondItsMostAreCounted) {
  const auto head = [](std::string_view time) {
    return "Thu 1970-01-01 00:00:01 UTC [s=2a;i=1;b=4c;m=4c;t=" + std::string(time) + ";x=f6]\n";
  };
  const std::string text(kSixMiB, 'x');
  expect_left_out(head("f4240") + "    A=" + text + "\n    B=" + text + "\n" + head("1e8480") +
                      "    MESSAGE=hello\n",
                  1);
}

}  // namespace
}  // namespace weft::formats

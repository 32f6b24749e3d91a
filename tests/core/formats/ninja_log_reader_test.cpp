// covers R7
#include "core/formats/general/ninja_log/ninja_log_reader.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::read;

// Four workers; command `i` makes two files.
std::string log_of_one_build(int commands) {
  std::string log = "# ninja log v6\n";
  for (int i = 0; i < commands; ++i) {
    for (const char* const suffix : {"o", "d"})
      log += fmt::format("{0}\t{1}\t0\tout/{2}.{3}\t{2:x}\n", 10 * i, 10 * i + 35, i, suffix);
  }
  return log;
}

TEST(NinjaLog, ABuildThatTheMemoryDoesNotHoldReadsTheSame) {
  const test::ScratchFolder folder;
  const auto path = folder.write("t", log_of_one_build(2000));
  const std::string all = read(path, {.format = "ninja-log"})->text();
  EXPECT_NE(all.find("worker 4"), std::string::npos);
  EXPECT_EQ(read(path, {.format = "ninja-log", .memory_bytes = 1 << 14})->text(), all);
}

// One command lasts longer than those that the memory holds: it gets a worker of its own.
TEST(NinjaLog, ALongCommandIsThereWhateverTheMemory) {
  const test::ScratchFolder folder;
  const std::string log = log_of_one_build(2000) + "5\t90000\t0\tout/long\tffff\n";
  const auto reading =
      read(folder.write("t", log), {.format = "ninja-log", .memory_bytes = 1 << 14});
  EXPECT_EQ(reading->sink.state_events().size(), 2001u);
  EXPECT_NE(reading->text().find("worker 5: \"out/long\""), std::string::npos);
}

}  // namespace
}  // namespace weft::formats

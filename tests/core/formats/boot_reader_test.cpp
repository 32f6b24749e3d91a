// covers FS-62, R7
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::ScratchFolder;
using ::testing::HasSubstr;

TEST(Bootchart, CopiesOfTheKernelsFilesAreProcessesAndCounters) {
  const ScratchFolder folder;
  folder.write("header", "version = 0.8\nsystem.uname = Linux 2.6.29\n");
  folder.write("proc_stat.log",
               "100\ncpu  10 0 10 80 0 0 0\nprocs_running 6\n\n"
               "200\ncpu  30 10 20 120 10 5 5\nprocs_running 1\nprocs_blocked 2\n\n");
  folder.write(
      "proc_diskstats.log",
      "100\n   8    0 sda 1 0 100 0 0 0 0 0 0 10 0\n   8    1 sda1 1 0 1 0 0 0 0 0 0 1 0\n\n"
      "200\n   8    0 sda 9 0 300 0 0 0 50 0 0 510 0\n\n");
  const auto process = [](const char* head, const char* start) {
    return std::string(head) + " 0 1 1 0 1 0 0 0 0 0 0 0 0 0 20 0 1 0 " + start + " 0 0\n";
  };
  folder.write("proc_ps.log", "100\n" + process("1 (init) S", "50") + process("7 (a) b) R", "90") +
                                  "what is this\n\n200\n" + process("1 (init) D", "50") +
                                  process("7 (new) S", "190") + "\n300\n" +
                                  process("1 (init) D", "50") + "\n");
  const std::string text = test::read(folder.path())->text();
  EXPECT_THAT(text, HasSubstr("metadata system.uname = Linux 2.6.29"));
  EXPECT_THAT(text, HasSubstr("variable 2000 on CPU: \"user %\" = 30"));
  EXPECT_THAT(text, HasSubstr("variable 2000 on CPU: \"system %\" = 20"));
  EXPECT_THAT(text, HasSubstr("variable 2000 on CPU: \"waiting for devices %\" = 10"));
  EXPECT_THAT(text, HasSubstr("variable 2000 on tasks: \"blocked\" = 2"));
  EXPECT_THAT(text, HasSubstr("variable 2000 on disk sda: \"read B/s\" = 102400"));
  EXPECT_THAT(text, HasSubstr("variable 2000 on disk sda: \"busy %\" = 50"));
  EXPECT_THAT(text, HasSubstr("state 500 to 2000 on processes/init 1: \"sleeping\""));
  EXPECT_THAT(text, HasSubstr("state 2000 to 3000 on processes/init 1: \"waiting for a device\""));
  EXPECT_THAT(text, HasSubstr("state 900 to 2000 on processes/a) b 7: \"running\""));
  EXPECT_THAT(text, HasSubstr("state 1900 to 3000 on processes/new 7: \"sleeping\""));
  EXPECT_THAT(text, HasSubstr("line of no process x 1"));
}

}  // namespace
}  // namespace weft::formats

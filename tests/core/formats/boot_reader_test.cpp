// covers FS-62, R7
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/formats/boot_samples.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::ScratchFolder;
using test::write_bootchart;
using ::testing::HasSubstr;

TEST(Bootchart, CopiesOfTheKernelsFilesAreProcessesAndCounters) {
  const ScratchFolder folder;
  write_bootchart(folder.path());
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

TEST(Bootchart, AProcessCutBeforeItsStartIsLost) {
  const ScratchFolder folder;
  write_bootchart(folder.path());
  folder.write("proc_ps.log", "100\n1 (init) S 0 1 1 0 1 0 0 0 0 0 0 0 0 0 20 0 1 0\n\n200\n");
  const auto reading = test::read(folder.path());
  EXPECT_EQ(reading->sink.loss_count("line of no process"), 1u);
  EXPECT_TRUE(reading->sink.state_events().empty());
}

}  // namespace
}  // namespace weft::formats

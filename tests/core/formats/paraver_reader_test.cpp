// covers FS-62, R7
#include "core/formats/hpc/paraver/paraver_reader.h"

#include <gtest/gtest.h>

#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/cuts.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;

class ParaverCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(ParaverCase, ReadsAsWritten) {
  test::expect_as_written(GetParam(), read(GetParam(), {"paraver"})->text());
}

INSTANTIATE_TEST_SUITE_P(, ParaverCase, testing::ValuesIn(test::cases_of("paraver")),
                         test::case_name);

// Without the files beside it, numbers are names.
TEST(Paraver, IsRecognisedAndCutAnywhere) {
  const ScratchFolder folder;
  const std::string text = test::content_of(std::filesystem::path(WEFT_SOURCE_DIR) /
                                            "tests/core/formats/paraver/succeed/everything.prv");
  const auto reading = read(folder.write("t.prv", text));
  EXPECT_EQ(reading->sink.link_events().size(), 2u);
  EXPECT_NE(reading->text().find("state 77"), std::string::npos);
  for (const size_t size : test::cuts_of(text.size()))
    EXPECT_EQ(read(folder.write("cut.prv", text.substr(0, size)), {"paraver"})->error, "") << size;
}

}  // namespace
}  // namespace weft::formats

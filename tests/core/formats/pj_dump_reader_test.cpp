// covers FS-62, R7
#include "core/formats/hpc/pj_dump/pj_dump_reader.h"

#include <gtest/gtest.h>

#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/cuts.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;

class PjDumpCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(PjDumpCase, ReadsAsWritten) {
  test::expect_as_written(GetParam(), read(GetParam(), {"pj-dump"})->text());
}

INSTANTIATE_TEST_SUITE_P(, PjDumpCase, testing::ValuesIn(test::cases_of("pj_dump")),
                         test::case_name);

TEST(PjDump, IsRecognisedAndCutAnywhere) {
  const ScratchFolder folder;
  const std::string text = test::content_of(std::filesystem::path(WEFT_SOURCE_DIR) /
                                            "tests/core/formats/pj_dump/succeed/everything.pjdump");
  EXPECT_EQ(read(folder.write("t", text))->sink.link_events().size(), 2u);
  for (const size_t size : test::cuts_of(text.size()))
    EXPECT_EQ(read(folder.write("cut", text.substr(0, size)), {"pj-dump"})->error, "") << size;
}

}  // namespace
}  // namespace weft::formats

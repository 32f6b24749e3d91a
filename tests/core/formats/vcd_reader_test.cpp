// covers R7
#include "core/formats/vcd_reader.h"

#include <gtest/gtest.h>

#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;

class VcdCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(VcdCase, ReadsAsWritten) {
  test::expect_as_written(GetParam(), read(GetParam(), {"vcd"})->text());
}

INSTANTIATE_TEST_SUITE_P(, VcdCase, testing::ValuesIn(test::cases_of("vcd")), test::case_name);

TEST(Vcd, EveryCutIsAnAnswer) {
  const ScratchFolder folder;
  const std::string text = test::content_of(std::filesystem::path(WEFT_SOURCE_DIR) /
                                            "tests/core/formats/vcd/succeed/everything.vcd");
  for (size_t size = 1; size < text.size(); ++size)
    EXPECT_EQ(read(folder.write("cut", text.substr(0, size)), {"vcd"})->error, "") << size;
}

}  // namespace
}  // namespace weft::formats

// Formats of sampled stacks. covers R7
#include <gtest/gtest.h>

#include "core/formats/folded_reader.h"
#include "core/formats/perf_script_reader.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;

class FoldedCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(FoldedCase, ReadsAsWritten) {
  test::expect_as_written(GetParam(), read(GetParam(), {"folded"})->text());
}

INSTANTIATE_TEST_SUITE_P(, FoldedCase, testing::ValuesIn(test::cases_of("folded")),
                         test::case_name);

class PerfScriptCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(PerfScriptCase, ReadsAsWritten) {
  test::expect_as_written(GetParam(), read(GetParam(), {"perf-script"})->text());
}

INSTANTIATE_TEST_SUITE_P(, PerfScriptCase, testing::ValuesIn(test::cases_of("perf_script")),
                         test::case_name);

TEST(Stacks, EveryCutIsAnAnswer) {
  const ScratchFolder folder;
  for (const std::string format : {"folded", "perf-script"}) {
    std::string name = format;
    std::ranges::replace(name, '-', '_');
    for (const auto& path : test::cases_of(name)) {
      const std::string text = test::content_of(path);
      for (size_t size = 1; size < text.size(); ++size)
        EXPECT_EQ(read(folder.write("cut", text.substr(0, size)), {format})->error, "") << size;
    }
  }
}

}  // namespace
}  // namespace weft::formats

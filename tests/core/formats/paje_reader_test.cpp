// covers FS-62, R7
#include "core/formats/hpc/paje/paje_reader.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/cuts.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;

class PajeCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(PajeCase, ReadsAsWritten) {
  test::expect_as_written(GetParam(), read(GetParam(), {"paje"})->text());
}

INSTANTIATE_TEST_SUITE_P(, PajeCase, testing::ValuesIn(test::cases_of("paje")), test::case_name);

std::string every_paje_event() {
  return test::content_of(std::filesystem::path(WEFT_SOURCE_DIR) /
                          "tests/core/formats/paje/succeed/everything.paje");
}

TEST(Paje, IsRecognisedBehindComments) {
  const ScratchFolder folder;
  const auto reading = read(folder.write("t", "# one\n\n#two\n" + every_paje_event()));
  EXPECT_EQ(reading->error, "");
  EXPECT_EQ(reading->sink.link_events().size(), 2u);
}

TEST(Paje, EveryCutIsAnAnswer) {
  const ScratchFolder folder;
  const std::string text = every_paje_event();
  for (const size_t size : test::cuts_of(text.size()))
    EXPECT_EQ(read(folder.write("cut", text.substr(0, size)), {"paje"})->error, "") << size;
}

TEST(Paje, LinksThatWaitAreBounded) {
  const ScratchFolder folder;
  std::string text = every_paje_event();
  constexpr int kLinks = 100'000;
  for (int i = 0; i < kLinks; ++i) text += fmt::format("16 3 L m p0 PTP wait{}\n", i);
  const test::ReadingOptions options{.format = "paje", .memory_bytes = 1 << 20};
  const auto reading = read(folder.write("t", text), options);
  EXPECT_EQ(reading->sink.link_events().size(), kLinks + 2u);
  EXPECT_EQ(reading->sink.loss_count("link without an end"), uint64_t{kLinks});
  EXPECT_GT(reading->sink.loss_count("link whose other end was no longer waited for"), 0u);
}

TEST(Paje, StatesPushedWithoutEndAreBounded) {
  const ScratchFolder folder;
  std::string text = every_paje_event();
  for (int i = 0; i < 200'000; ++i) text += "9 3 S p0 deep 1 f\n";
  const auto reading = read(folder.write("t", text), {"paje"});
  EXPECT_GT(reading->sink.loss_count("states nested too deep"), 0u);
}

}  // namespace
}  // namespace weft::formats

// covers R7
#include "core/formats/embedded/sigrok/sigrok_reader.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/sigrok_samples.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;

TEST(Sigrok, ReadsAsWritten) {
  const ScratchFolder folder;
  test::write_sigrok(folder / "session");
  const auto expected =
      std::filesystem::path(WEFT_SOURCE_DIR) / "tests/core/formats/sigrok/succeed/small.txt";
  test::expect_as_written(expected, read(folder.path())->text());
  EXPECT_EQ(read(folder / "session/metadata")->text(), read(folder / "session")->text());
}

// One file of logic, as version 1 of the format has it, and faster than nanoseconds say.
TEST(Sigrok, HasOneFileOfLogicInItsFirstVersion) {
  const ScratchFolder folder;
  folder.write("metadata",
               "[global]\nsigrok version = 0.2.0\n[device 1]\ncapturefile = logic-1\n"
               "samplerate = 4 GHz\nprobe1 = D0\nunitsize = 1\n");
  folder.write("logic-1", std::string("\0\1\1\0\1", 5));
  const std::string text = read(folder.path())->text();
  EXPECT_THAT(text, ::testing::HasSubstr("time base ps"));
  EXPECT_THAT(text, ::testing::HasSubstr("state 250 to 750 on D0"));
  EXPECT_THAT(text, ::testing::HasSubstr("state 1000 to 1250 on D0"));
}

// They may begin as UTF-16 does, or as what is compressed.
TEST(Sigrok, TakesSamplesAsTheyAre) {
  const ScratchFolder folder;
  folder.write("metadata",
               "[global]\nsigrok version=0.5.2\n[device 1]\ncapturefile=logic-1\n"
               "samplerate=1 MHz\nprobe1=D0\nunitsize=2\n");
  std::string idle;
  for (int i = 0; i < 100; ++i) idle += std::string("5\0", 2);
  folder.write("logic-1-1", idle);
  folder.write("logic-1-2", "\xff\xfe" + idle);
  folder.write("logic-1-3", std::string("\x1f\x8b\x08\0", 4));
  const std::string text = read(folder.path())->text();
  EXPECT_THAT(text, ::testing::HasSubstr("state 0 to 202000 on D0"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("loss")));
}

// Of samples of each size that change seldom: when the first probe and the last are high.
TEST(Sigrok, FindsTheChangesThatALoopFinds) {
  constexpr size_t kSamples = 20000;
  std::mt19937 random(7);
  for (const size_t bytes : {1, 2, 3, 5, 8, 9}) {
    std::string samples, sample(bytes, '\0');
    std::vector<std::pair<int64_t, int64_t>> expected;
    int64_t first_since = 0, last_since = 0;
    const auto toggle = [&](char& byte, uint8_t bit, int64_t& since, int64_t at) {
      if ((static_cast<uint8_t>(byte) & bit) != 0) expected.emplace_back(since, at);
      byte = static_cast<char>(static_cast<uint8_t>(byte) ^ bit);
      since = at;
    };
    for (size_t i = 0; i < kSamples; ++i) {
      const auto at = static_cast<int64_t>(i);
      if (random() % 50 == 0) toggle(sample.front(), 1, first_since, at);
      if (random() % 3000 == 0) toggle(sample.back(), 0x80, last_since, at);
      samples += sample;
    }
    const auto end = static_cast<int64_t>(kSamples);
    if ((sample.front() & 1) != 0) expected.emplace_back(first_since, end);
    if ((sample.back() & 0x80) != 0) expected.emplace_back(last_since, end);
    const ScratchFolder folder;
    folder.write("metadata", fmt::format("[global]\nsigrok version=0.5.2\n[device 1]\n"
                                         "capturefile=logic-1\nsamplerate=1 GHz\nunitsize={}\n"
                                         "probe1=first\nprobe{}=last\n",
                                         bytes, 8 * bytes));
    folder.write("logic-1-1", samples);
    std::vector<std::pair<int64_t, int64_t>> states;
    const auto reading = read(folder.path());
    for (const trace::StateEvent& each : reading->sink.state_events())
      states.emplace_back(each.begin.ticks, (each.begin + each.duration).ticks);
    EXPECT_THAT(states, ::testing::UnorderedElementsAreArray(expected)) << bytes;
  }
}

TEST(HostileSigrok, SaysWhatIsNoSample) {
  const ScratchFolder folder;
  folder.write("metadata",
               "[global]\nsigrok version=0.5.2\n[device 1]\nprobe1=D0\nprobe0=x\nprobe99999=y\n"
               "unitsize=0\nsamplerate=soon\nno key\n");
  folder.write("logic-1-1", "abc");
  test::expect_as_written(
      std::filesystem::path(WEFT_SOURCE_DIR) / "tests/core/formats/sigrok/fail/no_samples.txt",
      read(folder.path())->text());
}

TEST(HostileSigrok, SaysWhichFilesAreMissing) {
  const ScratchFolder folder;
  test::write_sigrok(folder / "session");
  for (const char* name : {"logic-1-2", "analog-1-10-1"})
    std::filesystem::remove(folder / "session" / name);
  test::expect_as_written(
      std::filesystem::path(WEFT_SOURCE_DIR) / "tests/core/formats/sigrok/fail/missing.txt",
      read(folder.path())->text());
}

}  // namespace
}  // namespace weft::formats

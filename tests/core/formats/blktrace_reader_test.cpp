// covers FS-62
#include "core/formats/kernel/blktrace/blktrace_reader.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/reading.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;

// A case holds the records of all CPUs; here each CPU has its file, as blktrace writes them.
void write_run(const ScratchFolder& folder) {
  const std::string whole =
      test::content_of(std::filesystem::path(WEFT_SOURCE_DIR) /
                       "tests/core/formats/blktrace/succeed/all_cpus.blktrace");
  constexpr size_t kRecordBytes = 48, kActionAt = 29, kCpuAt = 40, kDataBytesAt = 46;
  std::array<std::string, 2> files;
  for (size_t at = 0; at + kRecordBytes <= whole.size();) {
    const size_t size = kRecordBytes + static_cast<uint8_t>(whole[at + kDataBytesAt]);
    // blkparse ignores records that only name their group.
    if (whole[at + kActionAt] == 0)
      files.at(static_cast<uint8_t>(whole[at + kCpuAt])) += whole.substr(at, size);
    at += size;
  }
  folder.write("sdb.blktrace.0", files[0]);
  folder.write("sdb.blktrace.1", files[1]);
  folder.write("other.blktrace.1", files[1]);
}

TEST(Blktrace, EachFileOfARunOpensAll) {
  const ScratchFolder folder;
  write_run(folder);
  const auto whole = read(std::filesystem::path(WEFT_SOURCE_DIR) /
                          "tests/core/formats/blktrace/succeed/all_cpus.blktrace");
  for (const char* name : {"sdb.blktrace.0", "sdb.blktrace.1"}) {
    const auto reading = read(folder / name);
    EXPECT_EQ(reading->sink.state_events().size(), whole->sink.state_events().size()) << name;
    EXPECT_EQ(reading->text().find("loss"), std::string::npos) << reading->text();
  }
  EXPECT_EQ(blktrace_run("sdb.blktrace.12"), "sdb");
  EXPECT_EQ(blktrace_run("sdb.blktrace.12.gz"), "sdb");
  EXPECT_EQ(blktrace_run("sdb.blktrace"), "");
  EXPECT_EQ(blktrace_run(".blktrace.0"), "");
}

TEST(Blktrace, OtherVersionsAreRefused) {
  const ScratchFolder folder;
  const auto reading = read(folder.write("x", std::string("\6tae", 4) + std::string(44, '\0')));
  EXPECT_EQ(reading->error, "is of version 6 of blktrace, of which only 7 is read");
}

// Its times count from the first.
TEST(Blktrace, HasTheEventsAndTimesOfBlkparse) {
  if (std::system("command -v blkparse >/dev/null") != 0) GTEST_SKIP() << "no blkparse";
  const ScratchFolder folder;
  write_run(folder);
  std::vector<int64_t> theirs, ours;
  const std::string command = fmt::format(
      "cd '{}' && blkparse -q -i sdb -f 'T%T.%9t %a\\n' 2>/dev/null", folder.path().string());
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    long long seconds = 0, nanoseconds = 0;
    if (std::sscanf(line.data(), "T%lld.%lld", &seconds, &nanoseconds) == 2)
      theirs.push_back(seconds * 1'000'000'000 + nanoseconds);
  }
  ::pclose(pipe);
  const auto reading = read(folder / "sdb.blktrace.0");
  const auto& dictionary = reading->sink.dictionary();
  for (const auto& event : reading->sink.punctual_events()) {
    if (dictionary.type(event.type).name != "message") ours.push_back(event.time.ticks);
  }
  ASSERT_FALSE(ours.empty());
  const int64_t first = *std::ranges::min_element(ours);
  for (int64_t& time : ours) time -= first;
  std::ranges::sort(ours);
  std::ranges::sort(theirs);
  EXPECT_EQ(ours, theirs);
}

}  // namespace
}  // namespace weft::formats

// covers FS-62, R7
#include "core/formats/profiles/uftrace/uftrace_reader.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/uftrace_samples.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;
using test::read;
using test::ScratchFolder;
using test::UftraceKind;

TEST(Uftrace, ReadsAsWritten) {
  const ScratchFolder folder;
  test::write_uftrace(folder / "uftrace.data");
  const auto expected = fs::path(WEFT_SOURCE_DIR) / "tests/core/formats/uftrace/succeed/small.txt";
  test::expect_as_written(expected, read(folder.path())->text());
  EXPECT_EQ(read(folder / "uftrace.data/info")->text(), read(folder / "uftrace.data")->text());
}

// What was called before goes on, and what returns is what was called at that depth.
TEST(Uftrace, CallsAroundLostRecordsLastUntilTheyReturn) {
  using enum UftraceKind;
  using test::uftrace_record;
  constexpr uint64_t kMain = 0x400100, kHelper = 0x400110;
  const ScratchFolder folder;
  test::write_uftrace(folder / "uftrace.data");
  fs::remove(folder / "uftrace.data/43.dat");
  fs::remove(folder / "uftrace.data/perf-cpu0.dat");
  folder.write(
      "uftrace.data/42.dat",
      uftrace_record(1000, kCall, 0, kMain) + uftrace_record(1100, kCall, 1, kHelper) +
          uftrace_record(1200, kLost, 0, 5) + uftrace_record(1300, kCall, 3, kHelper) +
          uftrace_record(1400, kReturn, 3, kHelper) + uftrace_record(1500, kReturn, 2, kHelper) +
          uftrace_record(1600, kReturn, 1, kHelper) + uftrace_record(2000, kReturn, 0, kMain));
  const auto trace = read(folder / "uftrace.data");
  std::vector<std::pair<int64_t, int64_t>> spans;
  for (const auto& state : trace->sink.state_events())
    spans.emplace_back(state.begin.ticks, state.duration.ticks);
  EXPECT_THAT(spans, testing::UnorderedElementsAre(std::pair(1000, 1000), std::pair(1100, 500),
                                                   std::pair(1300, 100)));
}

// Begins, durations and nesting of what a thread called.
using Call = std::tuple<int64_t, int64_t, uint32_t>;
std::vector<Call> calls_of(std::string_view records) {
  const ScratchFolder folder;
  test::write_uftrace(folder / "uftrace.data");
  fs::remove(folder / "uftrace.data/43.dat");
  fs::remove(folder / "uftrace.data/perf-cpu0.dat");
  folder.write("uftrace.data/42.dat", records);
  std::vector<Call> calls;
  const auto trace = read(folder / "uftrace.data");
  for (const auto& state : trace->sink.state_events())
    calls.emplace_back(state.begin.ticks, state.duration.ticks, state.nesting);
  return calls;
}

TEST(Uftrace, CallsAreCountedWhereNoDepthsAreWritten) {
  using enum UftraceKind;
  using test::uftrace_record;
  constexpr uint64_t kMain = 0x400100, kHelper = 0x400110, kOther = 0x7F0040;
  const std::string records =
      uftrace_record(1000, kCall, 0, kMain) + uftrace_record(1100, kCall, 0, kHelper) +
      uftrace_record(1200, kCall, 0, kOther) + uftrace_record(1300, kReturn, 0, kHelper) +
      uftrace_record(1400, kReturn, 0, kMain);
  EXPECT_THAT(calls_of(records), testing::UnorderedElementsAre(
                                     Call(1000, 400, 0), Call(1100, 200, 1), Call(1200, 100, 2)));
}

TEST(Uftrace, CallsWithoutReturnsFollowEachOtherWhereDepthsAreWritten) {
  using enum UftraceKind;
  using test::uftrace_record;
  constexpr uint64_t kMain = 0x400100, kHelper = 0x400110;
  const std::string first =
      uftrace_record(1000, kCall, 0, kMain) + uftrace_record(1100, kCall, 0, kMain);
  const std::string second =
      uftrace_record(1200, kCall, 0, kHelper) + uftrace_record(1210, kCall, 1, kMain) +
      uftrace_record(1220, kReturn, 1, kMain) + uftrace_record(1230, kReturn, 0, kHelper);
  EXPECT_THAT(calls_of(first + second),
              testing::UnorderedElementsAre(Call(1000, 100, 0), Call(1100, 100, 0),
                                            Call(1200, 30, 0), Call(1210, 10, 1)));
  EXPECT_THAT(calls_of(first), testing::UnorderedElementsAre(Call(1000, 100, 0), Call(1100, 0, 0)));
}

TEST(Uftrace, AReturnMayBeLessDeepThanItsCall) {
  using enum UftraceKind;
  using test::uftrace_record;
  constexpr uint64_t kMain = 0x400100, kHelper = 0x400110;
  const std::string records =
      uftrace_record(1000, kCall, 1, kMain) + uftrace_record(1100, kCall, 2, kHelper) +
      uftrace_record(1200, kReturn, 1, kHelper) + uftrace_record(1300, kCall, 2, kHelper) +
      uftrace_record(1350, kReturn, 1, kHelper) + uftrace_record(1400, kReturn, 0, kMain);
  EXPECT_THAT(calls_of(records), testing::UnorderedElementsAre(
                                     Call(1000, 400, 0), Call(1100, 100, 1), Call(1300, 50, 1)));
}

TEST(Uftrace, ThreadsChangeFromOneCpuToAnother) {
  const ScratchFolder folder;
  test::write_uftrace(folder / "uftrace.data");
  fs::remove(folder / "uftrace.data/42.dat");
  fs::remove(folder / "uftrace.data/43.dat");
  folder.write("uftrace.data/perf-cpu0.dat",
               test::uftrace_switch(43, 1400, 0x2000) + test::uftrace_switch(43, 1900, 0x6000));
  folder.write("uftrace.data/perf-cpu1.dat",
               test::uftrace_switch(43, 1450, 0) + test::uftrace_switch(43, 1990, 0));
  const auto trace = read(folder / "uftrace.data");
  std::vector<std::pair<int64_t, int64_t>> spans;
  for (const auto& state : trace->sink.state_events())
    spans.emplace_back(state.begin.ticks, state.duration.ticks);
  EXPECT_THAT(spans, testing::ElementsAre(std::pair(1400, 50), std::pair(1900, 90)));
}

TEST(Uftrace, ReadsWhatFunctionsWereGivenAndReturned) {
  const ScratchFolder folder;
  test::write_uftrace_values(folder / "uftrace.data");
  const auto expected = fs::path(WEFT_SOURCE_DIR) / "tests/core/formats/uftrace/succeed/values.txt";
  test::expect_as_written(expected, read(folder.path())->text());
}

// Compares with the output of `uftrace dump`: "0.000001000     42: [entry] …".
TEST(Uftrace, HasTheCallsAndTimesOfUftrace) {
  if (std::system("command -v uftrace >/dev/null") != 0) GTEST_SKIP() << "no uftrace";
  const ScratchFolder folder;
  test::write_uftrace(folder / "uftrace.data");
  // For a thread that lost nothing, and has no arguments, which are described nowhere.
  folder.write("uftrace.data/43.dat", "");
  fs::remove(folder / "uftrace.data/perf-cpu0.dat");
  fs::remove(folder / "uftrace.data/extern.dat");
  folder.write("uftrace.data/42.dat",
               test::uftrace_record(1000, UftraceKind::kCall, 0, 0x400104) +
                   test::uftrace_record(1010, UftraceKind::kCall, 1, 0x400110) +
                   test::uftrace_record(1020, UftraceKind::kReturn, 1, 0x400110) +
                   test::uftrace_record(1050, UftraceKind::kReturn, 0, 0x400104));
  std::vector<int64_t> theirs, ours;
  const std::string command =
      fmt::format("uftrace dump -d '{}' 2>/dev/null", (folder / "uftrace.data").string());
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    long long seconds = 0, nanoseconds = 0;
    const std::string_view text = line.data();
    const bool is_call = text.find("[entry]") != text.npos || text.find("[exit ]") != text.npos;
    if (is_call && std::sscanf(line.data(), "%lld.%lld", &seconds, &nanoseconds) == 2)
      theirs.push_back(seconds * 1'000'000'000 + nanoseconds);
  }
  ::pclose(pipe);
  const auto reading = read(folder.path());
  const auto& dictionary = reading->sink.dictionary();
  for (const auto& state : reading->sink.state_events()) {
    if (dictionary.type(state.type).group != "functions") continue;
    ours.push_back(state.begin.ticks);
    ours.push_back((state.begin + state.duration).ticks);
  }
  std::ranges::sort(ours);
  EXPECT_EQ(ours, theirs);
}

TEST(Uftrace, TheLastRecordMayHaveValues) {
  const ScratchFolder folder;
  test::write_uftrace(folder / "uftrace.data");
  folder.write("uftrace.data/42.dat",
               test::uftrace_record(1000, test::UftraceKind::kCall, 0, 0x400104) +
                   test::uftrace_record(1020, test::UftraceKind::kReturn, 0, 0x400104, true) +
                   test::uftrace_number(uint64_t{7}));
  folder.write("uftrace.data/43.dat", "");
  const auto reading = read(folder.path());
  EXPECT_EQ(reading->text().find("cut"), std::string::npos) << reading->text();
  EXPECT_NE(reading->text().find("state 1000 to 1020"), std::string::npos) << reading->text();
}

// Those that are deeper than calls are shown return unseen.
TEST(HostileUftrace, CallsMayNestWithoutEnd) {
  using enum UftraceKind;
  using test::uftrace_record;
  constexpr uint64_t kMain = 0x400100, kCalls = 20'000, kShown = 1 << 14;
  const ScratchFolder folder;
  test::write_uftrace(folder / "uftrace.data");
  fs::remove(folder / "uftrace.data/43.dat");
  std::string records =
      uftrace_record(1000, kCall, 0, kMain) + uftrace_record(1000, kReturn, 0, kMain);
  for (uint64_t i = 0; i < kCalls; ++i) records += uftrace_record(1001 + i, kCall, 0, kMain);
  for (uint64_t i = 0; i < kCalls; ++i) records += uftrace_record(50'000 + i, kReturn, 0, kMain);
  folder.write("uftrace.data/42.dat", records);
  const auto trace = read(folder / "uftrace.data");
  EXPECT_EQ(trace->sink.loss_count("calls nested too deep"), kCalls - kShown);
  int64_t latest = 0, longest = 0;
  for (const auto& state : trace->sink.state_events()) {
    latest = std::max(latest, (state.begin + state.duration).ticks);
    longest = std::max(longest, state.duration.ticks);
  }
  EXPECT_EQ(latest, 50'000 + static_cast<int64_t>(kCalls) - 1);
  EXPECT_EQ(longest, latest - 1001);
}

TEST(HostileUftrace, RecordsMayBeAnything) {
  const ScratchFolder folder;
  test::write_uftrace(folder / "uftrace.data");
  const std::string whole = test::content_of(folder / "uftrace.data/42.dat");
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(~bytes[at]);
    folder.write("uftrace.data/42.dat", bytes);
    folder.write("uftrace.data/perf-cpu0.dat", bytes);
    EXPECT_EQ(read(folder.path())->error, "") << at;
    folder.write("uftrace.data/42.dat", whole.substr(0, at));
    EXPECT_EQ(read(folder.path())->error, "") << at;
  }
}

TEST(HostileUftrace, ValuesMayBeAnything) {
  const ScratchFolder folder;
  test::write_uftrace_values(folder / "uftrace.data");
  for (const std::string name : {"info", "42.dat", "9.dat", "app.dbg", "app.sym", "events.txt"}) {
    const std::string whole = test::content_of(folder / "uftrace.data" / name);
    for (size_t at = name == "info" ? 40 : 0; at < whole.size(); at += 3) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(~bytes[at]);
      folder.write("uftrace.data/" + name, bytes);
      EXPECT_EQ(read(folder.path())->error, "") << name << at;
    }
    folder.write("uftrace.data/" + name, whole);
  }
}

TEST(HostileUftrace, TextsMayBeAnything) {
  const ScratchFolder folder;
  for (const std::string name : {"task.txt", "sid-00aa.map", "app.sym", "extern.dat"}) {
    for (const std::string text :
         {"", "SESS\n", "SESS timestamp=9999999999999.1 pid=-1 sid=../../x exename=\"\n",
          "SESS timestamp=1.1 pid=42 sid=00aa exename=\"/\"\nDLOP sid=00aa base=ffffffffffffffff "
          "libname=\"..\"\n",
          "ffffffffffffffff-0 / /\n0-ffffffffffffffff /x\n", "\xFF\xFF\xFF 7 T \xFF\n"}) {
      test::write_uftrace(folder / "uftrace.data");
      folder.write("uftrace.data/" + name, text);
      EXPECT_EQ(read(folder.path())->error, "") << name << ": " << text;
    }
  }
}

TEST(Uftrace, AMapThatIsNotThereIsSaid) {
  const ScratchFolder folder;
  test::write_uftrace(folder / "uftrace.data");
  EXPECT_THAT(read(folder.path())->text(), testing::Not(testing::HasSubstr("map")));
  std::filesystem::remove(folder / "uftrace.data/sid-00aa.map");
  EXPECT_THAT(read(folder.path())->text(), testing::HasSubstr("session whose map"));
}

TEST(Uftrace, ABinaryOfAMapMayHaveNoFolder) {
  const ScratchFolder folder;
  test::write_uftrace(folder / "uftrace.data");
  folder.write("uftrace.data/sid-00aa.map",
               "400000-402000 r-xp 00000000 00:00 0    app\n"
               "7f0000-7f1000 rw-p 00000000 00:00 0    [stack]\n");
  const std::string text = read(folder.path())->text();
  EXPECT_THAT(text, testing::HasSubstr("\"helper(int, char)\""));
  EXPECT_THAT(text, testing::HasSubstr("\"0x7f0040\""));
}

// What `info` and the files themselves say to be there.
TEST(Uftrace, WhatIsMissingIsCounted) {
  const ScratchFolder folder;
  const fs::path recording = folder / "uftrace.data";
  constexpr const char *kThread = "thread whose records (TID.dat) are not there",
                       *kSymbol = "symbol that its file (NAME.sym) lacks: its function has no name",
                       *kTask = "thread that task.txt does not name";
  test::write_uftrace(recording);
  const auto whole = read(folder.path());
  for (const char* kind : {kThread, kSymbol, kTask})
    EXPECT_EQ(whole->sink.loss_count(kind), 0u) << kind;
  fs::remove(recording / "42.dat");
  folder.write("uftrace.data/app.sym", "# symbols: 3\n0000000000000100 00000010 T main\n");
  const std::string tasks = test::content_of(recording / "task.txt");
  folder.write("uftrace.data/task.txt", tasks.substr(0, tasks.find("43 pid")));
  const auto reading = read(folder.path());
  EXPECT_EQ(reading->sink.loss_count(kThread), 1u);
  EXPECT_EQ(reading->sink.loss_count(kSymbol), 2u);
  EXPECT_EQ(reading->sink.loss_count(kTask), 1u);
  test::expect_as_written(fs::path(WEFT_SOURCE_DIR) / "tests/core/formats/uftrace/fail/missing.txt",
                          reading->text());
}

TEST(HostileUftrace, AnotherByteOrderIsRefused) {
  const ScratchFolder folder;
  test::write_uftrace(folder / "uftrace.data");
  std::string info = test::content_of(folder / "uftrace.data/info");
  info[14] = 2;
  folder.write("uftrace.data/info", info);
  test::expect_as_written(
      fs::path(WEFT_SOURCE_DIR) / "tests/core/formats/uftrace/fail/other_byte_order.txt",
      read(folder.path())->text());
}

}  // namespace
}  // namespace weft::formats

// covers FS-62, R7
#include "core/formats/uftrace_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <cstdio>

#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;
using test::read;
using test::ScratchFolder;

enum class Kind : uint8_t { kCall, kReturn, kLost, kEvent };

template <class T>
std::string number(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string record(uint64_t time, Kind kind, uint64_t depth, uint64_t address,
                   bool has_more = false) {
  const uint64_t word = static_cast<uint64_t>(kind) | uint64_t{has_more} << 2 | uint64_t{5} << 3 |
                        depth << 6 | address << 16;
  return number(time) + number(word);
}

// perf's record of a switch away from or to a thread.
std::string switched(int32_t thread, uint64_t time, uint16_t misc) {
  return number(uint32_t{14}) + number(misc) + number(uint16_t{24}) + number(int32_t{42}) +
         number(thread) + number(time);
}

void write_trace(const ScratchFolder& folder) {
  fs::create_directories(folder / "uftrace.data");
  const auto write = [&](const std::string& name, const std::string& content) {
    folder.write("uftrace.data/" + name, content);
  };
  // What follows the head: the program, the command and the threads.
  constexpr uint64_t kSaid = 1 | 1 << 3 | 1 << 7;
  write("info", std::string("Ftrace!\0", 8) + number(uint32_t{4}) + number(uint16_t{40}) +
                    "\x01\x02" + number(uint64_t{0x62}) + number(kSaid) + number(uint64_t{1024}) +
                    "exename:/bin/app\ncmdline:uftrace record app\ntaskinfo:lines=2\n"
                    "taskinfo:nr_tid=2\ntaskinfo:tids=42,43\n");
  write("task.txt",
        "SESS timestamp=0.000000900 pid=42 sid=00aa exename=\"/bin/app\"\n"
        "TASK timestamp=0.000000950 tid=42 pid=42\n"
        "TASK timestamp=0.000001500 tid=43 pid=42\n");
  write("sid-00aa.map",
        "400000-402000 r-xp 00000000 00:00 0    /bin/app\n"
        "7f0000-7f1000 r-xp 00000000 00:00 0    /lib/libc.so.6\n");
  write("app.sym",
        "# symbols: 3\n"
        "0000000000000100 00000010 T main\n"
        "0000000000000110 00000010 t helper(int, char)\n"
        "0000000000001000 00000010 D data\n");
  write("42.dat", record(1000, Kind::kCall, 0, 0x400104) +
                      record(1010, Kind::kCall, 1, 0x400110, true) + number(uint64_t{7}) +
                      number(uint64_t{0}) + record(1020, Kind::kReturn, 1, 0x400110) +
                      record(1030, Kind::kCall, 1, 0x7F0040) + record(1040, Kind::kEvent, 0, 100) +
                      record(1050, Kind::kReturn, 0, 0x400104));
  write("43.dat", record(1500, Kind::kReturn, 2, 0x400110) +
                      record(1510, Kind::kCall, 0, 0x123456789) + record(1520, Kind::kLost, 0, 3) +
                      record(1530, Kind::kCall, 0, 0x400110) + "cut");
  write("perf-cpu0.dat", switched(43, 1400, 0x2000) + switched(43, 1450, 0) +
                             switched(42, 1460, 0x6000) + switched(42, 1470, 0));
  write("extern.dat", "# messages\n0.000001005 half way\nnone\n");
}

TEST(Uftrace, ReadsAsWritten) {
  const ScratchFolder folder;
  write_trace(folder);
  const auto expected = fs::path(WEFT_SOURCE_DIR) / "tests/core/formats/uftrace/succeed/small.txt";
  test::expect_as_written(expected, read(folder.path())->text());
  EXPECT_EQ(read(folder / "uftrace.data/info")->text(), read(folder / "uftrace.data")->text());
}

// By `uftrace dump`: "0.000001000     42: [entry] …".
TEST(Uftrace, HasTheCallsAndTimesOfUftrace) {
  if (std::system("command -v uftrace >/dev/null") != 0) GTEST_SKIP() << "no uftrace";
  const ScratchFolder folder;
  write_trace(folder);
  // Of a thread that lost nothing, and has no arguments, which are described nowhere.
  folder.write("uftrace.data/43.dat", "");
  fs::remove(folder / "uftrace.data/perf-cpu0.dat");
  fs::remove(folder / "uftrace.data/extern.dat");
  folder.write("uftrace.data/42.dat", record(1000, Kind::kCall, 0, 0x400104) +
                                          record(1010, Kind::kCall, 1, 0x400110) +
                                          record(1020, Kind::kReturn, 1, 0x400110) +
                                          record(1050, Kind::kReturn, 0, 0x400104));
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

TEST(HostileUftrace, RecordsMayBeAnything) {
  const ScratchFolder folder;
  write_trace(folder);
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

TEST(HostileUftrace, TextsMayBeAnything) {
  const ScratchFolder folder;
  for (const std::string name : {"task.txt", "sid-00aa.map", "app.sym", "extern.dat"}) {
    for (const std::string text :
         {"", "SESS\n", "SESS timestamp=9999999999999.1 pid=-1 sid=../../x exename=\"\n",
          "SESS timestamp=1.1 pid=42 sid=00aa exename=\"/\"\nDLOP sid=00aa base=ffffffffffffffff "
          "libname=\"..\"\n",
          "ffffffffffffffff-0 / /\n0-ffffffffffffffff /x\n", "\xFF\xFF\xFF 7 T \xFF\n"}) {
      write_trace(folder);
      folder.write("uftrace.data/" + name, text);
      EXPECT_EQ(read(folder.path())->error, "") << name << ": " << text;
    }
  }
}

TEST(HostileUftrace, AnotherByteOrderIsRefused) {
  const ScratchFolder folder;
  write_trace(folder);
  std::string info = test::content_of(folder / "uftrace.data/info");
  info[14] = 2;
  folder.write("uftrace.data/info", info);
  EXPECT_EQ(read(folder.path())->error, "was recorded on a machine of another byte order");
}

}  // namespace
}  // namespace weft::formats

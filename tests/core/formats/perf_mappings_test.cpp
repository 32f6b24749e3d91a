// covers FS-62
// What lies at the addresses of samples, as mappings, forks and new programs change it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/kernel/perf/perf_player.h"
#include "tests/core/formats/perf_data_writer.h"
#include "tests/core/formats/recording_sink.h"

namespace weft::formats {
namespace {

using namespace test::perf_data;
using test::Bytes;

// Plays what changes the memory of processes, and samples of single addresses.
class Addresses {
 public:
  static constexpr uint64_t kKernel = ~uint64_t{0} - 127, kUser = ~uint64_t{0} - 511;
  static constexpr uint16_t kExec = 1 << 13, kDescribed = 1 << 13;

  Addresses() { attributes_.sample_type = kSampled; }
  void map(uint32_t pid, uint64_t begin, uint64_t length, std::string_view name) {
    play(kMmap, 2, mapping(pid, begin, length, name));
  }
  void name(uint32_t pid, uint16_t misc) {
    play(kComm, misc, Bytes().little(pid).little(pid).text("app").little(uint8_t{0}));
  }
  void fork(uint32_t pid, uint32_t parent, uint16_t misc) {
    play(kFork, misc, Bytes().little(pid).little(parent).little(pid).little(parent));
  }
  void at(uint32_t pid, uint64_t address, uint64_t mode = kUser) {
    const auto time = static_cast<uint64_t>(time_);
    play(kSample, 2, sample(uint64_t{1}, pid, 100 + tid_++, time, 0, {mode, address}));
  }
  // The objects that the samples were in, in their order.
  std::vector<std::string> objects() {
    player_.finish();
    std::map<Time, std::string> names;
    for (const trace::StateEvent& state : sink_.state_events())
      names[state.begin] = sink_.dictionary().type(state.type).group;
    std::vector<std::string> out;
    for (const auto& [time, name] : names) out.push_back(name);
    return out;
  }

 private:
  void play(uint32_t type, uint16_t misc, const Bytes& body) {
    player_.play({.time = Time{time_++}, .type = type, .misc = misc, .body = body.str()},
                 attributes_);
  }

  test::RecordingSink sink_;
  perf::Player player_{sink_, 1 << 20};
  perf::Attributes attributes_;
  int64_t time_ = 1;
  uint32_t tid_ = 0;
};

// A library is mapped as a whole, then its parts, then others where it was.
TEST(PerfDataMappings, NewMappingsTakeThePlaceOfThoseThatLayThere) {
  Addresses trace;
  trace.map(7, 0x1000, 0x9000, "/usr/lib/first.so");
  trace.map(7, 0x3000, 0x1000, "/usr/lib/second.so");
  trace.at(7, 0x2FFF);
  trace.at(7, 0x3000);
  trace.at(7, 0x4000);
  trace.map(7, 0x2000, 0x2000, "/usr/lib/third.so");
  trace.at(7, 0x3000);
  trace.at(7, 0x9FFF);
  trace.at(7, 0xA000);
  EXPECT_THAT(trace.objects(), testing::ElementsAre("first.so", "second.so", "first.so", "third.so",
                                                    "first.so", "unknown"));
}

TEST(PerfDataMappings, AnotherProgramHasNothingOfTheOneBefore) {
  Addresses trace;
  trace.map(7, 0x1000, 0x1000, "/usr/bin/shell");
  trace.fork(8, 7, 0);
  trace.at(8, 0x1000);
  trace.name(8, 0);
  trace.at(8, 0x1000);
  trace.name(8, Addresses::kExec);
  trace.at(8, 0x1000);
  trace.map(8, 0x5000, 0x1000, "/usr/bin/app");
  trace.at(8, 0x5000);
  trace.fork(8, 7, Addresses::kDescribed);
  trace.at(8, 0x5000);
  trace.fork(8, 7, 0);  // the number is used again
  trace.at(8, 0x5000);
  EXPECT_THAT(trace.objects(),
              testing::ElementsAre("shell", "shell", "unknown", "app", "app", "unknown"));
}

TEST(PerfDataMappings, AddressesOfProgramsAreNotTheKernels) {
  constexpr uint64_t kShown = 0xFFFF'FFFF'FF60'0000;
  Addresses trace;
  trace.map(UINT32_MAX, 0, UINT64_MAX, "[kernel.kallsyms]_text");
  trace.at(7, 0x1000);
  trace.at(7, 0x1000, Addresses::kKernel);
  trace.at(7, kShown);
  EXPECT_THAT(trace.objects(),
              testing::ElementsAre("unknown", "[kernel.kallsyms]", "[kernel.kallsyms]"));
}

}  // namespace
}  // namespace weft::formats

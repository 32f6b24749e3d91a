// covers FS-62, R7
#include "core/formats/profiles/ghc/ghc_reader.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "core/formats/profiles/ghc/ghc_event.h"
#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats::ghc {
namespace {

using test::Bytes;
using test::read;
using test::ScratchFolder;
using std::string_view_literals::operator""sv;

// A log of GHC, event by event; sizes of -1 are in the events.
class GhcWriter {
 public:
  struct Type {
    uint16_t number;
    int size;
    std::string_view name;
  };
  // `more` types than most cases need.
  explicit GhcWriter(std::initializer_list<Type> more = {}) {
    bytes_.text("hdrbhetb");
    const auto type = [this](uint16_t number, int size, std::string_view name) {
      bytes_.text("etb\0"sv).big(number).big(static_cast<uint16_t>(size));
      bytes_.big(static_cast<uint32_t>(name.size())).text(name).big(uint32_t{0});
      bytes_.text("ete\0"sv);
    };
    type(kCreateThread, 4, "Create thread");
    type(kRunThread, 4, "Run thread");
    type(kStopThread, 10, "Stop thread");
    type(kThreadRunnable, 4, "Thread runnable");
    type(kMigrateThread, 6, "Migrate thread");
    type(kGcStart, 0, "Starting GC");
    type(kGcEnd, 0, "Finished GC");
    type(kBlock, 14, "Block marker");
    type(kUserMessage, -1, "User message");
    type(kGcWork, 0, "GC working");
    type(kRuntime, -1, "RTS name and version");
    type(kProcess, 8, "Process ID");
    type(37, 0, "Spark overflow");
    type(kThreadLabel, -1, "Thread label");
    type(kHeapLive, 12, "Current heap live data");
    type(kHeapSampleBegin, 8, "Start of heap profile sample");
    type(kHeapSample, -1, "Heap profile string sample");
    type(kHeapSampleEnd, 8, "End of heap profile sample");
    for (const Type& each : more) type(each.number, each.size, each.name);
    bytes_.text("hetehdredatb");
  }
  void event(uint16_t type, uint64_t time, const Bytes& payload = {}) {
    bytes_.big(type).big(time).text(payload.str());
  }
  void sized(uint16_t type, uint64_t time, const Bytes& payload) {
    bytes_.big(type).big(time).big(static_cast<uint16_t>(payload.size())).text(payload.str());
  }
  // Events of one capability, which others write.
  void block(uint16_t capability, const GhcWriter& events) {
    const std::string& all = events.bytes_.str();
    const std::string_view body = std::string_view(all).substr(GhcWriter().bytes_.size());
    constexpr uint32_t kMarker = 24;
    event(
        kBlock, 0,
        Bytes().big(static_cast<uint32_t>(kMarker + body.size())).big(uint64_t{0}).big(capability));
    bytes_.text(body);
  }
  void end() { bytes_.big(uint16_t{kEnd}); }
  void raw(std::string_view bytes) { bytes_.text(bytes); }
  const std::string& bytes() const { return bytes_.str(); }

  static Bytes thread(uint32_t number) { return Bytes().big(number); }
  static Bytes stop(uint32_t number, uint16_t status) {
    return Bytes().big(number).big(status).big(uint32_t{0});
  }

 private:
  Bytes bytes_;
};

// Two capabilities whose buffers stand one after the other.
std::string every_ghc_record() {
  GhcWriter first, second, w;
  first.event(kCreateThread, 100, GhcWriter::thread(1));
  first.sized(kThreadLabel, 101, Bytes().big(uint32_t{1}).text("main"));
  first.event(kRunThread, 110, GhcWriter::thread(1));
  first.sized(kUserMessage, 120, Bytes().text("hello"));
  first.event(kThreadRunnable, 130, GhcWriter::thread(2));
  first.event(kStopThread, 200, GhcWriter::stop(1, 7));  // on an MVar
  first.event(kGcStart, 210);
  first.event(kGcWork, 211);
  first.event(kGcEnd, 230);
  first.event(kHeapLive, 231, Bytes().big(uint32_t{0}).big(uint64_t{4096}));
  second.event(kCreateThread, 105, GhcWriter::thread(2));
  second.event(kRunThread, 150, GhcWriter::thread(2));
  second.event(37, 160);
  second.event(kMigrateThread, 170, Bytes().big(uint32_t{2}).big(uint16_t{0}));
  second.event(kThreadRunnable, 180, GhcWriter::thread(1));
  second.event(kStopThread, 190, GhcWriter::stop(2, 5));  // finished
  w.sized(kRuntime, 1, Bytes().big(uint32_t{0}).text("GHC-9.6.1"));
  w.event(kProcess, 2, Bytes().big(uint32_t{0}).big(uint32_t{4711}));
  w.block(0, first);
  w.block(1, second);
  w.end();
  return w.bytes();
}

// Two samples; what the second does not name is gone.
std::string heap_profile() {
  GhcWriter w;
  const auto part = [&](uint64_t time, uint64_t bytes, std::string_view name) {
    w.sized(kHeapSample, time, Bytes().big(uint8_t{0}).big(bytes).text(name).big(uint8_t{0}));
  };
  w.event(kHeapSampleBegin, 100, Bytes().big(uint64_t{1}));
  part(100, 4096, "Map.Bin");
  part(101, 64, "ARR_WORDS");
  w.event(kHeapSampleEnd, 102, Bytes().big(uint64_t{1}));
  w.event(kHeapSampleBegin, 200, Bytes().big(uint64_t{2}));
  part(200, 8192, "Map.Bin");
  w.sized(kHeapSample, 201, Bytes().text("cut"));
  w.event(kHeapSampleEnd, 202, Bytes().big(uint64_t{2}));
  w.end();
  return w.bytes();
}

// Events that become no more than their fields: known ones, one that is cut, one that is longer
// than its fields, one that nobody knows.
std::string fields() {
  constexpr uint16_t kOfNobody = 250;
  GhcWriter w({{kThreadWakeup, 6, "Wakeup thread"},
               {kCapsetCreate, 6, "Create capability set"},
               {kTaskCreate, 18, "Task create"},
               {kTimeProfileBegin, 12, "Start of a time profile"},
               {kCostCentre, -1, "Cost centre definition"},
               {kTimeSample, -1, "Time profile cost-centre stack"},
               {kProgramEnvironment, -1, "Program environment variables"},
               {181, -1, "User binary message"},
               {kOfNobody, 3, "Of nobody"}});
  w.sized(kProgramEnvironment, 1, Bytes().big(uint32_t{0}).text("HOME=/\0LANG=C\0"sv));
  w.event(kCapsetCreate, 2, Bytes().big(uint32_t{1}).big(uint16_t{3}));
  w.event(kTaskCreate, 3, Bytes().big(uint64_t{0x7f00}).big(uint16_t{2}).big(uint64_t{4712}));
  w.sized(kCostCentre, 4, Bytes().big(uint32_t{7}).text("fib\0Main\0Fib.hs:3\0"sv).big(uint8_t{1}));
  w.event(kTimeProfileBegin, 5, Bytes().big(uint64_t{1000}).text("more"));
  w.sized(kTimeSample, 6, Bytes().big(uint32_t{0}).big(uint64_t{1}).big(uint8_t{2}).text("cut"));
  w.sized(181, 7, Bytes().text("any\xff"));
  w.event(kOfNobody, 8, Bytes().text("\1\2\3"));
  w.event(kRunThread, 10, GhcWriter::thread(1));
  w.event(kStopThread, 20, Bytes().big(uint32_t{1}).big(uint16_t{2}).big(uint32_t{110}));
  w.event(kRunThread, 30, GhcWriter::thread(1));
  w.event(kStopThread, 40, Bytes().big(uint32_t{1}).big(uint16_t{8}).big(uint32_t{3}));
  w.event(kThreadWakeup, 50, Bytes().big(uint32_t{1}).big(uint16_t{2}));
  w.event(kRunThread, 60, GhcWriter::thread(1));
  w.end();
  return w.bytes();
}

Bytes stack(std::initializer_list<uint32_t> innermost_first) {
  Bytes bytes;
  bytes.big(static_cast<uint8_t>(innermost_first.size()));
  for (const uint32_t each : innermost_first) bytes.big(each);
  return bytes;
}

// Stacks of cost centres: where time went, and what the heap was used for.
std::string profiles() {
  GhcWriter w({{kHeapProfileBegin, -1, "Start of heap profile"},
               {kCostCentre, -1, "Cost centre definition"},
               {kHeapSampleOfStack, -1, "Heap profile cost-centre sample"},
               {kTimeSample, -1, "Time profile cost-centre stack"},
               {kTimeProfileBegin, 8, "Start of a time profile"}});
  const auto centre = [&](uint32_t number, std::string_view texts) {
    w.sized(kCostCentre, 2, Bytes().big(number).text(texts).big(uint8_t{0}));
  };
  const auto tick = [&](uint64_t time, std::initializer_list<uint32_t> innermost_first) {
    w.sized(kTimeSample, time,
            Bytes().big(uint32_t{1}).big(time / 100).text(stack(innermost_first).str()));
  };
  const auto part = [&](uint64_t time, uint64_t bytes,
                        std::initializer_list<uint32_t> innermost_first) {
    w.sized(kHeapSampleOfStack, time,
            Bytes().big(uint8_t{0}).big(bytes).text(stack(innermost_first).str()));
  };
  w.event(kTimeProfileBegin, 1, Bytes().big(uint64_t{100}));
  centre(1, "MAIN\0MAIN\0<built-in>\0"sv);
  centre(2, "fib\0Main\0Fib.hs:3:1-9\0"sv);
  centre(4, "fib\0Main\0Fib.hs:8:1-9\0"sv);
  tick(100, {2, 1});
  tick(200, {2, 2, 1});
  tick(300, {1});
  tick(900, {3, 1});  // of a cost centre that nobody named
  tick(1000, {});
  w.event(kHeapSampleBegin, 1100, Bytes().big(uint64_t{1}));
  part(1100, 4096, {2, 1});
  part(1101, 64, {});
  part(1101, 32, {4, 1});
  w.event(kHeapSampleEnd, 1102, Bytes().big(uint64_t{1}));
  w.end();
  return w.bytes();
}

// Samples that were written long after they were taken.
std::string biographies() {
  GhcWriter w({{kBiographySampleBegin, 16, "Start of heap profile (biographical) sample"}});
  const auto part = [&](uint64_t bytes, std::string_view name) {
    w.sized(kHeapSample, 1200, Bytes().big(uint8_t{0}).big(bytes).text(name).big(uint8_t{0}));
  };
  w.event(kBiographySampleBegin, 1200, Bytes().big(uint64_t{1}).big(uint64_t{600}));
  part(32, "DRAG");
  w.event(kHeapSampleEnd, 1200, Bytes().big(uint64_t{1}));
  w.event(kBiographySampleBegin, 1200, Bytes().big(uint64_t{2}).big(uint64_t{700}));
  part(64, "LAG");
  w.event(kHeapSampleEnd, 1200, Bytes().big(uint64_t{2}));
  w.end();
  return w.bytes();
}

// A counter is named behind its last sample.
std::string ticky() {
  GhcWriter w({{kTickyCounter, -1, "Ticky-ticky entry counter definition"},
               {kTickySample, 32, "Ticky-ticky entry counter sample"}});
  const auto sample = [&](uint64_t time, uint64_t counter, uint64_t entries) {
    w.event(kTickySample, time,
            Bytes().big(counter).big(entries).big(entries * 8).big(uint64_t{0}));
  };
  const auto counter = [&](uint64_t time, uint64_t number, std::string_view texts) {
    w.sized(kTickyCounter, time,
            Bytes().big(number).big(uint16_t{1}).text(texts).big(uint64_t{0x4067a0}));
  };
  counter(100, 0x10, "M\0fib{v r1}\0"sv);
  sample(200, 0x10, 5);
  sample(200, 0x20, 7);
  sample(300, 0x10, 9);
  counter(400, 0x20, "\0main{v r2}\0"sv);
  w.end();
  return w.bytes();
}

// Marking goes on while the program is stopped; a phase without its end; a census with a logarithm.
std::string concurrent_collector() {
  GhcWriter w({{kMarkBegin, 0, "Begin concurrent mark phase"},
               {kMarkEnd, 4, "End concurrent mark phase"},
               {kSyncBegin, 0, "Begin concurrent GC synchronisation"},
               {kSyncEnd, 0, "End concurrent GC synchronisation"},
               {kSweepBegin, 0, "Begin concurrent sweep"},
               {kSweepEnd, 0, "End concurrent sweep"},
               {kRememberedSetFlush, 2, "Update remembered set flushed"},
               {kHeapCensus, 13, "Nonmoving heap census"},
               {kPrunedSegments, 8, "Segments pruned"}});
  const auto marked = [](uint32_t objects) { return Bytes().big(objects); };
  w.event(kMarkBegin, 100);
  w.event(kMarkEnd, 200, marked(6677));
  w.event(kSyncBegin, 210);
  w.event(kRememberedSetFlush, 215, Bytes().big(uint16_t{1}));
  w.event(kMarkBegin, 220);
  w.event(kMarkEnd, 230, marked(1));
  w.event(kSyncEnd, 240);
  w.event(kSweepBegin, 250);
  w.event(kSweepEnd, 270);
  w.event(kPrunedSegments, 275, Bytes().big(uint32_t{4}).big(uint32_t{2}));
  const auto census = [&](uint8_t logarithm, uint32_t active) {
    w.event(kHeapCensus, 280,
            Bytes().big(logarithm).big(active).big(uint32_t{8}).big(uint32_t{99}));
  };
  census(3, 1);
  census(5, 2);
  census(200, 3);  // of a size that no block has
  w.event(kMarkBegin, 300);
  w.end();
  return w.bytes();
}

std::string census_with_sizes() {
  GhcWriter w({{kHeapCensus, 14, "Nonmoving heap census"}});
  w.event(kHeapCensus, 10,
          Bytes().big(uint16_t{24}).big(uint32_t{1}).big(uint32_t{2}).big(uint32_t{3}));
  w.end();
  return w.bytes();
}

// What machine 1 of an Eden program sent and received: within it, to and from others, at once.
std::string messages() {
  GhcWriter w({{kProcessCreate, 4, "Creating Process"},
               {kMachineCreate, 10, "Creating machine"},
               {kSend, 19, "Sending message"},
               {kReceive, 23, "Receiving message"},
               {kSendLocal, 17, "Sending/Receiving local message"}});
  const auto send = [&](uint64_t time, uint16_t machine) {
    w.event(kSend, time,
            Bytes()
                .big(uint8_t{0x57})
                .big(uint32_t{1})
                .big(uint32_t{5})
                .big(machine)
                .big(uint32_t{2})
                .big(uint32_t{9}));
  };
  const auto receive = [&](uint64_t time, uint16_t machine) {
    w.event(kReceive, time,
            Bytes()
                .big(uint8_t{0x57})
                .big(uint32_t{2})
                .big(uint32_t{9})
                .big(machine)
                .big(uint32_t{1})
                .big(uint32_t{5})
                .big(uint32_t{640}));
  };
  w.event(kMachineCreate, 1, Bytes().big(uint16_t{1}).big(uint64_t{123}));
  w.event(kProcessCreate, 2, Bytes().big(uint32_t{2}));
  send(10, 1);
  send(11, 1);
  send(12, 3);
  receive(20, 1);
  receive(21, 3);
  receive(22, 1);
  w.event(kSendLocal, 30,
          Bytes()
              .big(uint8_t{0x57})
              .big(uint32_t{1})
              .big(uint32_t{5})
              .big(uint32_t{2})
              .big(uint32_t{9}));
  send(40, 1);  // never received
  w.end();
  return w.bytes();
}

// What the runtime says of itself and of its collections.
std::string statistics() {
  GhcWriter of_capability, w({{kParentProcess, 8, "Parent process ID"},
                              {kWallClock, 16, "Wall clock time"},
                              {kSparkCounters, 56, "Spark counters"},
                              {kHeapInfo, 38, "Heap static parameters"},
                              {kGcStats, 58, "GC statistics"},
                              {kMemoryReturn, 16, "Memory return statistics"},
                              {kBlocksSize, 12, "Size of allocated blocks"}});
  const auto sparks = [&](uint64_t time, uint64_t created) {
    Bytes sums;
    sums.big(created);
    for (uint64_t i = 1; i < 7; ++i) sums.big(created * i);
    of_capability.event(kSparkCounters, time, sums);
  };
  w.event(kParentProcess, 1, Bytes().big(uint32_t{0}).big(uint32_t{4710}));
  w.event(kWallClock, 2,
          Bytes().big(uint32_t{1}).big(uint64_t{1571218808}).big(uint32_t{124615000}));
  w.event(kHeapInfo, 3,
          Bytes()
              .big(uint32_t{0})
              .big(uint16_t{2})
              .big(uint64_t{0})
              .big(uint64_t{1} << 20)
              .big(uint64_t{1} << 20)
              .big(uint64_t{4096}));
  w.event(kGcStats, 100,
          Bytes()
              .big(uint32_t{0})
              .big(uint16_t{1})
              .big(uint64_t{24})
              .big(uint64_t{16816})
              .big(uint64_t{884736})
              .big(uint32_t{2})
              .big(uint64_t{14})
              .big(uint64_t{23})
              .big(uint64_t{9}));
  w.event(kBlocksSize, 101, Bytes().big(uint32_t{0}).big(uint64_t{4276224}));
  w.event(kMemoryReturn, 102,
          Bytes().big(uint32_t{0}).big(uint32_t{5}).big(uint32_t{9}).big(uint32_t{1}));
  sparks(110, 0);
  sparks(120, 3);
  w.block(0, of_capability);
  w.end();
  return w.bytes();
}

std::string damaged_ghc() {
  GhcWriter w;
  w.event(kGcEnd, 10);
  w.event(kRunThread, 20, GhcWriter::thread(1));
  w.event(kStopThread, 15, GhcWriter::stop(1, 99));
  w.event(kRunThread, 30, GhcWriter::thread(1));
  w.event(999, 40);  // of no type that the header has
  w.event(kGcStart, 50);
  return w.bytes();
}

TEST(Ghc, CasesAreWhatIsWritten) {
  test::expect_case("ghc/succeed/everything.eventlog", every_ghc_record());
  test::expect_case("ghc/succeed/heap_profile.eventlog", heap_profile());
  test::expect_case("ghc/succeed/fields.eventlog", fields());
  test::expect_case("ghc/succeed/profiles.eventlog", profiles());
  test::expect_case("ghc/succeed/biographies.eventlog", biographies());
  test::expect_case("ghc/succeed/ticky.eventlog", ticky());
  test::expect_case("ghc/succeed/concurrent_collector.eventlog", concurrent_collector());
  test::expect_case("ghc/succeed/census_with_sizes.eventlog", census_with_sizes());
  test::expect_case("ghc/succeed/messages.eventlog", messages());
  test::expect_case("ghc/succeed/statistics.eventlog", statistics());
  test::expect_case("ghc/fail/damaged.eventlog", damaged_ghc());
  test::expect_case("ghc/fail/header.eventlog", "hdrbhetbetb");
}

TEST(Ghc, LateEventsOfASmallMemoryAreCounted) {
  GhcWriter first, second, w;
  for (uint64_t i = 0; i < 3000; ++i) first.event(kGcWork, 1'000'000 + i);
  for (uint64_t i = 0; i < 3000; ++i) second.event(kGcWork, i);
  w.block(0, first);
  w.block(1, second);
  w.end();
  const ScratchFolder folder;
  const auto reading = read(folder.write("t", w.bytes()), {"ghc", 0, 64 << 10});
  EXPECT_EQ(reading->sink.punctual_events().size(), 6000u);
  EXPECT_GT(reading->sink.loss_count("event later than the window of order"), 0u);
}

}  // namespace
}  // namespace weft::formats::ghc

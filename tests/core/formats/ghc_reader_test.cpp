// covers FS-62, R7
#include "core/formats/profiles/ghc/ghc_reader.h"

#include <gtest/gtest.h>

#include "core/formats/profiles/ghc/ghc_event.h"
#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats::ghc {
namespace {

using test::Bytes;
using test::read;
using test::ScratchFolder;

// A log of GHC, event by event; sizes of -1 are in the events.
class GhcWriter {
 public:
  GhcWriter() {
    bytes_.text("hdrbhetb");
    const auto type = [this](uint16_t number, int size, std::string_view name) {
      bytes_.text(std::string_view("etb\0", 4)).big(number).big(static_cast<uint16_t>(size));
      bytes_.big(static_cast<uint32_t>(name.size())).text(name).big(uint32_t{0});
      bytes_.text(std::string_view("ete\0", 4));
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

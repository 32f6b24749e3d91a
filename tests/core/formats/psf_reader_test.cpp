// covers FS-62, R7
#include "core/formats/embedded/psf/psf_reader.h"

#include <gtest/gtest.h>

#include <bit>

#include "core/formats/embedded/psf/clock.h"
#include "core/formats/embedded/psf/events.h"
#include "core/formats/embedded/psf/print.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/cuts.h"
#include "tests/core/formats/psf_writer.h"

namespace weft::formats::psf {
namespace {

using test::PsfEntry;
using test::PsfTarget;
using test::PsfWriter;
using test::read;
using test::ScratchFolder;

constexpr uint64_t kStartup = 2, kHeapAt = 0x100, kWorker = 0x200, kMain = 0x300, kTick = 0x400,
                   kUart = 0x410, kQueue = 0x500, kGate = 0x600, kLog = 0x700, kLoad = 0x720,
                   kMode = 0x740, kOff = 0x750, kOn = 0x760, kSet = 0x780, kRead = 0x7A0,
                   kStep = 0x7C0, kExtension = 0x7E0;

std::vector<PsfEntry> entries() {
  return {{kHeapAt, "System Heap", {64, 64, 4096}, 0x8000'0000},
          {kTick, "Tick", {10}},
          {kUart, "UART", {5}},
          {kMode, "mode", {kOff}, 0x2000'0000},
          {kOff, "off", {kMode}, 0x1000'0000},
          {kLoad, "load", {7, 0, 100}, 0x0400'0000},
          {kLog, "log"}};
}

// Work of tasks with a queue and a semaphore, with interrupts in between.
void add_work(PsfWriter& w) {
  w.event(0x01, 10, {kStartup});
  w.event(0x03, 11, {kWorker}, "worker");
  w.event(0x10, 12, {kWorker, 3});
  w.event(0x03, 13, {kMain}, "main");
  w.event(0x10, 14, {kMain, 1});
  w.event(0x03, 15, {kQueue}, "jobs");
  w.event(0x11, 16, {kQueue, 4});
  w.event(0x03, 17, {kGate}, "gate");
  w.event(0x12, 18, {kGate, 0});
  w.event(0x30, 20, {kWorker});
  w.event(0x30, 21, {kMain});
  w.event(0x37, 30, {kWorker, 3});
  w.event(0x66, 40, {kQueue, 0xFFFF'FFFF, 0});  // waits for a job
  w.event(0x37, 42, {kMain, 1});
  w.event(0x38, 50, {0x2000'1000, 32});
  w.event(0x50, 60, {kQueue, 1});
  w.event(0x30, 61, {kWorker});
  w.event(0x37, 63, {kWorker});
  w.event(0x60, 64, {kQueue, 0xFFFF'FFFF, 0});
  w.event(0x39, 65, {0x2000'1000, 32});
  w.event(0x67, 70, {kGate, 100, 0});  // waits for the gate
  w.event(0x37, 72, {kMain});
  w.event(0x33, 80, {kTick});
  w.event(0x31, 81, {7});
  w.event(0x33, 82, {kUart});  // more urgent: interrupts the other
  w.event(0x5A, 83, {kGate, 1});
  w.event(0x30, 84, {kWorker});
  w.event(0x34, 85, {kTick});
  w.event(0x33, 87, {kTick});  // that ended unsaid
  w.event(0x37, 90, {kWorker});
  w.event(0x61, 91, {kGate, 100, 0});
  w.event(0x7A, 95, {5});
  w.event(0x37, 96, {kMain});
}

// All else that is not a call of a kernel.
void add_measures(PsfWriter& w) {
  w.event(0x92, 100, {kLog, static_cast<uint32_t>(-5)}, "value %d");
  w.event(0x91, 101, {0}, "hello\n");
  w.event(0x93, 102, {kLog, kGate, 0xBEEF}, "%s is %#06x%%");
  w.event(0x99, 103, {0x0800'1000, 0x0800'2000, 42});  // a format in the program
  w.event(0xF4, 110, {kLoad, static_cast<uint32_t>(-3)});
  w.event(0xF5, 111, {kLoad});
  w.event(0xEE, 112, {kMode, kOn});
  w.event(0x03, 113, {kOn}, "on");
  w.event(0xEC, 114, {kOn, kMode});
  w.event(0xEE, 115, {kMode, kOn});
  w.event(0x03, 116, {kSet}, "sensors");
  w.event(0xF8, 117, {kSet, 0});
  w.event(0x03, 118, {kRead}, "read");
  w.event(0xEF, 119, {kRead, kSet});
  w.event(0xF0, 120, {kRead, 1, 500});
  w.event(0xF0, 121, {kRead, 2, 501});
  w.event(0xF7, 125, {kRead, 1});
  w.event(0xF7, 127, {kRead, 2});
  w.event(0xF9, 130, {kStep}, "step");
  w.event(0xFA, 131, {kStep});
  w.event(0xFB, 135, {kStep});
  w.event(0x04, 136, {kMain, 4});
  w.event(0x3A, 140, {20});
  w.event(0x3B, 150);
  w.event(0xEB, 151, {kWorker, 77});
  w.event(0x03, 152, {kExtension}, "Radio");
  w.event(0xF1, 153, {kExtension, 1, 0x200, 2});
  w.event(0x201, 154, {1, 2});
  w.event(0x3FF, 155, {3});  // means nothing
  w.event(0xB4, 156, {0x900, 0x12});
  w.event(0x79, 157, {1234});
}

// A second start of the recorder, whose timer began anew; then what ends.
void add_rest(PsfWriter& w) {
  w.lose(3);
  w.event(0x7C, 160, {kWorker});
  w.session(entries());
  w.event(0x01, 5, {kMain});
  w.event(0xC9, 6, {kWorker});
  w.event(0x37, 7, {kWorker});
  w.event(0xCA, 8, {kWorker, 10});
  w.event(0xCB, 9, {kWorker, 10});
  w.event(0x37, 12, {kMain});
  w.event(0x20, 14, {kWorker, 3});
  w.event(0x30, 16, {kWorker});
  w.event(0x78, 18, {0x910, 3});
}

std::string every_event(const PsfTarget& target) {
  PsfWriter w(target);
  w.session(entries());
  add_work(w);
  add_measures(w);
  add_rest(w);
  return w.bytes();
}

// Two cores, each with a counter of its own; what the second says is a little late.
std::string two_cores() {
  PsfWriter w({.version = 13, .options = 1, .cores = 2});
  w.session({{kTick, "Tick", {1}}, {kUart, "UART", {9}}, {kMain, "main"}, {kWorker, "worker"}});
  w.event(0x01, 1000, {kMain, kWorker});
  w.event(0x33, 1010, {kTick}, {}, 1);
  w.event(0x33, 1008, {kUart}, {}, 0);
  w.event(0x33, 1012, {kUart}, {}, 1);  // the greater number is more urgent
  w.event(0x34, 1014, {kTick}, {}, 1);
  w.event(0x37, 1016, {kMain}, {}, 0);
  w.lose(2, 1);
  w.event(0x37, 1020, {kWorker}, {}, 1);
  w.event(0x37, 1030, {0}, {}, 1);
  return w.bytes();
}

// The kernels number their events in different ways.
std::string zephyr() {
  PsfWriter w({.platform = 0x9AA9, .frequency = 0});
  w.session({});
  w.event(0x10, 5, {kMain, 512, static_cast<uint32_t>(-1)});
  w.event(0x03, 6, {kMain}, "main");
  w.event(0x37, 7, {kMain, static_cast<uint32_t>(-1)});
  w.event(0x67, 8, {kGate, static_cast<uint32_t>(-1), 0});
  w.event(0x61, 9, {kGate, 0, 0});
  w.event(0x2C, 10, {20});
  w.event(0x37, 11, {kWorker});
  w.event(0x30, 20, {kMain});
  w.event(0x37, 21, {kMain});
  w.event(0x2D, 22);
  w.event(0x91, 23, {0}, "zephyr");
  return w.bytes();
}

std::string threadx() {
  PsfWriter w({.platform = 0xEAAE});
  w.session({{kMain, "main"}, {kWorker, "worker"}});
  w.event(1001, 5, {kMain});
  w.event(4016, 6, {kMain, 4});
  w.event(69, 7, {kQueue, 0x2000, 1});
  w.event(2069, 8, {kQueue, 0x2000, 1});
  w.event(1002, 9, {kWorker});
  w.event(2068, 10, {kQueue, 0x2000, 1});
  w.event(4016, 11);
  w.event(4031, 12, {0}, "thread");
  return w.bytes();
}

std::string bare_metal() {
  PsfWriter w({.platform = 0x1FF1});
  w.session({{kTick, "Tick", {3}}});
  w.event(0x10, 5, {kMain, 1});
  w.event(0x25, 6, {kMain, 1});
  w.event(0x21, 8, {kTick});
  w.event(0x25, 9, {kMain});
  w.event(0x51, 12, {0}, "loop");
  return w.bytes();
}

// A timer of 100 values that counts down, and came round twice before.
std::string periods() {
  PsfWriter w({.timer = 6, .period = 100, .frequency = 1'000, .wraparounds = 2, .latest = 40});
  w.session({});
  w.event(0x01, 39, {kStartup});
  w.event(0x31, 0, {1});
  w.event(0x31, 99, {2});
  w.event(0x31, 98, {3});
  return w.bytes();
}

// Printfs that a program sends as events of its own; they end anywhere.
std::string own_prints() {
  PsfWriter w({});
  w.raw("\x01\x02\x03");
  w.session({{kLog, "log"}});
  w.event(0x01, 1, {kStartup});
  w.event(0xFA0, 2);
  w.number(kLog, 4), w.number(2, 2), w.number(7, 2), w.number(1, 4), w.number(2, 4);
  w.raw("%u + %u");
  w.event(0xFA0, 3);
  w.number(0, 4), w.number(0, 2), w.number(3, 2);
  w.raw("end");
  w.event(0xFA1, 4);  // which has none
  w.event(0x31, 5, {1});
  return w.bytes();
}

std::string damaged_recording() {
  PsfWriter w({});
  w.session({{kMain, "main"}});
  w.event(0x01, 1, {kMain});
  w.raw("\xFF\xFE\xFD\xFC\xFB");
  w.event(0x37, 5, {kWorker});
  w.event(0x37, 6, {kMain});
  w.event(0xF7, 7, {kRead, 1});  // of none
  w.event(0x3B, 8);              // never slept
  w.event(0xF0, 9, {kRead, 1, 2});
  w.event(0xF0, 10, {kRead, 1, 2});
  w.event(0x37, 11);  // of whom?
  w.event(0x31, 12, {1});
  w.raw(std::string_view("\0FSP\x0E\0\xA1\x1A", 8));
  w.raw(std::string(60, '\x7F'));
  w.event(0x31, 14, {2});
  w.event(0x31, 15, {3});
  w.raw("\x31\x10\x40");
  return w.bytes();
}

TEST(Psf, CasesAreWhatIsWritten) {
  test::expect_case("psf/succeed/everything.psf", every_event({}));
  test::expect_case("psf/succeed/everything_big_wide.psf",
                    every_event({.is_big = true, .is_wide = true}));
  test::expect_case("psf/succeed/everything_v10.psf", every_event({.version = 10}));
  test::expect_case("psf/succeed/two_cores.psf", two_cores());
  test::expect_case("psf/succeed/zephyr.psf", zephyr());
  test::expect_case("psf/succeed/threadx.psf", threadx());
  test::expect_case("psf/succeed/bare_metal.psf", bare_metal());
  test::expect_case("psf/succeed/periods.psf", periods());
  test::expect_case("psf/fail/own_prints.psf", own_prints());
  test::expect_case("psf/fail/damaged.psf", damaged_recording());
}

// Order of bytes, size of words and version change nothing.
TEST(Psf, AllTargetsSayTheSame) {
  const ScratchFolder folder;
  const auto text_of = [&](const PsfTarget& target) {
    std::string text = read(folder.write("t.psf", every_event(target)))->text();
    // Places and the version differ.
    const size_t version = text.find("version of the recording");
    text.erase(version, text.find('\n', version) - version);
    return text.substr(0, text.find("\nnote"));
  };
  const std::string expected = text_of({});
  EXPECT_EQ(text_of({.version = 10}), expected);
  EXPECT_EQ(text_of({.version = 12}), expected);
  EXPECT_EQ(text_of({.is_big = true}), expected);
}

TEST(Psf, AnyCutIsReadUpToIt) {
  const std::string whole = every_event({});
  const ScratchFolder folder;
  for (const size_t size : test::cuts_of(whole.size())) {
    const auto reading = read(folder.write("t.psf", whole.substr(0, size)), {.format = "psf"});
    EXPECT_LE(reading->sink.total(), 1000u);
  }
}

TEST(Psf, NoOtherFileIsOne) {
  const auto sniff = [](std::string_view text) {
    return sniff_psf(std::as_bytes(std::span(text)));
  };
  EXPECT_EQ(sniff(std::string(4096, '\0')), 0);
  EXPECT_EQ(sniff("PSF is a font"), 0);
  EXPECT_GT(sniff(bare_metal()), 90);
  EXPECT_GT(sniff("\r\n" + bare_metal()), 50);
}

TEST(PsfClock, TimersComeRound) {
  Clock clock;
  Session session;
  session.frequency = 1'000'000'000;
  session.latest = 0xFFFF'FFF0;
  session.wraparounds = 1;
  clock.start(session);
  constexpr int64_t kRound = int64_t{1} << 32;
  EXPECT_EQ(clock.time(0xFFFF'FFFF).ticks, 2 * kRound - 1);
  EXPECT_EQ(clock.time(5).ticks, 2 * kRound + 5);
  EXPECT_EQ(clock.time(4).ticks, 3 * kRound + 4);
}

TEST(PsfClock, TicksOfTheSystemAreCounted) {
  Clock clock;
  Session session;
  session.frequency = 1'000'000'000;
  session.timer = Timer::kTickDown;
  session.period = 1000;
  session.ticks = 255;
  session.latest = 0xFF00'0000 | 999;
  clock.start(session);
  EXPECT_EQ(clock.time(0xFF00'0000 | 900).ticks, 255'099);
  EXPECT_EQ(clock.time(0xFF00'0000 | 990).ticks, 255'099);  // the tick is late
  EXPECT_EQ(clock.time(0x0000'0000 | 980).ticks, 256'019);
}

TEST(PsfPrint, FormatsAreThoseOfPrintf) {
  const auto name = [](uint64_t address) { return address == 1 ? "one" : "other"; };
  const auto print = [&](std::string_view format, std::vector<uint64_t> values) {
    return printed(format, values, 4, name);
  };
  EXPECT_EQ(print("%d|%5d|%-5d|%05d|%+d", {0xFFFF'FFFF, 42, 42, 42, 42}),
            "-1|   42|42   |00042|+42");
  EXPECT_EQ(print("%x %X %#x %o %lu", {255, 255, 255, 8, 7}), "ff FF 0xff 10 7");
  EXPECT_EQ(print("%bd %bu %hd", {0xFC, 0x1FF, 0xFFFE}), "-4 255 -2");
  EXPECT_EQ(print("%s %5s %.2s %c %p", {1, 1, 1, 'x', 16}), "one   one on x 0x10");
  EXPECT_EQ(print("%f %.1f", {std::bit_cast<uint32_t>(-1.5f), std::bit_cast<uint32_t>(0.25f)}),
            "-1.500000 0.2");
  EXPECT_EQ(print("100%% %d %d %y", {1}), "100% 1 %d %y");
  EXPECT_EQ(print("%", {1}), "%");
  EXPECT_EQ(print("%99999d", {1}).size(), 256u);
}

TEST(PsfEvents, NamesOfParametersFitWhatTheyDo) {
  for (const auto events :
       {freertos_events(), zephyr_events(), threadx_events(), bare_metal_events()}) {
    for (const EventInfo& each : events) {
      EXPECT_FALSE(each.name.empty());
      EXPECT_LT(each.id, 4096) << each.name;
      if (each.act == Act::kReady || each.act == Act::kEnter || each.act == Act::kReceive) {
        EXPECT_TRUE(each.params.starts_with('@')) << each.name;
      }
    }
  }
}

}  // namespace
}  // namespace weft::formats::psf

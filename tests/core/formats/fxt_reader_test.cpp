// covers FS-62, R7
#include "core/formats/general/fxt/fxt_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/fxt_writer.h"
#include "tests/core/formats/perfetto_text.h"

namespace weft::formats {
namespace {

using test::Bytes;
using test::FxtWriter;
using test::read;
using test::ScratchFolder;

constexpr uint64_t kInstant = 0, kCounter = 1, kBegin = 2, kEnd = 3, kComplete = 4, kAsyncBegin = 5,
                   kAsyncInstant = 6, kAsyncEnd = 7, kFlowBegin = 8, kFlowStep = 9, kFlowEnd = 10;

// Every kind of event and of argument, of one provider whose clock ticks at 1 MHz.
std::string every_fxt_record() {
  FxtWriter w;
  w.magic();
  w.provider(3, "demo.cm");
  w.rate(1'000'000);
  w.string(1, "category");
  w.thread(1, 1000, 1001);
  w.thread(2, 1000, 1002);
  // A user's object and kernel's objects, with an argument.
  w.record(6, 1 << 16 | FxtWriter::inlined("buffer") << 24,
           Bytes().little(uint64_t{0xBEEF}).text("buffer").pad(8));
  w.record(7, 1 << 16 | FxtWriter::inlined("demo") << 24,
           Bytes().little(uint64_t{1000}).text("demo").pad(8));
  w.record(7, 2 << 16 | FxtWriter::inlined("main") << 24 | uint64_t{1} << 40,
           Bytes()
               .little(uint64_t{1001})
               .text("main")
               .pad(8)
               .text(FxtWriter::word(8, "process", uint64_t{1000})));
  const std::string arguments =
      FxtWriter::small(0, "null", 0) + FxtWriter::small(1, "int32", static_cast<uint32_t>(-5)) +
      FxtWriter::small(2, "uint32", 4'000'000'000) + FxtWriter::word(3, "int64", int64_t{-6}) +
      FxtWriter::word(4, "uint64", UINT64_MAX) + FxtWriter::word(5, "double", 2.5) +
      FxtWriter::text("text", "a \"b\"") + FxtWriter::word(7, "pointer", uint64_t{0xBEEF}) +
      FxtWriter::word(8, "koid", uint64_t{1000}) + FxtWriter::small(9, "bool", 1) +
      FxtWriter::blob("blob", std::string_view("\0\x01\x02", 3));
  w.event(kBegin, 1, 10, "c", "outer", arguments, 11);
  w.event(kBegin, 1, 12, "c", "inner");
  w.event(kFlowBegin, 1, 13, "c", "flow", 77);
  w.event(kEnd, 1, 15, "c", "inner");
  w.event(kInstant, 1, 16, "c", "now", FxtWriter::small(1, "n", 1), 1);
  w.event(kEnd, 1, 20, "c", "outer");
  w.event(kComplete, 2, 14, "c", "whole", 18);
  w.event(kFlowStep, 2, 15, "c", "flow", 77);
  w.event(kFlowEnd, 1, 16, "c", "flow", 77);
  w.event(kAsyncBegin, 1, 11, "c", "operation", 5);
  w.event(kAsyncBegin, 2, 12, "c", "operation", 6);
  w.event(kAsyncInstant, 1, 13, "c", "operation", 5);
  w.event(kAsyncEnd, 2, 19, "c", "operation", 5);
  w.event(kAsyncEnd, 2, 21, "c", "operation", 6);
  // What is called otherwise is part of the operation of its number, while this goes on.
  w.event(kAsyncBegin, 1, 22, "c", "load", 8);
  w.event(kAsyncBegin, 1, 23, "c", "parse", 8);
  w.event(kAsyncInstant, 1, 24, "c", "half", 8);
  w.event(kAsyncEnd, 1, 25, "c", "parse", 8);
  w.event(kAsyncEnd, 1, 26, "c", "load", 8);
  w.event(kAsyncBegin, 1, 27, "c", "parse", 8);
  w.event(kAsyncEnd, 1, 28, "c", "parse", 8);
  w.event(kCounter, 1, 10, "c", "memory", 0, FxtWriter::word(4, "used", uint64_t{100}), 1);
  w.event(kCounter, 1, 20, "c", "memory", 0,
          FxtWriter::word(4, "used", uint64_t{90}) + FxtWriter::word(5, "free", 0.5), 2);
  w.event(kCounter, 1, 20, "c", "memory", 7, FxtWriter::small(1, "used", 1), 1);
  w.record(9, uint64_t{5} << 16 | uint64_t{1} << 32,
           Bytes().little(uint64_t{17}).text("hello").pad(8));
  // A thread that lies in its record, and one that the program made up.
  w.record(4, FxtWriter::inlined("here") << 48,
           Bytes()
               .little(uint64_t{18})
               .little(uint64_t{2000})
               .little(uint64_t{2001})
               .text("here")
               .pad(8));
  w.record(4, FxtWriter::inlined("here") << 48,
           Bytes()
               .little(uint64_t{19})
               .little(uint64_t{2000})
               .little(uint64_t{1} << 63 | 9)
               .text("here")
               .pad(8));
  // A large blob with a time.
  w.large(0, Bytes()
                 .little(FxtWriter::inlined("c") | FxtWriter::inlined("picture") << 16 |
                         uint64_t{1} << 32 | uint64_t{2} << 36)
                 .text("c")
                 .pad(8)
                 .text("picture")
                 .pad(8)
                 .little(uint64_t{20})
                 .text(FxtWriter::small(2, "width", 640))
                 .little(uint64_t{3})
                 .text("abc")
                 .pad(8));
  return w.bytes();
}

// Two CPUs whose buffers stand one after the other; the old kind of record and the new.
std::string scheduling() {
  const auto idle = [](std::string_view name) {
    return FxtWriter::small(1, name, static_cast<uint32_t>(std::numeric_limits<int32_t>::min()));
  };
  const auto switched = [](FxtWriter& w, uint64_t cpu, uint64_t time, uint64_t out, uint64_t state,
                           uint64_t in, const std::string& arguments = {}, uint64_t count = 0) {
    w.record(8, count << 16 | cpu << 20 | state << 36 | uint64_t{1} << 60,
             Bytes().little(time).little(out).little(in).text(arguments));
  };
  FxtWriter w;
  w.magic();
  w.provider(1, "ktrace");
  w.record(7, 2 << 16 | FxtWriter::inlined("writer") << 24 | uint64_t{1} << 40,
           Bytes()
               .little(uint64_t{11})
               .text("writer")
               .pad(8)
               .text(FxtWriter::word(8, "process", uint64_t{10})));
  w.record(7, 2 << 16 | FxtWriter::inlined("reader") << 24,
           Bytes().little(uint64_t{12}).text("reader").pad(8));
  w.record(7, 1 << 16 | FxtWriter::inlined("pipe") << 24,
           Bytes().little(uint64_t{10}).text("pipe").pad(8));
  // CPU 0: idle, writer, idle.
  switched(w, 0, 100, 1, 1, 11, idle("outgoing_weight"), 1);
  switched(w, 0, 200, 11, 3, 1, idle("incoming_weight"), 1);
  w.record(8, uint64_t{1} << 16 | uint64_t{2} << 60,
           Bytes()
               .little(uint64_t{150})
               .little(uint64_t{12})
               .text(FxtWriter::word(8, "waker", uint64_t{11})));
  // CPU 1, before that: reader, blocked, idle, reader. The old kind.
  w.thread(1, 10, 12);
  w.record(8, uint64_t{1} << 16 | uint64_t{3} << 24 | uint64_t{1} << 28 | uint64_t{16} << 44,
           Bytes().little(uint64_t{120}).little(uint64_t{0}).little(uint64_t{2}));
  w.record(8, uint64_t{1} << 16 | uint64_t{1} << 24 | uint64_t{1} << 36 | uint64_t{16} << 52,
           Bytes().little(uint64_t{180}).little(uint64_t{0}).little(uint64_t{2}));
  return w.bytes();
}

// Tables belong to providers, numbers of flows to processes, unless only another knows them.
std::string providers() {
  FxtWriter w;
  w.provider(1, "one");
  w.rate(1'000'000'000);
  w.string(1, "first");
  w.thread(1, 100, 101);
  w.provider(2, "two");
  w.rate(1'000);
  w.string(1, "second");
  w.thread(1, 200, 201);
  const auto instant = [&](uint64_t time) {
    w.record(4, uint64_t{1} << 24 | uint64_t{1} << 48, Bytes().little(time));
  };
  instant(1);
  w.event(kFlowBegin, 1, 1, "c", "flow", 4);
  w.event(kFlowEnd, 1, 3, "c", "flow", 4);
  w.event(kFlowEnd, 1, 5, "c", "flow", 9);
  w.section(1);
  instant(1'000'000);
  w.event(kFlowBegin, 1, 1'500'000, "c", "flow", 4);
  w.event(kFlowEnd, 1, 2'500'000, "c", "flow", 4);
  w.event(kFlowBegin, 1, 3'500'000, "c", "flow", 9);
  return w.bytes();
}

// An end is that of the innermost duration, whatever it is called; a blob holds packets of
// Perfetto.
std::string loose_ends() {
  FxtWriter w;
  w.magic();
  w.rate(1'000'000'000);
  w.thread(1, 100, 101);
  w.event(kBegin, 1, 1000, "c", "outer");
  w.event(kBegin, 1, 1100, "c", "inner");
  w.event(kEnd, 1, 1200, "c", "other");
  w.event(kEnd, 1, 1300, "d", "");
  const std::string packets = test::perfetto_from_text(
      "packet { timestamp: 1500 sequence: 1 track { uuid: 77 name: \"track\" } }"
      "packet { timestamp: 1600 sequence: 1 track_event { type: 1 track: 77 name: \"part\" } }"
      "packet { timestamp: 1900 sequence: 1 track_event { type: 2 track: 77 } }");
  w.record(5, FxtWriter::inlined("p") << 16 | uint64_t{packets.size()} << 32 | uint64_t{3} << 48,
           Bytes().text("p").pad(8).text(packets).pad(8));
  return w.bytes();
}

std::string damaged_fxt() {
  FxtWriter w;
  w.magic();
  w.raw(std::string(8, '\0'));  // no length
  w.thread(1, 1, 2);
  w.event(kInstant, 1, 1, "c", "kept");
  w.record(4, uint64_t{1} << 24 | uint64_t{0xFFFF} << 48, Bytes().little(uint64_t{2}));  // its name
  w.event(kInstant, 1, 3, "c", "argument without a length", Bytes().little(uint64_t{1}).str(), 1);
  w.event(kInstant, 1, 3, "c", "too few arguments", FxtWriter::small(1, "n", 1), 2);
  w.event(kComplete, 1, 9, "c", "backwards", 8);
  w.event(kEnd, 1, 4, "c", "not begun");
  w.event(kBegin, 1, 5, "c", "not ended");
  w.event(kAsyncEnd, 1, 5, "c", "not begun", 1);
  w.event(kCounter, 1, 5, "c", "counter", 0, FxtWriter::text("value", "many"), 1);
  w.event(15, 1, 5, "c", "of a kind that came later", 0);
  w.event(kFlowEnd, 1, 6, "c", "not begun", 5);
  w.rate(0);
  w.record(8, uint64_t{7} << 60, Bytes().little(uint64_t{1}));
  w.record(12, 0, {});
  w.record(10, 0, Bytes().little(uint64_t{1}));
  w.record(5, 0, {});
  w.large(1, Bytes().little(uint64_t{0}).little(uint64_t{0}));
  w.large(0, Bytes().little(uint64_t{0}).little(uint64_t{0}));
  w.provider(1, "full");
  w.buffer_full(1);
  w.record(3, 0, Bytes().little(uint64_t{1}));
  w.event(kInstant, 1, 7, "c", "last");
  w.raw("cut");
  return w.bytes();
}

TEST(Fxt, CasesAreWhatIsWritten) {
  test::expect_case("fxt/succeed/everything.fxt", every_fxt_record());
  test::expect_case("fxt/succeed/scheduling.fxt", scheduling());
  test::expect_case("fxt/succeed/providers.fxt", providers());
  test::expect_case("fxt/succeed/loose_ends.fxt", loose_ends());
  test::expect_case("fxt/fail/damaged.fxt", damaged_fxt());
  std::string big_endian = every_fxt_record();
  std::reverse(big_endian.begin(), big_endian.begin() + 8);
  test::expect_case("fxt/fail/big_endian.fxt", big_endian);
}

TEST(Fxt, IsRecognised) {
  const ScratchFolder folder;
  const auto events = [&](const std::string& bytes) {
    return read(folder.write("t", bytes))->sink.punctual_events().size();
  };
  EXPECT_GT(events(every_fxt_record()), 0u);
  EXPECT_GT(events(every_fxt_record().substr(8)), 0u) << "without the magic number";
  EXPECT_GT(events(providers()), 0u);
}

TEST(Fxt, TimesAreWholeNanosecondsOfAnyRate) {
  FxtWriter w;
  w.magic();
  w.rate(3);
  w.thread(1, 1, 2);
  w.event(kInstant, 1, 1, "c", "a third");
  w.event(kInstant, 1, UINT64_MAX, "c", "beyond");
  const ScratchFolder folder;
  const auto reading = read(folder.write("t.fxt", w.bytes()));
  ASSERT_EQ(reading->sink.punctual_events().size(), 2u);
  EXPECT_EQ(reading->sink.punctual_events()[0].time.ticks, 333'333'333);
  EXPECT_EQ(reading->sink.punctual_events()[1].time, Time::max());
}

TEST(Fxt, TablesStayWithinTheMemory) {
  FxtWriter w;
  w.magic();
  const std::string name(30'000, 'n');
  for (uint64_t i = 1; i < 400; ++i) w.string(i, name);
  const ScratchFolder folder;
  const auto reading = read(folder.write("t.fxt", w.bytes()), {"fxt", 0, 4 << 20});
  EXPECT_GT(reading->sink.loss_count("name beyond the memory for them"), 300u);
}

// A place that an operation had is free for another once it is over.
TEST(Fxt, OperationsStayWithinTheMemoryHoweverManyThereAre) {
  FxtWriter w;
  w.magic();
  w.thread(1, 1, 2);
  constexpr uint64_t kMany = 12'000;
  w.event(kAsyncBegin, 1, 1, "c", "all the time", uint64_t{0});
  for (uint64_t i = 1; i <= kMany; ++i) {
    w.event(kAsyncBegin, 1, 10 * i, "c", "short", i);
    w.event(kAsyncEnd, 1, 10 * i + 5, "c", "short", i);
  }
  w.event(kAsyncEnd, 1, 10 * kMany + 10, "c", "all the time", uint64_t{0});
  const ScratchFolder folder;
  const auto reading = read(folder.write("t.fxt", w.bytes()), {"fxt", 0, 4 << 20});
  EXPECT_EQ(reading->text().find("loss "), std::string::npos);
  ASSERT_EQ(reading->sink.state_events().size(), kMany + 1);
  for (const auto& state : reading->sink.state_events())
    EXPECT_TRUE(state.duration.ticks == 5 || state.begin.ticks == 1);
}

TEST(Fxt, ALargeRecordIsSkipped) {
  FxtWriter w;
  w.magic();
  w.thread(1, 1, 2);
  w.large(0, Bytes().text(std::string(2 << 20, 'x')));
  w.event(kInstant, 1, 1, "c", "behind");
  const ScratchFolder folder;
  const auto reading = read(folder.write("t.fxt", w.bytes()), {"fxt", 0, 4 << 20});
  EXPECT_EQ(reading->sink.loss_count("record beyond the memory for one"), 1u);
  EXPECT_EQ(reading->sink.punctual_events().size(), 1u);
}

}  // namespace
}  // namespace weft::formats

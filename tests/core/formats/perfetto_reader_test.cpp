// covers FS-62, R1, R7
#include "core/formats/general/perfetto/perfetto_reader.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <random>
#include <span>

#include "core/formats/general/perfetto/fields.h"
#include "core/io/file_descriptor.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/perfetto_text.h"

namespace weft::formats {
namespace {

using test::perfetto_from_text;
using test::read;
using test::ScratchFolder;

// The sources of the cases are beside them, NAME.pbtext. WEFT_UPDATE_CASES=1 writes the traces
// anew.
TEST(Perfetto, CasesAreWhatTheirSourcesSay) {
  for (const auto& path : test::cases_of("perfetto")) {
    std::filesystem::path source = path;
    source.replace_extension(".pbtext");
    const std::string trace = perfetto_from_text(test::content_of(source));
    if (std::getenv("WEFT_UPDATE_CASES") != nullptr) std::ofstream(path, std::ios::binary) << trace;
    EXPECT_EQ(trace, test::content_of(path)) << path;
  }
}

std::unique_ptr<test::Reading> read_text(const std::string& text,
                                         const test::ReadingOptions& options = {"perfetto"}) {
  const ScratchFolder folder;
  return read(folder.write("t.pftrace", perfetto_from_text(text)), options);
}

std::string event_at(int time, const std::string& name) {
  return "packet { sequence: 1 timestamp: " + std::to_string(time) +
         " track_event { type: 3 track: 1 name: \"" + name + "\" } }\n";
}

// Nothing in them says when it was or who wrote it, as nearly all packets do.
TEST(Perfetto, PacketsThatOnlyDescribeTheMachineAreRecognised) {
  const ScratchFolder folder;
  for (const std::string packet : {
           R"(packet { 67 { 1 { 1: "Processor rev 2" 2: 300000 } 1 { 3: 1024 } } })",
           R"(packet { 45 { 1 { 1: "Linux" 3: "6.1" } 8: 2 } })",
           R"(packet { 47 { 1 { 1: "com.example" 2: 10001 } } })",
           R"(packet { 35 { 1 { 1: 4096 } 2: 3 } })",
           R"(packet { 89 { 1: 5 2: 9 } })",
           R"(packet { 40 { 1 { 1: 4 2: "S1M" 3: "cpu" } } })",
           R"(packet { 83 { 1 { 1: "com.example" 2: 10001 3: 1 } } })",
           R"(packet { 128 { 1 { 1: "GPU 0" 2: "vendor" } } })",
       }) {
    const auto reading = read(folder.write("t.pftrace", perfetto_from_text(packet)));
    EXPECT_EQ(reading->error, "") << packet;
    EXPECT_TRUE(reading->text().starts_with("time base ns\nmetadata")) << reading->text();
    EXPECT_EQ(reading->text().find("loss"), std::string::npos) << reading->text();
  }
}

// Chrome describes them in the last packet. Where that is far behind, they have their numbers.
TEST(Perfetto, ArgumentsHaveNamesThatStandBehindThem) {
  const std::string event =
      "packet { sequence: 1 timestamp: 10 track_event { type: 3 name: \"e\" 9901 { 1: 7 } } }\n";
  const std::string names =
      "packet { extensions { set { file { package: \"p\" message { name: \"E\" field { name: "
      "\"count\" number: 1 type: 13 } } extension { name: \"extra\" extends: "
      "\".perfetto.protos.TrackEvent\" number: 9901 type: 11 type_name: \".p.E\" } } } } }\n";
  const std::string far =
      "packet { android_log { event { message: \"" + std::string(2 << 20, 'x') + "\" } } }\n";
  EXPECT_NE(read_text(event + names)->text().find(R"({"extra":{"count":7}})"), std::string::npos);
  EXPECT_NE(read_text(event + names + far)->text().find(R"({"field 9901":{"1":7}})"),
            std::string::npos);
}

// That is looked for with a second reader, which must not take the bytes of standard input.
TEST(Perfetto, StandardInputIsReadWholeIfItIsAFile) {
  const ScratchFolder folder;
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += event_at(i, "event with a name " + std::to_string(i));
  const auto path = folder.write("t", perfetto_from_text(text));
  EXPECT_GT(std::filesystem::file_size(path), size_t{512} << 10);
  const io::FileDescriptor file(::open(path.c_str(), O_RDONLY)), before(::dup(STDIN_FILENO));
  ::dup2(file.get(), STDIN_FILENO);
  const auto reading = read("-", {"perfetto"});
  ::dup2(before.get(), STDIN_FILENO);
  EXPECT_EQ(reading->sink.punctual_events().size(), 20'000u);
  EXPECT_FALSE(reading->sink.dictionary().report.has_damage());
}

// Samples wait for names that stand behind them, as far as the memory goes.
TEST(Perfetto, SamplesBeyondTheMemoryAreShownByTheNamesThatAreKnown) {
  std::string text =
      "packet { sequence: 1 cleared: 1 interned { mapping_path { iid: 1 text: \"libwork.so\" } "
      "build_id "
      "{ iid: 1 text: \"id\" } mapping { iid: 1 build_id: 1 path: 1 } frame { iid: 1 mapping: 1 "
      "address: 16 } stack { iid: 1 frame: 1 } } }\n";
  constexpr int kSamples = 2000;
  for (int i = 0; i < kSamples; ++i)
    text += "packet { sequence: 1 timestamp: " + std::to_string(i * 100) +
            " perf_sample { pid: 3 tid: 3 stack: 1 } }\n";
  text +=
      "packet { symbols { build_id: \"id\" address { address: 16 line { function: \"main\" } } } "
      "}\n";
  constexpr const char *kRaw = "\"libwork.so+0x10\"", *kNote = "note samples beyond the memory";
  const std::string all = read_text(text)->text();
  EXPECT_NE(all.find("\"main\""), std::string::npos);
  EXPECT_EQ(all.find(kRaw), std::string::npos);
  EXPECT_EQ(all.find(kNote), std::string::npos);
  const std::string cut = read_text(text, {.format = "perfetto", .memory_bytes = 1 << 20})->text();
  EXPECT_NE(cut.find("\"main\""), std::string::npos);
  EXPECT_NE(cut.find(kRaw), std::string::npos);
  EXPECT_NE(cut.find(kNote), std::string::npos) << cut;
}

// A word of an enumeration takes room for all numbers below its own.
TEST(Perfetto, DescriptorsTakeBoundedRoom) {
  std::string enumerations;
  for (int i = 0; i < 1000; ++i) {
    enumerations +=
        "enum { name: \"E" + std::to_string(i) + "\" value { name: \"LAST\" number: 4096 } }\n";
  }
  const auto described = [](const std::string& file) {
    return read_text(event_at(10, "e") + "packet { extensions { set { file { " + file +
                     " } } } }\n")
        ->text();
  };
  constexpr const char* kDamage = "extension descriptor damaged";
  EXPECT_EQ(described("enum { name: \"E\" value { name: \"LAST\" number: 4096 } }").find(kDamage),
            std::string::npos);
  EXPECT_NE(described(enumerations).find(kDamage), std::string::npos);
}

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  compress(reinterpret_cast<Bytef*>(out.data()), &size,
           reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return out.substr(0, size);
}

std::string varint_of(uint64_t number) {
  std::string bytes;
  for (; number >= 128; number >>= 7) bytes += static_cast<char>(number | 128);
  return bytes + static_cast<char>(number);
}

// A packet whose field `number` has these bytes.
std::string packet_with(uint32_t number, const std::string& bytes) {
  const std::string field = varint_of(number << 3 | 2) + varint_of(bytes.size()) + bytes;
  return "\x0a" + varint_of(field.size()) + field;
}

// There may be hundreds of them, and threads say more.
TEST(Perfetto, DumpsOfMemoryLieBehindTheThreads) {
  const auto reading = read_text(
      R"(packet { sequence: 1 timestamp: 800 73 { 3 { 1: 7 2 { 2: "malloc" 4: 4096 } } } })");
  const auto& lanes = reading->sink.dictionary().lanes;
  const auto dumps = std::ranges::find(lanes, "memory dumps [bytes]", &trace::Lane::name);
  ASSERT_NE(dumps, lanes.end());
  EXPECT_GT(dumps->sort_index, std::numeric_limits<int32_t>::max() / 2);
}

TEST(Perfetto, ATextBehindABlankLineIsNone) {
  const std::string text =
      "\nthis is a line longer than a hundred bytes, so that a packet whose length is "
      "its first letter would end in it: yes\n";
  EXPECT_EQ(sniff_perfetto(std::as_bytes(std::span(text))), 0);
  EXPECT_EQ(sniff_perfetto(std::as_bytes(std::span(std::string_view("\nt")))), 0);
}

TEST(Perfetto, CompressedPacketsAreReadAsOthers) {
  const ScratchFolder folder;
  const std::string plain = perfetto_from_text(event_at(10, "a") + event_at(20, "b"));
  const auto reading = read(folder.write("t", perfetto_from_text(event_at(5, "first")) +
                                                  packet_with(50, deflated(plain))),
                            {"perfetto"});
  EXPECT_EQ(reading->sink.punctual_events().size(), 3u);
  EXPECT_FALSE(reading->sink.dictionary().report.has_damage());
}

TEST(Perfetto, CompressedPacketsAreBounded) {
  const ScratchFolder folder;
  const std::string bomb = deflated(std::string(100 << 20, '\0'));
  const std::string nested =
      deflated(packet_with(50, deflated(perfetto_from_text(event_at(1, "x")))));
  const std::string good = perfetto_from_text(event_at(10, "good"));
  const auto reading = read(folder.write("t", packet_with(50, bomb) + packet_with(50, nested) +
                                                  packet_with(50, "no zlib") + good),
                            {"perfetto", 0, 32 << 20});
  EXPECT_EQ(reading->sink.punctual_events().size(), 1u);
  EXPECT_EQ(reading->sink.loss_count("compressed packets: decompresses to too much"), 1u);
  EXPECT_EQ(reading->sink.loss_count("compressed packets within compressed packets"), 1u);
  EXPECT_EQ(reading->sink.loss_count("compressed packets: incorrect header check"), 1u);
}

TEST(Perfetto, APacketThatIsTooLargeIsPassedOver) {
  const ScratchFolder folder;
  const std::string good = perfetto_from_text(event_at(10, "good"));
  const auto reading =
      read(folder.write("t", good + packet_with(33, std::string(5 << 20, 'x')) + good),
           {"perfetto", 0, 8 << 20});
  EXPECT_EQ(reading->sink.loss_count("packet too large"), 1u);
  EXPECT_EQ(reading->sink.punctual_events().size(), 2u);
}

TEST(PerfettoFields, NumbersOfEveryLengthAreReadWhateverFollows) {
  for (int bits = 0; bits < 64; ++bits) {
    for (const uint64_t number : {uint64_t{1} << bits, ~uint64_t{0} >> bits}) {
      const std::string field = "\x08" + varint_of(number);
      for (size_t more = 0; more <= 12; ++more) {
        std::string message = field;
        for (size_t i = 0; i < more; ++i) message += "\x10\x05";
        uint64_t first = 0, others = 0;
        EXPECT_TRUE(perfetto::for_each_field(message, [&](const perfetto::Field& each) {
          (each.number == 1 ? first : others) += each.value;
        }));
        EXPECT_EQ(first, number);
        EXPECT_EQ(others, 5 * more);
      }
      const auto ignore = [](const perfetto::Field&) {};
      for (size_t size = 1; size < field.size(); ++size)
        EXPECT_FALSE(perfetto::for_each_field(field.substr(0, size), ignore));
    }
  }
  const std::string too_long = "\x08" + std::string(10, '\xff') + std::string(10, '\x01');
  EXPECT_FALSE(perfetto::for_each_field(too_long, [](const perfetto::Field&) {}));
}

TEST(PerfettoFields, EndWhereTheyAreToldTo) {
  int seen = 0;
  EXPECT_FALSE(
      perfetto::for_each_field("\x08\x01\x10\x02\x18\x03", [&](const perfetto::Field& field) {
        ++seen;
        return field.number < 2;
      }));
  EXPECT_EQ(seen, 2);
}

// Runs of packets are taken apart ahead; what is between them is read by itself.
TEST(Perfetto, WhatIsBetweenGoodPacketsChangesNeitherThemNorTheirOrder) {
  constexpr int kEvents = 12'000;
  std::mt19937 random(5);
  std::string trace;
  uint64_t garbage = 0, damaged = 0, large = 0;
  for (int i = 0; i < kEvents; ++i) {
    trace += perfetto_from_text(event_at(i, "e" + std::to_string(i % 7)));
    switch (random() % 500) {
      case 0:
        trace += '\0';  // no field has this number
        ++garbage;
        break;
      case 1:
        trace += std::string("\x0a\x02\x40\x80", 4);  // its time is cut
        ++damaged;
        break;
      case 2:
        trace += packet_with(1900, std::string(100'000, 'x'));
        ++large;
        break;
      default:
        break;
    }
  }
  const ScratchFolder folder;
  const auto reading = read(folder.write("t", trace), {"perfetto"});
  const auto& events = reading->sink.punctual_events();
  ASSERT_EQ(events.size(), size_t{kEvents});
  for (int i = 0; i < kEvents; ++i) {
    EXPECT_EQ(events[static_cast<size_t>(i)].time.ticks, i);
    EXPECT_EQ(reading->sink.dictionary().types[events[static_cast<size_t>(i)].type.value()].name,
              "e" + std::to_string(i % 7));
  }
  EXPECT_GT(std::min({garbage, damaged, large}), 0u);
  EXPECT_EQ(reading->sink.loss_count("bytes that are not packets"), garbage);
  EXPECT_EQ(reading->sink.loss_count("packet damaged"), damaged);
  EXPECT_EQ(reading->sink.loss_count("packets not shown: number 1900"), large);
}

// Writers one after the other, each with a million records between what belongs together.
TEST(Perfetto, FlowsAreInOrderOfTimeWhateverTheOrderOfWriters) {
  std::string text;
  for (int sequence = 3; sequence > 0; --sequence) {
    for (int flow = 0; flow < 50; ++flow) {
      text += "packet { sequence: " + std::to_string(sequence) +
              " timestamp: " + std::to_string(flow * 100 + sequence) +
              " track_event { type: 3 track: " + std::to_string(sequence) +
              " name: \"e\" flow: " + std::to_string(flow + 1) + " } }\n";
    }
  }
  const auto reading = read_text(text);
  ASSERT_EQ(reading->sink.link_events().size(), 100u);
  for (const trace::LinkEvent& link : reading->sink.link_events())
    EXPECT_EQ(link.receive.ticks - link.send.ticks, 1);
}

TEST(Perfetto, WhatIsNoTraceEndsSoon) {
  const ScratchFolder folder;
  const std::string good = perfetto_from_text(event_at(10, "good"));
  // Bytes that all begin a packet; packets that are all damaged; events of countless annotations.
  const auto begins =
      read(folder.write("a", good + "\xff" + std::string(8 << 20, '\x0a')), {"perfetto"});
  EXPECT_EQ(begins->sink.punctual_events().size(), 1u);
  std::string damaged = good;
  for (int i = 0; i < 2 << 20; ++i) damaged += "\x0a\x02\x40\xff";
  const auto damage = read(folder.write("b", damaged), {"perfetto"});
  EXPECT_EQ(damage->sink.loss_count("too much damage: what follows was not read"), 1u);
  std::string event = "packet { sequence: 1 timestamp: 1 track_event { type: 3 track: 1 ";
  for (int i = 0; i < 20000; ++i) event += "annotation { name: \"same\" int: 1 } ";
  EXPECT_EQ(read_text(event + "} }")->sink.punctual_events().size(), 1u);
}

TEST(Perfetto, MutantsAreAnswers) {
  const ScratchFolder folder;
  std::minstd_rand random(1);
  for (const auto& path : test::cases_of("perfetto")) {
    const std::string whole = test::content_of(path);
    for (int i = 0; i < 100; ++i) {
      std::string mutant = whole;
      for (int n = 0; n < 3; ++n)
        mutant[random() % mutant.size()] = static_cast<char>(random() % 256);
      EXPECT_EQ(read(folder.write("mutant", mutant), {"perfetto"})->error, "") << path << i;
    }
  }
}

TEST(Perfetto, OneLargePacketIsRecognised) {
  const std::string trace = perfetto_from_text("packet { sequence: 1 timestamp: 5 39: \"" +
                                               std::string(3000, 'x') + "\" }");
  EXPECT_GT(sniff_perfetto(std::as_bytes(std::span(trace))), 50);
}

TEST(Perfetto, PacketsOfWindowsAreRecognisedWithoutATime) {
  const std::string trace =
      perfetto_from_text("packet { etw { cpu: 1 event { time: 5 switch { new: 7 } } } }");
  EXPECT_GT(sniff_perfetto(std::as_bytes(std::span(trace))), 0);
}

}  // namespace
}  // namespace weft::formats

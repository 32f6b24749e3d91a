// covers FS-62, R7
#include "core/formats/profiles/art/art_trace_reader.h"

#include <gtest/gtest.h>

#include "core/formats/profiles/art/art_method.h"
#include "tests/core/formats/art_trace_writer.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/cuts.h"

namespace weft::formats::art {
namespace {

using test::read;
using test::ScratchFolder;
using namespace test::art;

std::string text_of(int version, std::string_view clock, std::string_view rest = {}) {
  return "*version\n" + std::to_string(version) +
         "\ndata-file-overflow=false\nclock=" + std::string(clock) + "\nvm=art\npid=41\n" +
         std::string(rest);
}

constexpr std::string_view kNames =
    "*threads\n41\tmain\n42\tBinder:41_1\n"
    "*methods\n"
    "0x10\tandroid.os.Looper\tloop\t()V\tLooper.java\n"
    "0x14\tcom.example.Main\tonEvent\t(I[Ljava/lang/String;)Z\tMain.kt\t17\n"
    "0x18\tcom/example/Old\t<init>\t([[JD)V\tOld.java\t-1\n"
    "0x1c\tcom.example.Unsigned\tUnsigned.java\t9\n"
    "*end\n";

// Two clocks: calls that nest, one that an exception ends, those that had begun before, one that
// does not end.
std::string regular() {
  return text_of(3, "dual", "elapsed-time-usec=900\nnum-method-calls=11\n") + std::string(kNames) +
         header(3, 5000, 14) + dual(41, 0x14, kExit, 1, 3) +  // had begun before
         dual(41, 0x10, kEnter, 4, 10) + dual(42, 0x18, kEnter, 0, 12) +
         dual(41, 0x14, kEnter, 8, 20) + dual(41, 0x1c, kEnter, 9, 21) +
         dual(41, 0x1c, kUnwind, 19, 31) + dual(41, 0x14, kUnwind, 20, 33) +
         dual(42, 0x18, kExit, 4, 40) + dual(41, 0x20, kEnter, 21, 41) +  // without a name
         dual(41, 0x20, kExit, 22, 42) + dual(42, 0x10, kEnter, 5, 50);
}

// Dalvik's: numbers of threads of one byte, each thread with its own clock.
std::string first_version() {
  std::string out = text_of(1, "thread-cpu", kNames) + header(1, 7'000'000);
  const auto add = [&out](uint8_t thread, uint32_t method, Action action, uint32_t us) {
    out += test::Bytes().little(thread).little(method | action).little(us).str();
  };
  add(41, 0x10, kEnter, 1);
  add(42, 0x14, kEnter, 0);
  add(41, 0x10, kExit, 5);
  add(41, 0x18, kEnter, 6);
  return out;
}

std::string stream(uint16_t version) {
  const bool is_dual = version == 0xF3;
  const auto call = [is_dual](uint16_t thread, uint32_t method, Action action, uint32_t us) {
    return is_dual ? dual(thread, method, action, us / 2, us) : record(thread, method, action, us);
  };
  return header(version, 1'000'000, is_dual ? 14 : 0) +
         stream_method("0x10\tandroid.os.Looper\tloop\t()V\tLooper.java\n") +
         stream_thread(1, "main") + call(1, 0x10, kEnter, 10) +
         call(2, 0x10, kEnter, 11) +  // both names come later
         call(1, 0x14, kEnter, 12) + call(1, 0x14, kExit, 20) +
         stream_method("0x14\tcom.example.Main\tonEvent\t(I)V\tMain.java\n") +
         stream_thread(2, "worker") + call(2, 0x10, kExit, 30) + call(1, 0x10, kExit, 33) +
         stream_summary(text_of(version & 15, is_dual ? "dual" : "wall",
                                "*threads\n1\tmain\n2\tworker\n*methods\n*end\n"));
}

std::string methods() {
  return method(0x7000'1000, "android.os.Looper\tloop\t()V\tLooper.java\n") +
         method(0x7000'2040, "com.example.Main\tonEvent\t(I)V\tMain.java\t12\n");
}

std::string summary_of(int version, std::string_view clock) {
  return summary(text_of(version, clock, "elapsed-time-nsec=5000\n*end\n"));
}

// The second form; a thread's buffer in two blocks.
std::string packets(int time_bits, bool is_dual) {
  const uint16_t version = is_dual ? 5 : 4;
  const auto cpu = [is_dual](int64_t ns) { return is_dual ? ns : int64_t{-1}; };
  const std::vector<Call> main = {{0x7000'1000, kEnter, 1000, cpu(100)},
                                  {0x7000'2040, kEnter, 1500, cpu(200)},
                                  {0x7000'2040, kUnwind, 1700, cpu(250)},
                                  {0x7000'2040, kEnter, 1800, cpu(260)}};
  const std::vector<Call> rest = {{0x7000'2040, kExit, 1900, cpu(290)},
                                  {0x7000'1000, kExit, 2500, cpu(300)}};
  const uint16_t flags = time_bits == 0 ? 0xF0 : 0;
  return packet_header(flags | version, 1'000'000'000, time_bits == 0 ? 0 : 500'000'000) +
         methods() + thread(70041, "main") + block(70041, 4, calls(main, time_bits)) +
         block(70041, time_bits == 0 ? 6 : 2, calls(rest, time_bits)) +
         block(70042, 1, calls({{0x7000'2040, kEnter, 2600, cpu(0)}}, time_bits)) +
         thread(70042, "worker") + summary_of(version, is_dual ? "dual" : "wall");
}

// Calls that took long; names come last.
std::string long_running() {
  return packet_header(0xF6, 1'000'000'000) + std::string(1, 3) + std::string(16, '\0') +
         block(9, 3,
               calls({{0x7000'1000, kEnter, 1'000'001'000},
                      {0x7000'2040, kEnter, 1'000'002'000},
                      {0, kExit, 1'000'009'000}},
                     1)) +
         block(9, 1, calls({{0, kExit, 1'000'010'000}}, 1)) + thread(9, "main") + methods();
}

// Times of 32 bits begin again after 71 minutes.
std::string long_trace() {
  return header(0xF2, 0) + stream_thread(1, "main") + stream_thread(2, "sleeper") +
         stream_method("0x10\ta.B\tlong\t()V\n") + stream_method("0x14\ta.B\tshort\t()V\n") +
         record(1, 0x10, kEnter, 100) + record(2, 0x14, kEnter, 200) +
         record(1, 0x14, kEnter, 0xFFFFFF00) + record(1, 0x14, kExit, 0x10) +
         record(2, 0x14, kExit, 300) +  // may have slept through it: no
         record(3, 0x14, kEnter, 0x20) + record(3, 0x14, kExit, 0x30) +
         record(1, 0x10, kExit, 0x40) +
         stream_summary(text_of(2, "wall", "*threads\n*methods\n*end\n"));
}

std::string damaged_text() {
  return text_of(3, "dual", "num-method-calls=9\ndata-file-overflow=true\n") +
         "*threads\nx\tmain\n41\tmain\n*elsewhere\nhello\n*methods\n0xzz\ta\n0x10\ta.B\tc\t(Q)V\n"
         "*end\n" +
         header(3, uint64_t{1} << 63, 4) + dual(41, 0x10, kEnter, 9, 20) +
         dual(41, 0x14, kExit, 9, 21) + dual(41, 0x18, kEnter, 9, 15) +
         dual(41, 0x18, kNone, 9, 30) + dual(41, 0x10, kExit, 5, 40) + "cut";
}

std::string damaged_stream() {
  return header(0xF3, 0, 14) + stream_thread(1, "main") + dual(1, 0x10, kEnter, 9, 20) +
         std::string("\0\0\7", 3) + dual(1, 0x10, kExit, 9, 20);
}

std::string damaged_packets() {
  const std::string whole = calls({{0x7000'1000, kEnter, 10}, {0x7000'1000, kExit, 20}});
  return packet_header(0xF4, 100) + methods() + block(1, 2, whole) + block(1, 3, whole + '\xFF') +
         block(1, 1, calls({{0x7000'1000, kEnter, uint64_t{1} << 62}})) + std::string(1, '\x09') +
         block(1, 2, whole);
}

TEST(ArtTrace, CasesAreWhatIsWritten) {
  test::expect_case("art_trace/succeed/regular.trace", regular());
  test::expect_case("art_trace/succeed/first_version.trace", first_version());
  test::expect_case("art_trace/succeed/stream.trace", stream(0xF2));
  test::expect_case("art_trace/succeed/stream_dual.trace", stream(0xF3));
  test::expect_case("art_trace/succeed/packets.trace", packets(0, false));
  test::expect_case("art_trace/succeed/packets_dual.trace", packets(0, true));
  test::expect_case("art_trace/succeed/packets_time_first.trace", packets(2, false));
  test::expect_case("art_trace/succeed/packets_time_first_dual.trace", packets(2, true));
  test::expect_case("art_trace/succeed/long_running.trace", long_running());
  test::expect_case("art_trace/succeed/long_trace.trace", long_trace());
  test::expect_case("art_trace/fail/damaged_text.trace", damaged_text());
  test::expect_case("art_trace/fail/damaged_stream.trace", damaged_stream());
  test::expect_case("art_trace/fail/damaged_packets.trace", damaged_packets());
  test::expect_case("art_trace/fail/text_only.trace", text_of(3, "dual", kNames) + "SLOW\n");
  test::expect_case("art_trace/fail/version_9.trace", header(9, 0));
}

TEST(HostileArtTrace, WhatIsCutSaysSo) {
  const ScratchFolder folder;
  for (const std::string& whole :
       {regular(), stream(0xF2), stream(0xF3), packets(0, true), packets(2, false)}) {
    for (const size_t size : test::cuts_of(whole.size())) {
      if (size + 1 == whole.size()) continue;  // the end of the last line
      const auto reading = read(folder.write("t", whole.substr(0, size)), {.format = "art-trace"});
      const bool is_said = reading->text().find("\nloss ") != std::string::npos;
      EXPECT_TRUE(is_said || !reading->error.empty()) << size;
    }
  }
}

TEST(ArtMethod, TypesAreThoseOfJava) {
  EXPECT_EQ(types_of("()V"), "()");
  EXPECT_EQ(types_of("(ZBCSIJFD)V"), "(boolean, byte, char, short, int, long, float, double)");
  EXPECT_EQ(types_of("([[Ljava/util/Map$Entry;[I)I"), "(java.util.Map$Entry[][], int[])");
  for (const char* none : {"", "V", "(", "(I", "([", "(L)V", "(Q)V"}) EXPECT_EQ(types_of(none), "");
}

}  // namespace
}  // namespace weft::formats::art

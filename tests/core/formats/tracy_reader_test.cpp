// covers FS-62, R7
#include "core/formats/profiles/tracy/tracy_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>

#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/cuts.h"
#include "tests/core/formats/tracy_writer.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;
using test::tracy_file;
using test::TracyPacking;
using test::TracyWriter;

// The texts' indices; a program's address of one is its index plus 1.
enum Text : uint32_t {
  kMain,
  kUpdate,
  kFile,
  kFunction,
  kWorker,
  kFiber,
  kOther,
  kOtherThread,
  kGo,
  kExtraText,
  kExtraName,
  kQueue,
  kSpeed,
  kPool,
  kShader,
  kWhy,
  kRender,
  kSectionText,
  kInfo,
  kImage,
  kNote
};
constexpr uint64_t kMainThread = 7, kWorkerThread = 8, kFiberThread = 9, kOtherProgram = 77;

uint64_t address(Text text) { return uint64_t{text} + 1; }
uint32_t number(Text text) { return uint32_t{text} + 1; }

void add_frames(TracyWriter& w) {
  w.count(2);
  w.add(uint64_t{0}).add(uint8_t{1}).count(3);  // the program's own: 0, 1000, 3000
  w.add(int64_t{0}).add(int32_t{-1}).add(int64_t{1000}).add(int32_t{0}).add(int64_t{2000});
  w.add(int32_t{-1});
  w.add(address(kRender)).add(uint8_t{0}).count(2);  // 1100 to 1500, 3100 without an end
  w.add(int64_t{1100}).add(int64_t{400}).add(int32_t{-1});
  w.add(int64_t{1600}).add(int64_t{-3101}).add(int32_t{-1});
  const auto section = [&w] { w.add_48(500).add_48(5000).add_24(number(kSectionText)); };
  if (w.is_at_least(13, 5)) {
    w.count(1).add(uint16_t{3}).count(1);
    section();
    w.count(1).add(uint16_t{3}).add_24(number(kInfo));
  } else if (w.is_at_least(13, 4)) {
    w.count(1);
    section();
  }
}

void add_texts(TracyWriter& w) {
  w.texts({"main",
           "update",
           "src/demo.cpp",
           "void update(int)",
           "worker",
           "fiber",
           "browser",
           "browser's thread",
           "go",
           "17 items",
           "update of the world",
           "queue",
           "speed",
           "textures",
           "shader",
           "segmentation fault",
           "Render",
           "loading",
           "Build: debug",
           "libdemo.so",
           "vertices"});
  w.count(3).add(kMainThread).add(uint64_t{1000 + kMain});
  w.add(kWorkerThread).add(uint64_t{1000 + kWorker}).add(kFiberThread).add(uint64_t{1000 + kFiber});
  w.count(1).add(kOtherProgram).add(uint64_t{1000 + kOther}).add(uint64_t{1000 + kOtherThread});
  w.count(3).add(uint64_t{0}).add(kMainThread).add(kWorkerThread);
  w.count(3).add(kMainThread).add(kWorkerThread).add(kOtherProgram);
  // Places: one that the compiler laid out, one that was made, without a name.
  w.count(2).add(uint64_t{0x500}).ref(-1).ref(-1).ref(-1).add(uint32_t{0}).add(uint32_t{0});
  w.add(uint64_t{0x501}).ref(kUpdate).ref(kFunction).ref(kFile).add(uint32_t{12});
  w.add(uint32_t{0x3080FF});  // blue, green, red
  w.count(2).add(uint64_t{0x500}).add(uint64_t{0x501});
  w.count(1).ref(-1).ref(kShader).ref(kFile).add(uint32_t{80}).add(uint32_t{0});
  w.count(1).add(int16_t{1}).add(uint64_t{4});
  if (w.is_at_least(7, 15)) w.count(1).add(int16_t{-1}).add(uint64_t{1});
}

void add_locks(TracyWriter& w) {
  enum Type : uint8_t { kWait, kObtain, kRelease, kWaitShared, kObtainShared, kReleaseShared };
  const auto event = [&w](int64_t after, int16_t place, uint8_t thread, uint8_t type) {
    w.add(after).add(place).add(thread).add(type);
  };
  w.count(2);
  w.add(uint32_t{5}).add_24(number(kQueue)).add(int16_t{1}).add(uint8_t{0}).add(uint8_t{1});
  w.add(int64_t{100}).add(int64_t{9000}).count(2).add(kMainThread).add(kWorkerThread);
  w.count(10);
  event(100, 1, 0, kWait);     // 200: main
  event(0, 0, 0, kObtain);     // at once
  event(100, 0, 1, kWait);     // 300: the worker waits
  event(100, 0, 0, kRelease);  // 400
  event(10, 0, 1, kObtain);    // 410: it is handed over
  event(90, 0, 1, kRelease);   // 500
  event(100, 0, 1, kObtain);   // 600
  event(50, 0, 0, kObtain);    // 650: so it had let go of it
  event(10, 0, 0, kRelease);   // 660: which it says now, and is taken for the other's
  event(40, 0, 0, kRelease);   // 700
  w.add(uint32_t{6}).add_24(0).add(int16_t{1}).add(uint8_t{1}).add(uint8_t{1});
  w.add(int64_t{0}).add(int64_t{0}).count(1).add(kMainThread).count(3);
  event(600, 0, 0, kWaitShared);
  event(100, 0, 0, kObtainShared);
  event(100, 0, 0, kReleaseShared);
}

void add_messages(TracyWriter& w) {
  w.count(2);
  w.add(uint64_t{0x900}).add(int64_t{150}).ref(kGo).add(uint32_t{0xFF0000FF}).add_24(1);
  if (w.is_at_least(13, 2)) w.add(uint8_t{1}).add(uint8_t{3});
  w.add(uint64_t{0x901}).add(int64_t{50}).ref(kGo).add(uint32_t{0xFFFFFFFF}).add_24(0);
  if (w.is_at_least(13, 2)) w.add(uint8_t{0}).add(uint8_t{2});
  // Data that few zones have.
  w.count(2).add_24(0).add_24(0).add_24(0);
  if (w.is_at_least(7, 5)) w.add_24(0);
  w.add_24(1).add_24(number(kExtraText)).add_24(number(kExtraName));
  if (w.is_at_least(7, 5)) w.add_24(0x0000FF);
}

void add_thread(TracyWriter& w, uint64_t tid, uint64_t zones, bool is_fiber) {
  w.add(tid).add(zones);
  if (w.is_at_least(7, 9)) w.add(uint64_t{0});
  if (w.is_at_least(7, 11)) w.add(static_cast<uint8_t>(is_fiber));
  if (w.is_at_least(11, 1)) w.add(int32_t{0});
}

void add_threads(TracyWriter& w) {
  w.count(4).count(1).count(3);
  add_thread(w, kMainThread, 3, false);
  w.add(uint32_t{2});
  w.zone(1, 1000, 0, 1).zone(1, 100, 1, 0).add(int64_t{200}).add(int64_t{700});  // 1000, 1100
  w.zone(-1, 500, 0, 0).add(int64_t{-2501});  // 2500, without an end
  w.count(1).add(uint64_t{0x900});
  if (w.is_at_least(7, 14)) w.count(1).add(int64_t{1250}).add_24(1);  // when it left its processor
  w.count(2).add(int64_t{1150}).add_24(1).add(int64_t{100}).add_24(2);
  add_thread(w, kWorkerThread, 0, false);
  w.add(uint32_t{0}).count(1).add(uint64_t{0x901});
  if (w.is_at_least(7, 14)) w.count(0);
  w.count(0);
  add_thread(w, kFiberThread, 1, true);
  w.add(uint32_t{1}).zone(1, 4000, 0, 0).add(int64_t{100});
  w.count(0);
  if (w.is_at_least(7, 14)) w.count(0);
  w.count(0);
}

void add_gpu(TracyWriter& w) {
  w.count(2).count(1).count(1);
  w.add(uint64_t{0}).add(uint8_t{0}).add(uint64_t{2}).add(1.0F).add(uint8_t{2});
  if (w.is_at_least(7, 6)) w.add_24(number(kQueue));
  if (w.is_at_least(7, 9)) w.add(uint64_t{0});
  const bool has_notes = w.is_at_least(12, 4);
  if (has_notes) w.count(1).add(int64_t{4}).add_24(number(kNote));
  w.count(1).add(kMainThread).count(1);
  const auto zone = [&w](int64_t cpu, int64_t gpu, uint32_t callstack, uint64_t children) {
    w.add(cpu).add(gpu).add(int16_t{-1}).add_24(callstack).add(uint16_t{1}).count(children);
  };
  const auto end = [&w, has_notes](int64_t cpu, int64_t gpu, uint16_t query) {
    w.add(cpu).add(gpu);
    if (has_notes) w.add(query);
  };
  zone(1200, 2000, 0, 1);
  zone(20, 100, 1, 0);
  end(10, 300, 1);
  end(10, 200, 0);
  if (has_notes) w.count(1).add(uint16_t{1}).count(1).add(int64_t{4}).add(1500.0);
}

void add_plots(TracyWriter& w) {
  const auto plot = [&w](uint8_t type, uint8_t format, uint64_t name) {
    w.add(type).add(format);
    if (w.is_at_least(8, 3)) w.add(uint8_t{0}).add(uint8_t{1}).add(uint32_t{0x0000FF});
    w.add(name).add(0.0).add(9.0);
    if (w.is_at_least(7, 10)) w.add(9.0);
  };
  w.count(2);
  plot(0, 0, address(kSpeed));
  w.count(3).add(int64_t{10}).add(1.5).add(int64_t{10}).add(2.5).add(int64_t{10});
  w.add(std::numeric_limits<double>::quiet_NaN());
  plot(2, 2, 0);
  w.count(1).add(int64_t{100}).add(37.5);
}

void add_pools(TracyWriter& w) {
  if (w.is_at_least(7, 3)) w.count(1).count(2).add(address(kPool));
  w.count(3).count(1).count(2);
  const auto allocation = [&w](uint64_t at, uint64_t size, uint32_t callstack, int64_t after,
                               int64_t freed, uint16_t thread, uint16_t freed_by) {
    w.add(at).add(size).add_24(callstack).add_24(0).add(after).add(freed).add(thread).add(freed_by);
  };
  allocation(0x1000, 64, 1, 100, 500, 1, 2);  // freed at 600
  allocation(0x2000, 32, 0, 100, 100, 1, 1);  // 200 to 300
  allocation(0x3000, 8, 0, 200, -1, 2, 0);    // 400, never freed
  w.add(uint64_t{0x3000}).add(uint64_t{0x1000}).add(uint64_t{8});
  if (w.is_at_least(7, 3)) w.add(address(kPool));
}

void add_stacks(TracyWriter& w) {
  constexpr uint64_t kFirst = uint64_t{1} << 62 | 1, kUnknown = 0x401000;
  w.count(2).add(uint16_t{2}).add(kFirst).add(kUnknown).add(uint16_t{1}).add(kFirst);
  w.count(1).add(kFirst).add(uint8_t{2}).add_24(number(kImage));
  w.add_24(number(kShader)).add_24(number(kFile)).add(uint32_t{80}).add(uint64_t{0x402000});
  w.add_24(number(kUpdate)).add_24(number(kFile)).add(uint32_t{13}).add(uint64_t{0x402000});
  w.count(1).ref(kInfo);
}

void add_switches(TracyWriter& w) {
  const auto run = [&w](int64_t wakeup, int64_t begin, int64_t end, uint8_t processor,
                        int8_t reason, int8_t state, uint64_t thread) {
    w.add(wakeup).add(begin).add(end).add(processor).add(reason).add(state);
    if (w.is_at_least(7, 12)) w.add(thread);
    if (w.is_at_least(11, 3)) w.add(static_cast<uint8_t>(processor + 1));
  };
  w.count(2);
  w.add(kMainThread).count(3);
  run(100, 10, 90, 0, 100, 104, 0);  // woken at 100, ran 110 to 200, then slept
  run(300, 0, 100, 1, 5, 5, 0);      // 500 to 600, then waited for Suspended
  run(100, -701, 0, 1, -2, 0, 0);    // woken at 700, and not run yet
  w.add(kFiberThread).count(1);
  run(4000, 0, 100, 0, 99, 0, kWorkerThread);
  w.count(3);  // by processor
  for (int i = 0; i < 256; ++i) {
    if (i != 1) {
      w.count(0);
      continue;
    }
    w.count(3).add(int64_t{500}).add(int64_t{100}).add(uint16_t{0});
    w.add(int64_t{0}).add(int64_t{50}).add(uint16_t{2});
    w.add(int64_t{50}).add(int64_t{-701}).add(uint16_t{1});  // still runs
  }
}

void add_rest(TracyWriter& w) {
  w.count(1).add(kOtherProgram).add(uint64_t{76});
  w.count(1).add(kMainThread).add(int64_t{190}).add(uint32_t{2}).add(uint32_t{1});
  w.count(1).count(0).count(1);  // symbols
  w.add(uint64_t{0x402000}).add_24(number(kUpdate)).add_24(number(kFile)).add(uint32_t{12});
  w.add_24(number(kImage)).add_24(0).add(uint32_t{0}).add(uint8_t{0}).add_24(64);
  w.count(1).add(uint64_t{0x402000}).add(uint32_t{4}).raw("code");
  if (!w.is_at_least(8, 5)) w.count(1).add(uint64_t{1}).add(uint16_t{1}).add(uint64_t{0x402001});
  if (w.is_at_least(7, 9)) {
    w.count(1).add(uint64_t{0x402001}).add(uint64_t{0x402000});
    w.count(1).add(uint64_t{0x402001}).count(2).add(int64_t{1000}).add(int64_t{500});
    for (int i = 1; i < 6; ++i) w.count(0);
  }
  w.count(1).add(uint32_t{12}).raw("src/demo.cpp").add(uint32_t{6}).raw("int x;");
}

// All that a trace may hold, as far as the version has it.
std::string everything(uint8_t minor, uint8_t patch) {
  TracyWriter w(0, minor, patch);
  w.head("demo");
  w.crash(kMainThread, 8000, address(kWhy), 2);
  add_frames(w);
  add_texts(w);
  add_locks(w);
  add_messages(w);
  add_threads(w);
  add_gpu(w);
  add_plots(w);
  add_pools(w);
  add_stacks(w);
  if (w.is_at_least(7, 8)) w.add(uint32_t{3}).raw("dic");
  w.count(1).add(uint16_t{4}).add(uint16_t{4}).add(uint8_t{0}).raw("01234567");
  add_switches(w);
  add_rest(w);
  return w.bytes();
}

// Times, ends and references that cannot be.
std::string nonsense() {
  TracyWriter w(0, 13, 6);
  w.head("demo");
  w.crash(0, 0, 0, 0);
  w.count(1).add(uint64_t{99}).add(uint8_t{0}).count(1);
  w.add(int64_t{500}).add(int64_t{-100}).add(int32_t{-1});  // ends before it begins
  w.count(0).count(0);
  w.texts({"main"});
  w.count(0).count(0).count(0).count(0);
  w.count(0).count(0).count(0).count(0).count(0);
  w.count(1).add(uint32_t{1}).add_24(9).add(int16_t{5}).add(uint8_t{0}).add(uint8_t{1});
  w.add(int64_t{10}).add(int64_t{0}).count(1).add(kMainThread).count(2);
  w.add(int64_t{0}).add(int16_t{0}).add(uint8_t{4}).add(uint8_t{0});  // a thread that is not there
  w.add(int64_t{0}).add(int16_t{0}).add(uint8_t{0}).add(uint8_t{2});  // not held
  w.count(1).add(uint64_t{1}).add(int64_t{20}).ref(0).add(uint32_t{0}).add_24(5);
  w.add(uint8_t{9}).add(uint8_t{9});
  w.count(1).add_24(0).add_24(0).add_24(0).add_24(0);
  w.count(2).count(0).count(1);
  add_thread(w, kMainThread, 2, false);
  w.add(uint32_t{2}).zone(99, int64_t{1} << 50, 5, 0).add(int64_t{10});
  w.zone(-99, -(int64_t{1} << 50), 0, 0).add(int64_t{-5});
  w.count(0).count(0).count(0);
  w.count(0).count(0).count(0);  // no GPU
  w.count(0).count(0).count(0);  // no plots, no memory
  w.count(0).count(0).count(0);  // no stacks, nothing about the program
  w.add(uint32_t{0}).count(0);
  w.count(0).count(0);
  for (int i = 0; i < 256; ++i) w.count(0);
  for (int i = 0; i < 9; ++i) w.count(0);
  w.raw("more");
  return w.bytes();
}

TEST(Tracy, CasesAreWhatIsWritten) {
  const std::string whole = everything(14, 0);
  test::expect_case("tracy/succeed/everything.tracy",
                    tracy_file(whole, TracyPacking::kManyLz4, 500));
  test::expect_case("tracy/succeed/oldest.tracy",
                    tracy_file(everything(7, 0), TracyPacking::kOneLz4));
  test::expect_case("tracy/fail/nonsense.tracy", tracy_file(nonsense(), TracyPacking::kOneLz4));
  test::expect_case("tracy/fail/cut.tracy",
                    tracy_file(std::string_view(whole).substr(0, 3000), TracyPacking::kOneLz4));
  test::expect_case(
      "tracy/fail/damaged_block.tracy",
      tracy_file(std::string_view(whole).substr(0, 2000), TracyPacking::kManyLz4, 500) +
          std::string("\x05\0\0\0\xFFxxxx", 9));
}

// Packed in every way, in blocks of every size, it is the same.
TEST(Tracy, PackingDoesNotMatter) {
  const ScratchFolder folder;
  const std::string whole = everything(14, 0);
  const std::string expected =
      read(folder.write("t", tracy_file(whole, TracyPacking::kManyLz4, 500)))->text();
  const auto text_of = [&](TracyPacking packing, size_t block_bytes, uint8_t streams) {
    return read(folder.write("t", tracy_file(whole, packing, block_bytes, streams)))->text();
  };
  // Places in the file are others.
  const auto events = [](const std::string& text) { return text.substr(0, text.find("\nnote")); };
  for (const TracyPacking packing : {TracyPacking::kOneLz4, TracyPacking::kOneZstd,
                                     TracyPacking::kManyLz4, TracyPacking::kManyZstd}) {
    for (const size_t block_bytes : {size_t{1} << 16, size_t{777}, size_t{64}})
      EXPECT_EQ(events(text_of(packing, block_bytes, 4)), events(expected)) << block_bytes;
  }
}

TEST(Tracy, EveryVersionIsRead) {
  const ScratchFolder folder;
  const std::pair<uint8_t, uint8_t> versions[] = {
      {7, 0},  {7, 1},  {7, 3},  {7, 5},  {7, 6},  {7, 8},  {7, 9},  {7, 10},
      {7, 11}, {7, 12}, {7, 14}, {7, 15}, {8, 0},  {8, 3},  {8, 4},  {8, 5},
      {9, 0},  {9, 2},  {10, 0}, {11, 0}, {11, 1}, {11, 2}, {11, 3}, {12, 2},
      {12, 3}, {12, 4}, {13, 1}, {13, 2}, {13, 4}, {13, 5}, {13, 6}, {14, 0}};
  for (const auto& [minor, patch] : versions) {
    const auto reading =
        read(folder.write("t", tracy_file(everything(minor, patch), TracyPacking::kManyZstd)));
    const std::string text = reading->text();
    EXPECT_EQ(reading->error, "");
    EXPECT_EQ(text.find("input ends"), std::string::npos) << int{minor} << '.' << int{patch};
    EXPECT_EQ(text.find("behind the last"), std::string::npos) << int{minor} << '.' << int{patch};
    EXPECT_THAT(text, testing::HasSubstr("\"update of the world\"")) << int{minor};
  }
}

TEST(Tracy, OtherVersionsAreRefusedByName) {
  const ScratchFolder folder;
  const auto error_of = [&](uint8_t minor, uint8_t patch) {
    const TracyWriter w(0, minor, patch);
    return read(folder.write("t", tracy_file(w.bytes(), TracyPacking::kManyZstd)))->error;
  };
  EXPECT_THAT(error_of(6, 13), testing::HasSubstr("version 0.6.13"));
  EXPECT_THAT(error_of(14, 1), testing::HasSubstr("version 0.14.1"));
  EXPECT_NE(read(folder.write("t", tracy_file("other things", TracyPacking::kOneLz4)))->error, "");
  EXPECT_NE(read(folder.write("t", "tr\xFDP\x07\x01"))->error, "");
}

// Every cut of what is packed is an answer, as every cut of the file is (every_format_test.cpp).
TEST(Tracy, EveryCutIsRead) {
  const ScratchFolder folder;
  const std::string whole = everything(14, 0);
  for (const size_t size : test::cuts_of(whole.size())) {
    const auto reading = read(folder.write(
        "t", tracy_file(std::string_view(whole).substr(0, size), TracyPacking::kOneLz4)));
    EXPECT_TRUE(!reading->error.empty() ||
                reading->text().find("input ends within") != std::string::npos)
        << size;
  }
}

// Counts of a file are believed only as far as there are bytes.
TEST(Tracy, CountsTakeNoMemory) {
  const ScratchFolder folder;
  for (const size_t at : {size_t{200}, size_t{400}, size_t{1500}, size_t{2500}, size_t{4000}}) {
    std::string whole = everything(14, 0);
    for (size_t i = 0; i < 8; ++i) whole[at + i] = '\xFF';
    const auto reading = read(folder.write("t", tracy_file(whole, TracyPacking::kOneLz4)));
    EXPECT_NE(reading->error + reading->text(), "");
  }
}

}  // namespace
}  // namespace weft::formats

// covers FS-62, R7
#include "core/formats/embedded/fst/fst_reader.h"

#include <gtest/gtest.h>

#include <numbers>
#include <string>
#include <vector>

#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/lz4.h"
#include "tests/core/io/compress.h"

namespace weft::formats {
namespace {

using test::Bytes;
using test::literals_of_lz4;

constexpr uint8_t kHeader = 0, kGeometry = 3, kHierarchyLz4 = 6, kChanges = 8;
constexpr uint32_t kAnyLength = UINT32_MAX;

std::string block(uint8_t kind, const std::string& content) {
  return Bytes().little(kind).big(uint64_t{8} + content.size()).text(content).str();
}

// `zero`: what is added to all times.
std::string header(int64_t zero = 0) {
  Bytes bytes;
  bytes.big(uint64_t{0}).big(uint64_t{30}).little(std::numbers::e);
  for (int i = 0; i < 5; ++i) bytes.big(uint64_t{0});
  bytes.little(int8_t{-8});  // tens of nanoseconds
  std::string version = "by hand", date = "today\n";
  version.resize(128);
  date.resize(119);
  bytes.text(version).text(date).little(uint8_t{0}).big(zero);
  return block(kHeader, bytes.str());
}

std::string variable(uint8_t type, const std::string& name, uint64_t length, uint64_t alias = 0) {
  return Bytes()
      .little(type)
      .little(uint8_t{0})
      .text(name)
      .little(uint8_t{0})
      .varint(length)
      .varint(alias)
      .str();
}

// Names and values of one, or that the next variable is of the one with the number.
std::string enumeration(const std::string& text, uint64_t number) {
  return Bytes()
      .text(std::string("\xFC\0\7", 3))
      .text(text)
      .little(uint8_t{0})
      .varint(number)
      .str();
}

std::string names() {
  using namespace std::string_literals;
  std::string all = "\xFE\0top\0\0"s;
  all += "\xFC\0\3here.v\0\1"s;
  all += variable(16, "clk", 1) + variable(5, "data [7:0]", 8) + variable(3, "level", 8) +
         variable(21, "phase", 0) + variable(0, "done", 1) + variable(16, "same", 1) +
         variable(1, "limit", 32) + variable(16, "clk_too", 1, 1) + variable(18, "pad", 5);
  all += enumeration("state 3 idle bu\\x20sy done 00 01 10", 1) + enumeration("", 1) +
         variable(28, "state", 2) + variable(28, "plain", 2, 9) + enumeration("odd 9 a", 2) +
         enumeration("", 7) + variable(28, "other", 2, 9) + "\xFF";
  return all;
}

std::string hierarchy() {
  const std::string all = names();
  return block(kHierarchyLz4, Bytes().big(uint64_t{all.size()}).text(literals_of_lz4(all)).str());
}

std::string geometry() {
  Bytes lengths;
  for (const uint32_t length : {1u, 8u, 0u, kAnyLength, 1u, 1u, 32u, 5u, 2u})
    lengths.varint(length);
  return block(kGeometry,
               Bytes().big(uint64_t{lengths.size()}).big(uint64_t{9}).text(lengths.str()).str());
}

std::string steps() { return Bytes().varint(0).varint(10).varint(15).str(); }

// `times`: as they stand in the file, of so many bytes and times when unpacked.
std::string changes(const std::string& times = steps(), uint64_t size = 3, uint64_t count = 3) {
  const std::string data = Bytes().varint(0).text("\xA5").varint(2 << 1 | 1).text("zzzzzzzz").str();
  const std::vector<std::string> chains = {
      Bytes().varint(0).varint(0).varint(1 << 2 | 2).varint(1 << 4 | 1).str(),
      Bytes().varint(data.size()).text(literals_of_lz4(data)).str(),
      Bytes().varint(0).varint(1 << 1 | 1).little(1.5).str(),
      Bytes().varint(0).varint(1 << 1).varint(5).text("go on").str(),
      Bytes().varint(0).varint(2 << 2 | 2).str(),
  };
  std::string all(1, '4');
  Bytes index;
  size_t before = 0;
  for (const std::string& chain : chains) {
    index.little(static_cast<uint8_t>((all.size() - before) << 1 | 1));
    before = all.size();
    all += chain;
  }
  index.little(uint8_t{0x7F}).little(uint8_t{1 << 1});  // as the first one, and one without changes
  const std::vector<std::string> more = {
      Bytes().varint(0).varint(1 << 1 | 1).text("H 0 6").varint(1 << 1 | 1).text("f 6 6").str(),
      Bytes().varint(0).varint(1 << 1).text("\x40").varint(1 << 1).text("\xC0").str(),
  };
  for (const std::string& chain : more) {
    index.little(static_cast<uint8_t>((all.size() - before) << 1 | 1));
    before = all.size();
    all += chain;
  }
  const std::string frame = "xxxxxxxxx" + std::string(8, '\0') + "xx" +
                            "00000000000000000000000000000101" + "L 6 6" + "10";
  Bytes bytes;
  bytes.big(uint64_t{0}).big(uint64_t{30}).big(uint64_t{0});
  bytes.varint(frame.size()).varint(frame.size()).varint(9).text(frame).varint(9);
  bytes.text(all).text(index.str()).big(uint64_t{index.size()}).text(times);
  bytes.big(size).big(uint64_t{times.size()}).big(count);
  return block(kChanges, bytes.str());
}

TEST(Fst, ReadsAsWritten) {
  const std::string all = header() + changes() + geometry() + hierarchy();
  test::expect_case("fst/succeed/everything.fst", all);
  test::expect_case("fst/succeed/time_zero.fst",
                    header(-12) + changes() + geometry() + hierarchy());
  std::string damaged = all;
  const size_t packed = damaged.find("zzzzzzzz");
  damaged[packed - 4] = '\x7F';  // longer than there is
  test::expect_case("fst/fail/damaged.fst", damaged + "\3");
  std::string stepless = all;
  stepless[stepless.find("\x03\x09")] = '\1';  // the first handle's changes begin nowhere
  test::expect_case("fst/fail/stepless.fst", stepless);
  test::expect_case("fst/fail/nameless.fst", header() + changes() + geometry());
}

// A dump that notes every tick has more times than there is memory for.
TEST(Fst, OfManyTimesOnlyTheStepsAreKept) {
  const test::ScratchFolder folder;
  constexpr size_t kMore = 1 << 20;
  const std::string many = steps() + std::string(kMore, '\1');
  const std::string few = header() + changes() + geometry() + hierarchy();
  const std::string all =
      header() + changes(test::gzip(many), many.size(), many.size()) + geometry() + hierarchy();
  EXPECT_EQ(
      test::read(folder.write("all.fst", all), {.format = {}, .memory_bytes = kMore / 2})->text(),
      test::read(folder.write("few.fst", few))->text());
  const std::string cut =
      header() + changes(test::gzip(many), many.size(), many.size() + 1) + geometry() + hierarchy();
  EXPECT_EQ(test::read(folder.write("cut.fst", cut))->sink.loss_count("block without its times"),
            1u);
}

// The names lie beside until the writer ends; lengths are what they say.
TEST(Fst, ReadsOneWhoseWriterDidNotEnd) {
  const test::ScratchFolder folder;
  const auto whole = folder.write("whole.fst", header() + changes() + geometry() + hierarchy());
  const auto unfinished = folder.write("killed.fst", header() + changes());
  folder.write("killed.fst.hier", names());
  EXPECT_EQ(test::read(unfinished)->text(), test::read(whole)->text());
}

}  // namespace
}  // namespace weft::formats

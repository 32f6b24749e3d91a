// covers FS-62, R7
#include "core/formats/embedded/ghw/ghw_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::Bytes;

constexpr uint64_t kFemtosecondsOfNanosecond = 1'000'000;

std::string mark(std::string_view name) { return std::string(name) + '\0'; }

// Varints of numbers that may be negative, by GHDL's reader.
std::string signed_varint(int64_t value) {
  std::string bytes;
  while (true) {
    const auto low = static_cast<char>(value & 0x7F);
    value >>= 7;
    const bool is_last = value == ((low & 0x40) != 0 ? -1 : 0);
    bytes += static_cast<char>(is_last ? low : low | 0x80);
    if (is_last) return bytes;
  }
}

// Names get their number when they are met first.
class Waveform {
 public:
  explicit Waveform(bool is_big = false) : is_big_(is_big) {}

  uint64_t name(std::string_view text) {
    for (size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == text) return i + 1;
    }
    names_.emplace_back(text);
    return names_.size();
  }
  // Its number.
  uint64_t enumeration(std::string_view of, const std::vector<std::string>& literals) {
    types_.little(uint8_t{23}).varint(name(of)).varint(literals.size());
    for (const std::string& literal : literals) types_.varint(name(literal));
    return ++type_count_;
  }
  uint64_t type(uint8_t kind, std::string_view of, const Bytes& rest) {
    types_.little(kind).varint(of.empty() ? 0 : name(of)).text(rest.str());
    return ++type_count_;
  }
  Bytes& parts() { return parts_; }
  void signal(uint8_t kind, std::string_view of, uint64_t type, uint32_t first, uint32_t count) {
    parts_.little(kind).varint(name(of)).varint(type);
    for (uint32_t i = 0; i < count; ++i) parts_.varint(first + i);
  }
  void scope(uint8_t kind, std::string_view of) { parts_.little(kind).varint(name(of)); }
  void leave() { parts_.little(uint8_t{15}); }

  std::string word(uint64_t value, size_t bytes) const {
    std::string text;
    for (size_t i = 0; i < bytes; ++i) {
      const size_t byte = is_big_ ? bytes - 1 - i : i;
      text += static_cast<char>(value >> (8 * byte));
    }
    return text;
  }
  std::string header() const {
    std::string all = "GHDLwave\n";
    all += std::string({16, 0, 1, static_cast<char>(is_big_ ? 2 : 1), 4, 1, 0});
    all += mark("STR") + word(0, 4) + word(names_.size(), 4) + word(0, 4);
    for (size_t i = 0; i < names_.size(); ++i) {
      all += names_[i].substr(shared(i)) + static_cast<char>(shared(i + 1));
    }
    all += mark("EOS");
    all += mark("TYP") + word(0, 4) + word(type_count_, 4) + types_.str() + '\0';
    all += mark("WKT") + word(0, 4) + std::string({1, 1, 0});
    all += mark("HIE") + word(0, 8) + word(0, 8) + parts_.str() + '\0' + mark("EOH");
    return all;
  }

 private:
  // How much of the name before the i-th has, up to 31 bytes.
  size_t shared(size_t i) const {
    if (i == 0 || i == names_.size()) return 0;
    size_t n = 0;
    while (n < 31 && n < names_[i].size() && n < names_[i - 1].size() &&
           names_[i][n] == names_[i - 1][n])
      ++n;
    return n;
  }

  bool is_big_;
  std::vector<std::string> names_;
  Bytes types_, parts_;
  uint64_t type_count_ = 0;
};

constexpr uint8_t kInteger = 25, kReal = 27, kPhysical = 29, kArray = 31, kRecord = 32,
                  kSubtype = 34, kBounded = 35, kUnbounded = 37, kBoundedRecord = 38;
constexpr uint8_t kInstance = 6, kGenerateFor = 5, kProcess = 13, kSignal = 16, kPortIn = 17;
constexpr uint8_t kDown = 0x80;

std::string range(uint8_t kind, int64_t left, int64_t right) {
  return std::string(1, static_cast<char>(kind)) + signed_varint(left) + signed_varint(right);
}

// A signal of every kind of type.
Waveform design(bool is_big) {
  Waveform wave(is_big);
  const uint64_t logic = wave.enumeration(
      "std_ulogic", {"'U'", "'X'", "'0'", "'1'", "'Z'", "'W'", "'L'", "'H'", "'-'"});
  const uint64_t boolean = wave.enumeration("boolean", {"false", "true"});
  const uint64_t state = wave.enumeration("state_t", {"idle", "busy"});
  std::vector<std::string> latin1;
  latin1.reserve(256);
  for (int c = 0; c < 256; ++c)
    latin1.push_back(c < ' ' || c > '~' ? "c" + std::to_string(c)
                                        : "'" + std::string(1, static_cast<char>(c)) + "'");
  const uint64_t character = wave.enumeration("character", latin1);
  const uint64_t integer = wave.type(kInteger, "integer", {});
  const uint64_t natural =
      wave.type(kSubtype, "natural", Bytes().varint(integer).text(range(kInteger, 0, INT32_MAX)));
  const uint64_t real = wave.type(kReal, "real", {});
  const uint64_t time = wave.type(kPhysical, "time",
                                  Bytes()
                                      .varint(2)
                                      .varint(wave.name("fs"))
                                      .text(signed_varint(1))
                                      .varint(wave.name("ps"))
                                      .text(signed_varint(1000)));
  const auto array = [&](std::string_view name, uint64_t element) {
    return wave.type(kArray, name, Bytes().varint(element).varint(1).varint(natural));
  };
  const uint64_t vector = array("std_ulogic_vector", logic);
  const uint64_t any = wave.type(kUnbounded, "std_logic_vector", Bytes().varint(vector));
  const uint64_t number = array("signed", logic);
  const uint64_t words = array("words", any);
  const uint64_t text = array("string", character);
  const auto bounded = [&](uint64_t base, const std::string& ranges) {
    return wave.type(kBounded, "", Bytes().varint(base).text(ranges));
  };
  const uint64_t nibble = bounded(any, range(kInteger | kDown, 3, 0));
  const uint64_t short_number = bounded(number, range(kInteger | kDown, 3, 0));
  const uint64_t memory = bounded(words, range(kInteger, 1, 2) + range(kInteger | kDown, 1, 0));
  const uint64_t word = bounded(text, range(kInteger, 1, 3));
  const uint64_t record = wave.type(kRecord, "packet",
                                    Bytes()
                                        .varint(3)
                                        .varint(wave.name("valid"))
                                        .varint(boolean)
                                        .varint(wave.name("data"))
                                        .varint(vector)
                                        .varint(wave.name("nothing"))
                                        .varint(bounded(vector, range(kInteger, 1, 0))));
  const uint64_t packet =
      wave.type(kBoundedRecord, "", Bytes().varint(record).text(range(kInteger | kDown, 1, 0)));

  wave.scope(kInstance, "top");
  wave.signal(kPortIn, "clk", logic, 1, 1);
  wave.signal(kSignal, "count", nibble, 2, 4);
  wave.signal(kSignal, "balance", short_number, 6, 4);
  wave.signal(kSignal, "memory", memory, 10, 4);
  wave.signal(kSignal, "packet", packet, 14, 3);
  wave.signal(kSignal, "word", word, 17, 3);
  wave.signal(kSignal, "state", state, 20, 1);
  wave.signal(kSignal, "level", real, 21, 1);
  wave.signal(kSignal, "steps", integer, 22, 1);
  wave.signal(kSignal, "wait_for", time, 23, 1);
  wave.scope(kProcess, "p0");
  wave.parts()
      .little(kGenerateFor)
      .varint(wave.name("lane"))
      .varint(integer)
      .text(signed_varint(-2));
  wave.signal(kSignal, "clk_too", logic, 1, 1);
  wave.leave();
  wave.leave();
  return wave;
}

std::string changes(const Waveform& wave) {
  const auto real = [&](double value) { return wave.word(std::bit_cast<uint64_t>(value), 8); };
  std::string all = mark("SNP") + wave.word(0, 4) + wave.word(0, 8);
  all += std::string({0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 3, 4, 2, 0, 3, 2});
  all += "ab" + std::string({0, 0}) + real(0.5) + signed_varint(-7) + signed_varint(1'500'000);
  all += mark("ESN");
  all += mark("CYC") + wave.word(10 * kFemtosecondsOfNanosecond, 8);
  all += std::string(
      {1, 3, 1, 2, 1, 3, 1, 2, 1, 3, 1, 3, 0});  // clk = 1; count = 5; balance is below 0
  all += signed_varint(0) + std::string({14, 1, 6, 1, 0});  // a delta: the packet is valid; busy
  all += signed_varint(2'000'500);                          // half a picosecond is lost
  all += std::string({1, 2, 18, '\xE9', 2}) + real(-1.25) + std::string({0});
  all += signed_varint(-1) + mark("ECY");
  return all;
}

std::string directory(const Waveform& wave) {
  return mark("DIR") + wave.word(0, 4) + wave.word(0, 4) + mark("EOD") + mark("TAI") +
         wave.word(0, 8);
}

TEST(Ghw, ReadsAsWritten) {
  const Waveform wave = design(false);
  const std::string all = wave.header() + changes(wave) + directory(wave);
  test::expect_case("ghw/succeed/everything.ghw", all);
  const Waveform big = design(true);
  test::expect_case("ghw/succeed/big_endian.ghw", big.header() + changes(big) + directory(big));
  std::string damaged = all;
  damaged[damaged.find(mark("CYC")) + 12] = 99;  // no signal has this number
  test::expect_case("ghw/fail/damaged.ghw", damaged);
  test::expect_case("ghw/fail/cut.ghw", all.substr(0, all.find(mark("ECY")) - 4));
}

TEST(HostileGhw, TypesThatCannotBeAreRefused) {
  const auto error_of = [](const Waveform& wave) {
    const test::ScratchFolder folder;
    folder.write("t.ghw", wave.header());
    const auto reading = test::read(folder / "t.ghw");
    return reading->error + reading->text();
  };
  Waveform itself;
  itself.type(kArray, "loop", Bytes().varint(1).varint(1).varint(1));
  EXPECT_THAT(error_of(itself), testing::HasSubstr("name one that is not there"));

  Waveform deep;
  uint64_t type = deep.type(kInteger, "integer", {});
  for (int i = 0; i < 100; ++i)
    type = deep.type(kRecord, "r", Bytes().varint(1).varint(deep.name("f")).varint(type));
  EXPECT_THAT(error_of(deep), testing::HasSubstr("too deep"));

  Waveform open;
  const uint64_t integer = open.type(kInteger, "integer", {});
  const uint64_t array = open.type(kArray, "a", Bytes().varint(integer).varint(1).varint(integer));
  open.signal(kSignal, "s", array, 1, 1);
  EXPECT_THAT(error_of(open), testing::HasSubstr("without bounds"));

  // More elements than the file has bytes.
  Waveform long_one;
  const uint64_t number = long_one.type(kInteger, "integer", {});
  const uint64_t base = long_one.type(kArray, "a", Bytes().varint(number).varint(1).varint(number));
  const uint64_t huge =
      long_one.type(kBounded, "", Bytes().varint(base).text(range(kInteger, INT64_MIN, INT64_MAX)));
  long_one.signal(kSignal, "s", huge, 1, 1);
  EXPECT_THAT(error_of(long_one), testing::HasSubstr("ends early"));
}

}  // namespace
}  // namespace weft::formats

#include "core/symbols/payload.h"

#include <gtest/gtest.h>

#include "core/symbols/c_reader.h"

namespace weft::symbols {
namespace {

constexpr const char* kSampleSource =
    "enum Mode { MODE_OFF, MODE_ON };\n"
    "struct sample { uint8_t flags; uint32_t value; int16_t delta; enum Mode mode; float level;\n"
    "                char name[6]; unsigned low : 3; unsigned high : 5; void *at; uint16_t list[]; "
    "};\n";

std::vector<std::byte> bytes_of(std::initializer_list<int> list) {
  std::vector<std::byte> bytes;
  for (const int each : list) bytes.push_back(static_cast<std::byte>(each));
  return bytes;
}

std::string text_of(const Fields& fields) {
  std::string text;
  for (const FieldLine& line : fields.lines) {
    text += std::string(line.level, ' ') + line.name + '=' + line.value + '@' +
            std::to_string(line.first_byte) + '+' + std::to_string(line.size_bytes) + '\n';
  }
  return text;
}

Fields decode(const char* source, const std::string& name, std::span<const std::byte> payload,
              const Target& target = {}) {
  CReader reader(target);
  reader.add(source);
  const Symbols symbols = std::move(reader).finish();
  return decode_payload(symbols, symbols.structs.at(name), payload, target.is_big_endian);
}

// covers TM-42, TM-51
TEST(Payload, LittleAndBigEndianSayTheSame) {
  const auto little = bytes_of({7, 0, 0,    0, 0x78, 0x56, 0x34, 0x12, 0xFE, 0xFF, 0,   0,
                                1, 0, 0,    0, 0,    0,    0xC0, 0x3F, 'p',  'u',  'm', 'p',
                                0, 0, 0x2D, 0, 0xEF, 0xBE, 0xAD, 0xDE, 1,    0,    2,   0});
  const auto big = bytes_of({7, 0, 0,    0, 0x12, 0x34, 0x56, 0x78, 0xFF, 0xFE, 0,   0,
                             0, 0, 0,    1, 0x3F, 0xC0, 0,    0,    'p',  'u',  'm', 'p',
                             0, 0, 0xA5, 0, 0xDE, 0xAD, 0xBE, 0xEF, 0,    1,    0,   2});
  const std::string expected =
      "flags=7@0+1\nvalue=305419896@4+4\ndelta=-2@8+2\nmode=MODE_ON (1)@12+4\nlevel=1.5@16+4\n"
      "name=\"pump\"@20+6\nlow=5@26+1\nhigh=5@26+1\nat=0xdeadbeef@28+4\nlist=@32+4\n [0]=1@32+2\n"
      " [1]=2@34+2\n";
  const Fields fields =
      decode(kSampleSource, "struct sample", little, {.pointer_bytes = 4, .long_bytes = 4});
  EXPECT_EQ(text_of(fields), expected);
  EXPECT_EQ(fields.note, "");
  EXPECT_EQ(text_of(decode(kSampleSource, "struct sample", big,
                           {.is_big_endian = true, .pointer_bytes = 4, .long_bytes = 4})),
            expected);
}

TEST(Payload, NestedAndAnonymousPartsAreATree) {
  const auto payload = bytes_of({1, 2, 3, 0, 4, 0, 0xFF, 9});
  const Fields fields = decode(
      "struct p { uint8_t x, y; };\n"
      "struct q { struct p p; union { uint16_t word; uint8_t part[2]; }; struct p list[2]; };",
      "struct q", payload);
  EXPECT_EQ(text_of(fields),
            "p=@0+2\n x=1@0+1\n y=2@1+1\n(anonymous)=@2+2\n word=3@2+2\n part=@2+2\n  [0]=3@2+1\n"
            "  [1]=0@3+1\nlist=@4+4\n [0]=@4+2\n  x=4@4+1\n  y=0@5+1\n [1]=@6+2\n  x=255@6+1\n"
            "  y=9@7+1\n");
  EXPECT_EQ(fields.lines[0].below, 2U);
  EXPECT_EQ(fields.lines[3].below, 4U);
}

TEST(Payload, AsJsonNumbersStayNumbersAndEnumeratorsGoByName) {
  const auto little = bytes_of({7, 0, 0,    0, 0x78, 0x56, 0x34, 0x12, 0xFE, 0xFF, 0,   0,
                                1, 0, 0,    0, 0,    0,    0xC0, 0x3F, 'p',  'u',  '"', 'p',
                                0, 0, 0x2D, 0, 0xEF, 0xBE, 0xAD, 0xDE, 1,    0,    2,   0});
  const Target target{.pointer_bytes = 4, .long_bytes = 4};
  EXPECT_EQ(json_of(decode(kSampleSource, "struct sample", little, target)),
            R"({"flags":7,"value":305419896,"delta":-2,"mode":"MODE_ON","level":1.5,)"
            R"("name":"pu\"p","low":5,"high":5,"at":"0xdeadbeef","list":{"0":1,"1":2}})");
  // Missing fields are left out.
  EXPECT_EQ(json_of(decode(kSampleSource, "struct sample", std::span(little).first(8), target)),
            R"({"flags":7,"value":305419896})");
  EXPECT_EQ(json_of({.type = "struct none"}), "{}");
}

TEST(Payload, WhatIsMissingOrTooMuchIsSaidInOneLine) {
  const char* const source = "struct s { uint32_t a, b; };";
  const Fields small = decode(source, "struct s", bytes_of({1, 0, 0, 0, 2}));
  EXPECT_EQ(text_of(small), "a=1@0+4\nb=not in the payload@4+0\n");
  EXPECT_EQ(small.note, "struct s has 8 bytes, the payload only 5");
  const Fields large = decode(source, "struct s", bytes_of({1, 0, 0, 0, 2, 0, 0, 0, 3}));
  EXPECT_EQ(large.note, "struct s has 8 bytes, the payload 1 more");
  EXPECT_EQ(text_of(decode(source, "struct s", {})),
            "a=not in the payload@0+0\nb=not in the payload@4+0\n");
}

TEST(Payload, LongArraysAreCut) {
  const std::vector<std::byte> payload(1 << 20);
  const Fields fields = decode("struct s { uint8_t grid[1024][1024]; };", "struct s", payload);
  EXPECT_TRUE(fields.is_cut);
  EXPECT_LE(fields.lines.size(), Fields::kMostLines);
  EXPECT_EQ(fields.note, "");
}

}  // namespace
}  // namespace weft::symbols

// covers FS-62, R7
// Profiles of Firefox whose columns are slabs beside the JSON.
#include "core/formats/profiles/firefox/json_slabs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/memory_source.h"
#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::Bytes;

struct Slab {
  uint32_t type;
  std::string bytes;
};

constexpr uint32_t kSlabOfJson = 10;

template <class Number>
Slab slab_of(uint32_t type, const std::vector<Number>& numbers) {
  Bytes bytes;
  for (const Number number : numbers) bytes.little(number);
  return {type, bytes.str()};
}

std::string slabs_file(const std::vector<Slab>& slabs, uint32_t root) {
  Bytes head, data;
  head.text(std::string_view("\xDC\xDFJSLB\1\0", 8)).little(1u);
  head.little(static_cast<uint32_t>(slabs.size())).little(root);
  const size_t begin = head.size() + 12 * slabs.size();
  data.text(std::string(begin, '\0'));
  for (const Slab& slab : slabs) {
    data.pad(8);
    head.little(slab.type).little(static_cast<uint32_t>(data.size()));
    head.little(static_cast<uint32_t>(slab.bytes.size()));
    data.text(slab.bytes);
  }
  return head.str() + data.str().substr(begin);
}

std::string text_of(const std::string& file) {
  io::MemorySource source(std::as_bytes(std::span(file)));
  test::RecordingSink sink;
  const auto slabs = firefox::SlabText::open(source, sink);
  if (!slabs) return slabs.error().message;
  std::string text, bytes(4093, '\0');
  for (;;) {
    const auto read = (*slabs)->read(std::as_writable_bytes(std::span(bytes)));
    if (!read) return read.error().message;
    if (*read == 0) return text + sink.dump();
    text += bytes.substr(0, *read);
  }
}

// Takes the numbers of a column out of a text, where a placeholder stands for them then.
template <class Number>
std::vector<Number> take_column(std::string& text, const std::string& name, uint32_t slab) {
  const std::string key = '"' + name + "\": [";
  const size_t begin = text.find(key) + key.size() - 1, end = text.find(']', begin);
  std::vector<Number> numbers;
  for (const char *at = text.data() + begin + 1, *last = text.data() + end; at < last;) {
    Number number{};
    const auto read = std::from_chars(at, last, number);
    if (read.ec == std::errc()) numbers.push_back(number);
    at = std::max(read.ptr, at + 1);
  }
  text.replace(begin, end + 1 - begin, "{\"$s\":" + std::to_string(slab) + '}');
  return numbers;
}

// version_70.json, with columns of several types, and what threads share as a text of its own.
std::string version_70_in_slabs() {
  std::string text = test::content_of(std::filesystem::path(WEFT_SOURCE_DIR) /
                                      "tests/core/formats/firefox/succeed/version_70.json");
  std::vector<Slab> slabs(3);
  slabs.push_back(slab_of(4, take_column<int32_t>(text, "prefixOffset", 3)));
  slabs.push_back(slab_of(1, take_column<uint8_t>(text, "frame", 4)));
  slabs.push_back(slab_of(2, take_column<int16_t>(text, "func", 5)));
  slabs.push_back(slab_of(0, take_column<int8_t>(text, "lib", 6)));
  slabs.push_back(slab_of(7, take_column<double>(text, "timeDeltas", 7)));
  slabs.push_back(slab_of(9, take_column<uint64_t>(text, "memoryAddress", 8)));
  slabs.push_back(slab_of(3, take_column<uint16_t>(text, "threadId", 9)));
  const size_t shared = text.find('{', text.find("\"shared\"")), end = text.find(" \"threads\"");
  const size_t behind = text.rfind('}', end) + 1;
  slabs[1] = {kSlabOfJson, text.substr(shared, behind - shared)};
  text.replace(shared, behind - shared, "{ \"$s\" : 1 }");
  slabs[2] = {kSlabOfJson, text};
  return slabs_file(slabs, 2);
}

std::string damaged_slabs() {
  const std::string text =
      R"({"meta":{"preprocessedProfileVersion":70,"interval":1},"shared":{"stringArray":["f"],)"
      R"("stackTable":{"prefixOffset":[0],"frame":[0]},"frameTable":{"func":[0],"lib":{"$s":9}},)"
      R"("funcTable":{"name":[0],"resource":{"$s":0}}},"threads":[{"name":"main","tid":1,"pid":"1",)"
      R"("samples":{"stack":[0,0],"time":{"$s":1}}}]})";
  // Four bytes are not double; a slab that is within itself.
  return slabs_file({{kSlabOfJson, R"([{"$s":0}])"}, {7, "abcd"}, {kSlabOfJson, text}}, 2);
}

TEST(JsonSlabs, CasesAreWhatIsWritten) {
  test::expect_case("firefox/succeed/slabs.jslb", version_70_in_slabs());
  test::expect_case("firefox/fail/slabs.jslb", damaged_slabs());
}

TEST(JsonSlabs, ReadAsTheJsonThatTheyStandFor) {
  const auto cases = std::filesystem::path(WEFT_SOURCE_DIR) / "tests/core/formats/firefox/succeed";
  EXPECT_EQ(test::read(cases / "slabs.jslb")->text(),
            test::read(cases / "version_70.json")->text());
}

TEST(JsonSlabs, NumbersOfAllTypesAreWritten) {
  EXPECT_THAT(text_of(slabs_file(
                  {slab_of<int64_t>(8, {INT64_MIN, 0}),
                   slab_of<uint64_t>(9, {UINT64_MAX}),
                   slab_of<float>(6, {0.1f, -INFINITY}),
                   slab_of<double>(7, {0.1, 1e300, NAN}),
                   slab_of<uint32_t>(5, {UINT32_MAX}),
                   slab_of<int8_t>(0, {}),
                   {kSlabOfJson, R"([{"$s":0},{"$s":1},{"$s":2},{"$s":3},{"$s":4},{"$s":5}])"}},
                  6)),
              testing::StartsWith("[[-9223372036854775808,0],[18446744073709551615],[0.1,null],"
                                  "[0.1,1e+300,null],[4294967295],[]]"));
}

TEST(JsonSlabs, OnlyAnObjectOfTheKeyAloneStandsForASlab) {
  EXPECT_THAT(
      text_of(
          slabs_file({slab_of<uint8_t>(1, {7}),
                      {kSlabOfJson,
                       R"({"a{\"$s\":0}":{"$s":0,"b":1},"$s":0,"c":[{"$s": 0 }],"d":{"$s":"0"}})"}},
                     1)),
      testing::StartsWith(R"({"a{\"$s\":0}":{"$s":0,"b":1},"$s":0,"c":[[7]],"d":{"$s":"0"}})"));
}

// The text is looked at in pieces: what stands for a slab may lie at any place of one.
TEST(JsonSlabs, APlaceholderMayLieAnywhere) {
  constexpr size_t kPiece = 256 << 10;
  for (const size_t before :
       {kPiece - 70, kPiece - 64, kPiece - 63, kPiece - 5, kPiece - 1, kPiece}) {
    const std::string spaces(before - 1, ' ');
    const std::string text = text_of(
        slabs_file({slab_of<uint8_t>(1, {7}), {kSlabOfJson, '[' + spaces + R"({"$s":0}, 1])"}}, 1));
    EXPECT_TRUE(text.starts_with('[' + spaces + "[7], 1]")) << before;
  }
}

// Slabs that name each other twice are an exponential text.
TEST(JsonSlabs, ATextThatGrowsOutOfFewSlabsEnds) {
  std::vector<Slab> slabs = {{1, std::string(64 << 10, 'x')}};
  for (int i = 0; i < 15; ++i) {
    const std::string inner = "{\"$s\":" + std::to_string(i) + '}';
    slabs.push_back({kSlabOfJson, '[' + inner + ',' + inner + ']'});
  }
  EXPECT_THAT(text_of(slabs_file(slabs, 15)), testing::HasSubstr("much longer than its slabs"));
}

TEST(JsonSlabs, ASlabWithinItselfIsNone) {
  const Slab whole{kSlabOfJson, R"({"$s":0})"}, part{kSlabOfJson, R"([{"$s":0},{"$s":0}])"};
  EXPECT_THAT(text_of(slabs_file({whole}, 0)), testing::StartsWith("null"));
  EXPECT_THAT(text_of(slabs_file({part}, 0)), testing::StartsWith("[null,null]"));
}

TEST(JsonSlabs, AHeadThatSaysNothingIsAnError) {
  const std::string file = slabs_file({{kSlabOfJson, "{}"}}, 0);
  EXPECT_THAT(text_of(file), testing::StartsWith("{}"));
  EXPECT_THAT(text_of(file.substr(0, 15)), testing::HasSubstr("ends within the head"));
  EXPECT_THAT(text_of(slabs_file({{kSlabOfJson, "{}"}}, 1)), testing::HasSubstr("head"));
  EXPECT_THAT(text_of(slabs_file({slab_of<uint8_t>(1, {1})}, 0)), testing::HasSubstr("without"));
  std::string other = file;
  other[8] = 2;
  EXPECT_THAT(text_of(other), testing::HasSubstr("version 2 of JsonSlabs"));
}

}  // namespace
}  // namespace weft::formats

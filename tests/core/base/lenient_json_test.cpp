// covers TV-15
#include "core/base/lenient_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace weft {
namespace {

using testing::HasSubstr;

std::string strict(std::string_view text) {
  const auto json = parse_lenient_json(text);
  return json ? json->dump() : "error: " + json.error().message;
}

TEST(LenientJson, ReadsJsonAsItIs) {
  EXPECT_EQ(strict(R"({"b":[1,2.5,true,null],"a":"x\n\u0041\\[\""})"),
            R"({"b":[1,2.5,true,null],"a":"x\nA\\[\""})");
}

TEST(LenientJson, PassesOverByteOrderMarkAndComments) {
  EXPECT_EQ(strict("\xEF\xBB\xBF// one\r\n{/* , } */\"a\": // two\r\n1/**/}\r\n"), R"({"a":1})");
}

TEST(LenientJson, CommentsInStringsAreText) {
  EXPECT_EQ(strict(R"({"a":"http://x /* y */"})"), R"({"a":"http://x /* y */"})");
}

TEST(LenientJson, PassesOverTrailingCommas) {
  EXPECT_EQ(strict("[1,2, /* c */ ]"), "[1,2]");
  EXPECT_EQ(strict("{\"a\":[{\"b\":1,},],\n}"), R"({"a":[{"b":1}]})");
  EXPECT_EQ(strict(R"({"a":",}"})"), R"({"a":",}"})");
}

TEST(LenientJson, CommasBetweenWhichNothingStandsAreOne) {
  EXPECT_EQ(strict("{,\"a\":1,,\n , \"b\":[,2,,]}"), R"({"a":1,"b":[2]})");
  EXPECT_EQ(strict(R"([",,"])"), R"([",,"])");
}

TEST(LenientJson, BackslashesThatEscapeNothingAreKept) {
  EXPECT_EQ(strict(R"(["\[\d+\]\s(?<id>\w)\\"])"), R"(["\\[\\d+\\]\\s(?<id>\\w)\\"])");
}

TEST(LenientJson, StringsMayHoldTabsAndLineFeeds) {
  EXPECT_EQ(strict("[\"a\tb\nc\"]"), R"(["a\tb\nc"])");
}

TEST(LenientJson, BytesThatAreNoTextAreReplaced) {
  EXPECT_EQ(strict("[\"\xff\"]"), "[\"\uFFFD\"]");
}

TEST(LenientJson, ErrorsSayWhere) {
  EXPECT_THAT(strict("{\n  /* x */ \"a\\[\": 1 \"b\"}"), HasSubstr("error: line 2, column 23: "));
  EXPECT_THAT(strict("{\"a\":"), HasSubstr("line 1, column 6: "));
  EXPECT_THAT(strict("{\"a\":1 /* unclosed"), HasSubstr("line 1, column"));
  EXPECT_THAT(strict("\"abc\\"), HasSubstr("line 1, column"));
  EXPECT_THAT(strict(""), HasSubstr("line 1, column 1: "));
  EXPECT_THAT(strict("[1e999]"), HasSubstr("line 1"));
}

TEST(LenientJson, IsBounded) {
  EXPECT_THAT(strict(std::string(kMostLenientBytes + 1, ' ')),
              HasSubstr("is longer than 8.00 MiB"));
  std::string members = "{";
  for (size_t i = 0; i <= kMostLenientMembers; ++i) members += "\"" + std::to_string(i) + "\":0,";
  EXPECT_THAT(strict(members + "}"), HasSubstr("more than 32768 members"));
  const std::string deep(1 << 20, '[');
  EXPECT_THAT(strict(deep), HasSubstr("line 1"));
}

}  // namespace
}  // namespace weft

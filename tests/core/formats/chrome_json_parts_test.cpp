// The small parts of the Chrome JSON reader: scanning, times, text.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/json_cursor.h"
#include "core/formats/base/json_text.h"
#include "core/formats/general/chrome_json/chunk_pipeline.h"
#include "core/formats/general/chrome_json/colors.h"
#include "core/formats/general/chrome_json/plain_spelling.h"
#include "core/formats/general/chrome_json/plain_time.h"

namespace weft::formats::chrome_json {
namespace {

std::string padded(std::string_view text) {
  return std::string(text) + std::string(json::kTextPadding, '\0');
}

// How many bytes of the text are one value; -1 where it is none.
int value_length(std::string_view text) {
  const std::string p = padded(text);
  json::Cursor cursor(p.data());
  json::RawValue value;
  return cursor.value(value) ? static_cast<int>(value.text.size()) : -1;
}

TEST(JsonCursor, TakesValuesAndNothingElse) {
  for (const char* text : {"0", "-1", "12.5", "1e5", "1E+5", "-0.5e-10", "true", "false", "null",
                           "\"\"", "\"a\\\"b\"", "[]", "{}", "[1,[2,{\"a\":[]}]]",
                           "{\"a\":1,\"b\":{\"c\":\"}\"}}", "[ 1 , 2 ]", "{ \"a\" : 1 }"}) {
    EXPECT_EQ(value_length(text), static_cast<int>(std::string(text).size())) << text;
  }
  for (const char* text :
       {"",      "-",          "+1",    ".5",   "1.",   "1e", "tru",     "nul",
        "\"",    "\"\n\"",     "[",     "[1,]", "[,1]", "{",  "{\"a\"}", "{\"a\":}",
        "{a:1}", "{\"a\":1,}", "[1 2]", "NaN",  "{]",   "[}"}) {
    EXPECT_EQ(value_length(text), -1) << text;
  }
}

TEST(JsonCursor, FindsTheEndOfStringsOfAnyLength) {
  for (size_t length = 0; length < 40; ++length) {
    for (size_t at = 0; at <= length; ++at) {
      std::string text(length, 'x');
      text.insert(at, "\\\"");
      const std::string p = padded('"' + text + "\" rest");
      json::Cursor cursor(p.data());
      json::RawString string;
      ASSERT_TRUE(cursor.string(string));
      EXPECT_EQ(string.text, text);
      EXPECT_EQ(string.traits, json::kHasEscape);
    }
  }
}

TEST(JsonCursor, EqualStringsHashAlikeAndOthersDoNot) {
  std::vector<uint64_t> hashes;
  for (const char* text : {"\"\"", "\"a\"", "\"aa\"", "\"aaaaaaaa\"", "\"aaaaaaaaa\"",
                           "\"\\u0061\"", "\"b\"", "\"aaaaaaab\"", "\"baaaaaaa\""}) {
    const std::string first = padded(text);
    const std::string second = padded(std::string(text) + "trailing");
    json::RawString a;
    json::RawString b;
    ASSERT_TRUE(json::Cursor(first.data()).string(a) && json::Cursor(second.data()).string(b));
    EXPECT_EQ(a.hash, b.hash);
    for (const uint64_t other : hashes) EXPECT_NE(a.hash, other);
    hashes.push_back(a.hash);
  }
}

TEST(TextHead, IsOfATextOnlyWhereEveryByteIsEqual) {
  for (size_t length = 0; length < 70; ++length) {
    const std::string text(length, 'x');
    const std::string p = padded(text + "\" and what follows");
    const std::string_view a(p.data(), length);
    const auto equals = [&](const std::string& other) {
      const std::string q = padded(other);
      const std::string_view text = std::string_view(q).substr(0, other.size());
      const bool is_equal = json::TextHead<32>(a).is_of(text, a);
      EXPECT_EQ(json::TextHead<16>(a).is_of(text, a), is_equal);
      return is_equal;
    };
    EXPECT_TRUE(equals(text));
    for (size_t at = 0; at < length; ++at) {
      std::string other = text;
      other[at] = 'y';
      EXPECT_FALSE(equals(other)) << at;
    }
    EXPECT_FALSE(equals(text + "x"));
  }
}

TEST(ShortText, KnowsWhereTextIsNotAscii) {
  for (size_t at = 0; at < 40; ++at) {
    std::string text(40, 'x');
    text[at] = '\xC3';
    for (const size_t length : {at, at + 1, size_t{40}}) {
      const std::string p = padded('"' + text.substr(0, length) + "\"\xC3\xC3");
      json::RawString string;
      ASSERT_TRUE(json::Cursor(p.data()).string(string));
      EXPECT_EQ(string.traits, at < length ? json::kHasNonAscii : 0) << at << " " << length;
    }
  }
}

TEST(LeadingDigits, AreThoseThatAPlainLoopFinds) {
  std::mt19937 random(1);
  for (int i = 0; i < 100000; ++i) {
    char text[9] = {};
    for (int k = 0; k < 8; ++k) {
      text[k] =
          random() % 4 == 0 ? static_cast<char>(random()) : static_cast<char>('0' + random() % 10);
    }
    uint32_t value = 0;
    uint32_t count = 0;
    while (count < 8 && is_digit(text[count]))
      value = value * 10 + static_cast<uint32_t>(text[count++] - '0');
    const json::Digits digits = json::leading_digits(json::load8(text));
    ASSERT_EQ(digits.count, count);
    ASSERT_EQ(digits.value, value);
  }
}

Time nearest(std::string_view text) {
  const std::string p = padded(text);
  DecimalTime plain;
  const DecimalTime any = parse_decimal_time(text, DecimalUnit::kMicroseconds).value();
  if (scan_plain_time(p.data(), plain) != nullptr) {
    EXPECT_EQ(plain.ns, any.ns) << text;
    EXPECT_TRUE(any.is_exact()) << text;
  }
  return any.nearest();
}

TEST(DecimalTime, IsExactToTheNanosecond) {
  EXPECT_EQ(nearest("0"), Time{0});
  EXPECT_EQ(nearest("1"), Time{1000});
  EXPECT_EQ(nearest("1.5"), Time{1500});
  EXPECT_EQ(nearest("1.001"), Time{1001});
  EXPECT_EQ(nearest("-1.001"), Time{-1001});
  EXPECT_EQ(nearest("12345678.9"), Time{12345678900});
  EXPECT_EQ(nearest("123456789012345.678"), Time{123456789012345678});
  EXPECT_EQ(nearest("9007199254740993"), Time{9007199254740993000});  // 2^53 + 1
  EXPECT_EQ(nearest("1e3"), Time{1000000});
  EXPECT_EQ(nearest("1.5e-3"), Time{2});  // half goes up
  EXPECT_EQ(nearest("-1.5e-3"), Time{-1});
  EXPECT_EQ(nearest("1.0004"), Time{1000});
  EXPECT_EQ(nearest("1.00049999999999999999"), Time{1000});
  EXPECT_EQ(nearest("1.0005"), Time{1001});
  EXPECT_EQ(nearest("0.00000000000000000001e23"), Time{1000000});
  EXPECT_EQ(nearest("1e-400"), Time{0});
}

TEST(DecimalTime, KnowsItsLimits) {
  for (const char* text : {"1e308", "1e400", "9223372036854775.808", "99999999999999999999",
                           "1e99999999999999999999"}) {
    EXPECT_EQ(parse_decimal_time(text, DecimalUnit::kMicroseconds).error(),
              DecimalError::kOutOfRange)
        << text;
  }
  for (const char* text : {"", "-", "now", "1x", "1.5.5", "e5", "0x10", " 1", "true"}) {
    EXPECT_EQ(parse_decimal_time(text, DecimalUnit::kMicroseconds).error(), DecimalError::kNoNumber)
        << text;
  }
}

TEST(DecimalTime, SecondsSinceTheEpochAreExact) {
  for (const char* const text : {"1436509052.000120", "1436509052.000120000", "1436509052.00012"}) {
    EXPECT_EQ(nearest_time(text, DecimalUnit::kSeconds), Time{1436509052000120000}) << text;
  }
  EXPECT_EQ(nearest_time("-9223372036.854775806", DecimalUnit::kSeconds), Time{-INT64_MAX + 1});
  for (const char* const text : {"9223372036.854775807", "9999999999.999999999", "92233720369"})
    EXPECT_EQ(parse_decimal_time(text, DecimalUnit::kSeconds).error(), DecimalError::kOutOfRange)
        << text;
}

TEST(DecimalTime, AgreesWithFloatingPointWhereThatIsExact) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const auto ns = static_cast<int64_t>(random() >> (1 + random() % 61));
    const std::string text =
        std::to_string(ns / 1000) + "." + std::to_string(1000 + ns % 1000).substr(1);
    ASSERT_EQ(nearest(text), Time{ns}) << text;
  }
}

TEST(JsonText, DecodesWhatEscapesStandFor) {
  EXPECT_EQ(json::decode_string("a\\n\\u00e9\\ud83d\\ude00\\/").text, "a\né😀/");
  EXPECT_FALSE(json::decode_string("a\\n").is_repaired);
  EXPECT_EQ(json::decode_string("\\ud83d").text, "\uFFFD");
  EXPECT_TRUE(json::decode_string("\\ude00").is_repaired);
  EXPECT_TRUE(json::decode_string("\xff").is_repaired);
  EXPECT_EQ(json::decode_string("\\u12").text,
            "\uFFFD"
            "12");
}

TEST(JsonText, QuotesEveryByteAtEveryPlaceOfTextsOfEveryLength) {
  const auto as_json = [](uint8_t byte) -> std::string {
    if (byte == '"' || byte == '\\') return {'\\', static_cast<char>(byte)};
    constexpr const char* kDigits = "0123456789abcdef";
    if (byte < 0x20) return std::string("\\u00") + kDigits[byte / 16] + kDigits[byte % 16];
    return std::string(1, static_cast<char>(byte));
  };
  for (size_t length = 0; length <= 20; ++length) {
    for (size_t at = 0; at <= length; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        const std::string before(at, 'a'), after(length - at, '~');
        std::string text = before + static_cast<char>(byte) + after, quoted;
        json::append_quoted_bytes(quoted, text);
        const std::string expected =
            byte < 0x80 ? before + as_json(static_cast<uint8_t>(byte)) + after : valid_utf8(text);
        ASSERT_EQ(quoted, '"' + expected + '"');
      }
    }
  }
  std::string many, quoted;
  for (int i = 0; i < 1000; ++i) many += i % 3 == 0 ? "\"" : "abcdefgh";
  json::append_quoted_bytes(quoted, many);
  EXPECT_EQ(json::decode_string(std::string_view(quoted).substr(1, quoted.size() - 2)).text, many);
  std::string empty = "x";
  json::append_quoted_bytes(empty, {});
  EXPECT_EQ(empty, "x\"\"");
}

TEST(JsonText, MergesObjects) {
  EXPECT_EQ(json::merge_objects(R"({"a":1,"b":2})", R"({"b":3})"), R"({"a":1,"b":3})");
  EXPECT_EQ(json::merge_objects(R"({"b":2})", R"({"b":3})"), R"({"b":3})");
}

TEST(PlainSpelling, IsOneForAllWaysToWriteAText) {
  EXPECT_EQ(spelled_plainly(R"(\u0070\/\u002F\u00e9\ud83d\uDE00)"), "p//\u00e9\U0001F600");
  EXPECT_EQ(spelled_plainly(R"({"\u006b":[1,"\u0022"]})"), R"({"k":[1,"\""]})");
  EXPECT_EQ(spelled_plainly(R"(\u000a\u0009\u005c\u0000\u001F)"), R"(\n\t\\\u0000\u001f)");
  for (const char* plain : {"", "text", R"(\n\t\"\\u0061\\)"}) {
    EXPECT_TRUE(is_spelled_plainly(plain)) << plain;
    EXPECT_EQ(spelled_plainly(plain), plain);
  }
  // What stands for no character is for those who decode the text to count.
  for (const char* broken : {R"(\ud800)", R"(\u12)", R"(\x)", R"("\u00",1)", "\\"})
    EXPECT_EQ(spelled_plainly(broken), broken);
}

TEST(Colors, AreThoseOfTheFormat) {
  EXPECT_EQ(rgb_from_name("good"), 0x007D00u);
  EXPECT_EQ(rgb_from_name("rail_response"), 0x4387FDu);
  EXPECT_EQ(rgb_from_name("no such name"), trace::EventType::kNoColor);
}

TEST(FindCut, LooksForTheBeginOfAnEvent) {
  const std::string text = padded(R"({"ph":"X"},{"ph":"i","args":{"l":[{"a":1},{"b":2}]}},)");
  const std::string_view view(text.data(), text.size() - json::kTextPadding);
  EXPECT_EQ(find_cut(view, "\"ph\""), 11u);
  EXPECT_EQ(find_cut(view, ""), 11u);
  EXPECT_EQ(find_cut(view, "\"b\""), view.find("{\"b\""));  // a guess may be wrong
  const std::string one = padded(R"({"ph":"X"})");
  EXPECT_EQ(find_cut({one.data(), 10}, "\"ph\""), 10u);
}

}  // namespace
}  // namespace weft::formats::chrome_json

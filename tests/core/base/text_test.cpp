#include "core/base/text.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/base/crc32c.h"
#include "core/base/regex.h"

namespace weft {
namespace {

TEST(Printable, MakesWhatActsVisible) {
  EXPECT_EQ(printable("plain µs"), "plain µs");
  EXPECT_EQ(printable("a\nb\x1b[31m"), "a\\nb\\x1b[31m");
  EXPECT_EQ(printable("\xE2\x80\xAEtxt"), "\\u202etxt");
  EXPECT_EQ(printable("\xC0\x80|\xED\xA0\x80|\xFF"), "\uFFFD\uFFFD|\uFFFD\uFFFD\uFFFD|\uFFFD");
  EXPECT_EQ(printable(std::string_view("\0x", 2)), "\\x00x");
}

TEST(Printable, ClipsAndSaysHowMuchThereWas) {
  EXPECT_EQ(printable("abcdef", 3), "abc…(6 bytes)");
  EXPECT_EQ(printable("abcdef", 0), "abcdef");
}

TEST(ValidUtf8, ReplacesOnlyWhatIsInvalid) {
  EXPECT_EQ(valid_utf8("ok\n"), "ok\n");
  EXPECT_EQ(valid_utf8("a\x81z"), "a\uFFFDz");
}

TEST(ValidUtf8, KeepsTheLettersOfWindows1252) {
  EXPECT_EQ(valid_utf8("Z\xFCndung"), "Zündung");
  EXPECT_EQ(valid_utf8("Caf\xE9"), "Café");
  EXPECT_EQ(valid_utf8("5 \xB5s \x96 \x84\xC4rger\x93"), "5 µs – „Ärger“");
  EXPECT_EQ(valid_utf8("\x80uro \x93q\x94"), "€uro “q”");
  EXPECT_EQ(valid_utf8("\x93q\x94"), "“q”");
  // Damaged, or cut: UTF-8 all the same.
  EXPECT_EQ(valid_utf8("Zündung Z\xFCndung"), "Zündung Z\uFFFDndung");
  EXPECT_EQ(valid_utf8("Gruppenf\xC3"), "Gruppenf\uFFFD");
  EXPECT_EQ(valid_utf8("price \xE2\x82"), "price \uFFFD\uFFFD");
  EXPECT_EQ(valid_utf8("\x01\xFC\x02"), "\x01\uFFFD\x02");
  EXPECT_EQ(valid_utf8("\xFC\xFC\xFC"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(valid_utf8("\x80\x80\x80"), "\uFFFD\uFFFD\uFFFD");
}

TEST(Bytes, AreReadAndWrittenWithBinaryPrefixes) {
  EXPECT_EQ(parse_bytes("400M"), 400ull << 20);
  EXPECT_EQ(parse_bytes("1.5GiB"), 3ull << 29);
  EXPECT_EQ(parse_bytes("65536"), 65536u);
  for (const char* text : {"", "M", "-1", "5X", "5 MiBs"}) EXPECT_EQ(parse_bytes(text), 0u) << text;
  EXPECT_EQ(format_bytes(1536), "1.50 KiB");
  EXPECT_EQ(format_count(1234567), "1,234,567");
  EXPECT_EQ(format_signed_count(-123456), "-123,456");
  EXPECT_EQ(format_signed_count(std::numeric_limits<int64_t>::min()), "-9,223,372,036,854,775,808");
  EXPECT_EQ(with_groups("-1234.5678"), "-1,234.5678");
  EXPECT_EQ(with_groups("-123.5"), "-123.5");
}

TEST(Crc32c, MatchesThePublishedCheckValue) {
  EXPECT_EQ(crc32c("123456789", 9), 0xE3069283u);
  EXPECT_EQ(crc32c("56789", 5, crc32c("1234", 4)), 0xE3069283u);
}

TEST(Regex, IsBoundedAndPointsAtErrors) {
  EXPECT_TRUE(Regex::compile("a+b")->matches("xxaab"));
  EXPECT_FALSE(Regex::compile("^b")->matches("ab"));
  const auto bad = Regex::compile("a(b");
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().message.find("offset 3"), std::string::npos);
  EXPECT_FALSE(Regex::compile("(a+)+$")->matches(std::string(40, 'a') + "!"));
}

TEST(Regex, SaysWhatItsGroupsTook) {
  const Regex regex = *Regex::compile("(?<key>\\w+)=(\\d+)(?<unit>ms)?");
  EXPECT_EQ(regex.groups(), (std::vector<std::string>{"key", "", "unit"}));
  std::vector<std::string_view> groups;
  ASSERT_EQ(regex.find("  took=12", groups), Regex::Found::kYes);
  EXPECT_EQ(groups, (std::vector<std::string_view>{"took", "12", ""}));
  EXPECT_EQ(groups[2].data(), nullptr);  // took no part
  EXPECT_EQ(regex.find("took=", groups), Regex::Found::kNo);
  EXPECT_EQ(Regex::compile("(a+)+$")->find(std::string(40, 'a') + "!", groups),
            Regex::Found::kTooHard);
  EXPECT_EQ(Regex::try_compile("a(b").error().offset, 3u);
}

// Plain text is matched by another program than text of many bytes a sign, or of several lines.
TEST(Regex, MeansTheSameWhateverTextItMeets) {
  EXPECT_TRUE(Regex::compile("^a.c$")->matches("abc"));
  EXPECT_TRUE(Regex::compile("^a.c$")->matches("aéc"));
  EXPECT_FALSE(Regex::compile("^a.c$")->matches("a\nc"));
  EXPECT_FALSE(Regex::compile("(*CR)^a.c$")->matches("a\rc"));
  EXPECT_FALSE(Regex::compile("^a.c$")->matches("a\xffz"));
  EXPECT_TRUE(Regex::compile("^aé?c$")->matches("ac"));  // a sign, not its last byte, may lack
  EXPECT_TRUE(Regex::compile("^a[^é]c$")->matches("abc"));
  EXPECT_TRUE(Regex::compile("(?i)^\\x{212a}$")->matches("k"));  // the sign of kelvins
  EXPECT_FALSE(Regex::try_compile("(?<=\\C)a"));
}

}  // namespace
}  // namespace weft

#include "core/base/regex.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {
namespace {

using Groups = std::optional<std::vector<std::string>>;  // nullopt: it was not found

Regex compiled(const std::string& pattern) { return Regex::compile(pattern).value(); }

Groups texts_of(Regex::Found found, const std::vector<std::string_view>& groups) {
  if (found != Regex::Found::kYes) return std::nullopt;
  std::vector<std::string> texts;
  for (const std::string_view each : groups)
    texts.push_back(each.data() == nullptr ? "(none)" : std::string(each));
  return texts;
}

Groups find(const Regex& regex, std::string_view text) {
  std::vector<std::string_view> groups;
  const Regex::Found found = regex.find(text, groups);
  return texts_of(found, groups);
}

// Heads of all kinds: those that are all of the pattern, those that end before something else, and
// patterns that have none.
const std::vector<std::string> kPatterns = {
    R"(^(\d+),(?<name>\w+) *x)",
    R"(^(\d+),(?<name>\w+) *(?<more>.*?)x$)",
    R"(^(\d+) *,(?<name>\w+) *\w*?x$)",
    R"(^(\d+),(?<name>\w+) *x$)",
    R"(^ *(?<device>\d+,\d+) +(?<cpu>\d+) +Q +(?<kind>\w+) +(?<rest>.*)$)",
    R"(^ *(?<device>\d+,\d+) +(?<cpu>\d+) +G +(?<kind>\w+) +(?<rest>.*)$)",
    R"(^ *(?<device>\d+,\d+) +(?<cpu>\d+) +G(?<rest>.*?)\[(?<by>[^\]]*)\]$)",
    R"(^([a-f0-9]{2,3})(\d{2})$)",
    R"(^([a-f]{2,3})(\d{2,}))",
    R"(^\((?<time>\d+\.\d+)\) +(?<bus>\S+) +(?<id>[0-9A-Fa-f]+)#(?<data>[0-9A-Fa-f._]*)(?: [RT])?$)",
    R"(^(a|b)\d)",
    R"(^a|b)",
    R"(^(a)(\d)\1)",
    R"(^(?<sign>[-+]?)(\d*)(\.\d*)?)",
    R"(^[^]x]+\]?)",
    R"(^a*a)",
    R"(^\d+?5)",
    R"(^\d++5)",
    R"(^(\s*)(\S*)(\s*)(\S*)$)",
    R"(^(?i:A)B)",
    R"(^a(?=b)(.*))",
    R"(^[[:digit:]|(]+|b)",
    R"(^(\w+)\b(.*)$)",
    R"(^()x?)",
    R"(a(\d+))",
    R"(^{x})",
    R"(^x{,3}y)",
    R"(^$)",
    R"(^.+:(.*))",
    R"(^[\w.-]+ [\]\[] ?[a-]*$)",
};

const std::vector<std::string> kTexts = {
    "",
    "12,ab  x",
    "12,ab  xy",
    "1,x",
    " 8,0    1  Q   W 223490 + 8 [kjournald]",
    "8,0 1 G   W 223490 + 8 [kjournald] [x]",
    "8,0 1 G",
    "ab12",
    "abc123",
    "abcd12",
    "(1436509052.000120) can1 101#9E3779B97F4A7C15",
    "(1436509052.000120) can1 101#9E37 R",
    "(1436509052.000120) can1 101#9E37 x",
    "a1",
    "a11",
    "b",
    "-12.5",
    "aab",
    "x]",
    "aB",
    "AB",
    "ab",
    "1255",
    "a b\tc d",
    "||b",
    "a:b:c",
    "{x}",
    "x{,3}y",
    "a-b.c ] --a",
    "\xc3\xa4 12,\xc3\xa4 x",
    "12,a\xff x",
    "12,ab\x01x",
    "12,ab\nx",
    "8,0 1 Q W \xc3\xa4",
};

// A pattern that begins with a group of nothing has no head.
TEST(Regex, FindsTheSameWithAndWithoutAHead) {
  for (const std::string& pattern : kPatterns) {
    const Regex with = compiled(pattern), without = compiled("(?:)" + pattern);
    for (const std::string& text : kTexts) {
      EXPECT_EQ(find(with, text), find(without, text)) << pattern << " in " << text;
      EXPECT_EQ(with.matches(text), find(without, text).has_value()) << pattern << " in " << text;
    }
  }
}

// In every order, so that what was found of one is used for others, or must not be.
TEST(Regex, FindsInOneSubjectWhatItFindsInTheText) {
  std::vector<Regex> regexes;
  for (const std::string& pattern : kPatterns) {
    regexes.push_back(compiled(pattern));
    if (regexes.size() > 1) regexes.back().come_behind(regexes[regexes.size() - 2]);
  }
  std::vector<std::string_view> groups;
  for (const std::string& text : kTexts) {
    for (size_t step = 1; step < 4; ++step) {
      Subject subject(text);
      for (size_t i = 0; i < regexes.size(); i += step) {
        const Regex::Found found = regexes[i].find(subject, groups);
        EXPECT_EQ(texts_of(found, groups), find(regexes[i], text))
            << kPatterns[i] << " in " << text;
      }
    }
  }
}

TEST(PatternHead, IsWhatIsCertain) {
  const auto rest = [](std::string_view pattern) {
    const PatternHead head = PatternHead::of(pattern);
    if (head.is_empty()) return std::string("none");
    return head.rest() ? std::string(pattern.substr(*head.rest())) : std::string();
  };
  EXPECT_EQ(rest(R"(^(\d+) +(?<x>\w*)$)"), "");
  EXPECT_EQ(rest(R"(^(\d+) (?<x>.*?)$)"), R"((?<x>.*?)$)");
  EXPECT_EQ(rest(R"(^(\d+) +(?<x>.*?)$)"), R"( +(?<x>.*?)$)") << "the text may have spaces, too";
  EXPECT_EQ(rest(R"(^\d+(?<x>.*?)$)"), "none");
  EXPECT_EQ(rest(R"(^a(\d+)(\w+)$)"), R"((\d+)(\w+)$)") << "digits are signs of words";
  EXPECT_EQ(rest(R"(^a(x|y)$)"), "(x|y)$");
  EXPECT_EQ(rest(R"(^a(x)+$)"), "(x)+$");
  EXPECT_EQ(rest(R"(^a|b)"), "none");
  EXPECT_EQ(rest(R"(^(a)\1)"), "none");
  EXPECT_EQ(rest("a"), "none");
}

TEST(PatternHead, IsSharedAsFarAsTheStepsAreTheSame) {
  const PatternHead head = PatternHead::of(R"(^(\d+) Q(.*)$)");
  EXPECT_EQ(head.shared_with(PatternHead::of(R"(^[0-9]+ G(.*)$)")), 2u);
  EXPECT_EQ(head.shared_with(PatternHead::of(R"(^\d* Q)")), 0u);
}

}  // namespace
}  // namespace weft

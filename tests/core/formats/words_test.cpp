#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/formats/base/text.h"

namespace weft::formats {
namespace {

// Eight bytes are looked at together; control characters and letters beyond ASCII are of words.
TEST(Words, EndAtWhiteSpaceWhereverItLies) {
  for (const std::string_view letters : {"abcdefgh", "\x01\x02\x1F\x7F", "\xFF\x80\xC3\xA4", "!"}) {
    for (size_t size = 1; size < 40; ++size) {
      std::string word;
      while (word.size() < size) word += letters[word.size() % letters.size()];
      for (const char space : {' ', '\t', '\r', '\n'}) {
        const std::string text = "  " + word + space + "next word";
        std::string_view rest = text;
        EXPECT_EQ(take_word(rest), word);
        EXPECT_EQ(rest, space + std::string("next word"));
      }
      std::string_view rest = word;
      EXPECT_EQ(take_word(rest), word);
      EXPECT_TRUE(rest.empty());
    }
  }
}

TEST(Words, APrefixIsTakenWhole) {
  std::string_view text = "prefix";
  EXPECT_FALSE(take_prefix(text, "prefixes"));
  EXPECT_FALSE(take_prefix(text, "pref1"));
  EXPECT_TRUE(take_prefix(text, ""));
  EXPECT_TRUE(take_prefix(text, "pre"));
  EXPECT_EQ(text, "fix");
  EXPECT_TRUE(take_prefix(text, "fix"));
  EXPECT_FALSE(take_prefix(text, "x"));
}

}  // namespace
}  // namespace weft::formats

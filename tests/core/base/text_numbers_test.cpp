#include "core/base/text_numbers.h"

#include <gtest/gtest.h>

#include <string>

namespace weft {
namespace {

TEST(TextNumbers, AreGivenOutInOrderOfFirstAppearance) {
  TextNumbers numbers;
  std::string text = "one";
  EXPECT_EQ(numbers.add(text), std::pair(0U, true));
  text = "two";  // the first is kept, not looked at where it came from
  EXPECT_EQ(numbers.add(text), std::pair(1U, true));
  EXPECT_EQ(numbers.add("one"), std::pair(0U, false));
  EXPECT_EQ(numbers.add(""), std::pair(2U, true));
  EXPECT_EQ(numbers.add({}), std::pair(2U, false));
  EXPECT_EQ(numbers.size(), 3U);
  EXPECT_EQ(numbers.find("two"), 1U);
  EXPECT_EQ(numbers.find("three"), std::nullopt);
  EXPECT_EQ(numbers.size(), 3U);
}

TEST(TextNumbers, TellMillionsApart) {
  constexpr uint32_t kTexts = 1'000'000;
  TextNumbers numbers;
  const auto text = [](uint32_t i) { return "task " + std::to_string(i * 7919U); };
  for (uint32_t i = 0; i < kTexts; ++i) ASSERT_EQ(numbers.add(text(i)), std::pair(i, true));
  for (uint32_t i = 0; i < kTexts; i += 997) ASSERT_EQ(numbers.add(text(i)), std::pair(i, false));
}

TEST(TextNumbers, KeepTextsOfAnySize) {
  TextNumbers numbers;
  const std::string large(1 << 20, 'x');
  EXPECT_EQ(numbers.add(large).first, 0U);
  EXPECT_EQ(numbers.add(large + '\0').first, 1U);
  EXPECT_EQ(numbers.add(large.substr(1)).first, 2U);
  EXPECT_EQ(numbers.add(large), std::pair(0U, false));
}

TEST(TextHash, ComparesEachByte) {
  for (size_t size = 0; size < 40; ++size) {
    std::string text;
    for (size_t i = 0; i < size; ++i) text += static_cast<char>('a' + i % 26);
    EXPECT_TRUE(TextHash::are_equal(text, std::string(text))) << size;
    EXPECT_FALSE(TextHash::are_equal(text, text + 'x')) << size;
    for (size_t i = 0; i < size; ++i) {
      std::string other = text;
      other[i] = '\xFF';
      EXPECT_FALSE(TextHash::are_equal(text, other)) << size << " " << i;
    }
  }
}

}  // namespace
}  // namespace weft

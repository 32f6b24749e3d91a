#include "core/base/crc32c.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace weft {
namespace {

// The checksum by its definition, bit by bit.
uint32_t plain(const std::string& text) {
  uint32_t crc = ~0U;
  for (const char c : text) {
    crc ^= static_cast<uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0x82F63B78U : 0U);
  }
  return ~crc;
}

TEST(Crc32c, IsThatOfRfc3720) {
  EXPECT_EQ(crc32c("123456789", 9), 0xE3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0').data(), 32), 0x8A9136AAU);
}

TEST(Crc32c, EqualsTheDefinitionAtManyLengthsAndInParts) {
  std::mt19937 random(3);
  std::string text(20'000, ' ');
  for (char& c : text) c = static_cast<char>(random());
  for (const size_t size : {0, 1, 7, 8, 1023, 3071, 3072, 3073, 6144, 9000, 16384, 19990}) {
    for (const size_t from : {0, 1, 5}) {
      const std::string part = text.substr(from, size);
      EXPECT_EQ(crc32c(part.data(), part.size()), plain(part)) << size << " from " << from;
    }
    const uint32_t first = crc32c(text.data(), size / 3);
    EXPECT_EQ(crc32c(text.data() + size / 3, size - size / 3, first), plain(text.substr(0, size)));
  }
}

}  // namespace
}  // namespace weft

#include "core/formats/general/perfetto/interned_texts.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>
#include <string>

namespace weft::formats::perfetto {
namespace {

using Kept = InternedTexts::Kept;
constexpr uint64_t kMuch = 1 << 20;

TEST(InternedTexts, StandForTheirNumbersByKind) {
  InternedTexts texts;
  EXPECT_EQ(texts.set(Interned::kEventName, 1, "read", kMuch), Kept::kNew);
  EXPECT_EQ(texts.set(Interned::kCategory, 1, "", kMuch), Kept::kNew);
  EXPECT_EQ(texts.set(Interned::kEventName, 1, "read", kMuch), Kept::kTheSame);
  EXPECT_EQ(texts.set(Interned::kEventName, 1, "write", kMuch), Kept::kInPlaceOfAnother);
  EXPECT_EQ(texts.find(Interned::kEventName, 1), "write");
  EXPECT_EQ(texts.find(Interned::kEventName, 2), "");
  EXPECT_EQ(texts.find(Interned::kFrame, 1), "");
  EXPECT_NE(texts.find(Interned::kCategory, 1).data(), nullptr);
  texts.clear();
  EXPECT_EQ(texts.size_bytes(), 0U);
  EXPECT_EQ(texts.find(Interned::kEventName, 1), "");
}

TEST(InternedTexts, MayHaveAnyNumber) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  std::mt19937 random(7);
  std::map<uint64_t, std::string> expected;
  InternedTexts texts;
  for (uint32_t i = 0; i < 20'000; ++i) {
    const uint64_t dense = random() % 3000, far = kMost - random() % 100, doubled = 1ULL << i % 64;
    const uint64_t iid = i % 3 == 0 ? far : i % 7 == 0 ? doubled : dense;
    std::string& text = expected[iid];
    text = std::string(random() % 300, static_cast<char>('a' + i % 26));
    texts.set(Interned::kAnnotationText, iid, text, uint64_t{1} << 30);
  }
  for (const auto& [iid, text] : expected)
    EXPECT_EQ(texts.find(Interned::kAnnotationText, iid), text) << iid;
}

TEST(InternedTexts, TakeNoMoreThanTheyMay) {
  InternedTexts texts;
  uint64_t kept = 0;
  for (uint64_t iid = 1; iid <= 1000; ++iid)
    kept += texts.set(Interned::kEventName, iid, "name", 2800) == Kept::kNew;
  EXPECT_EQ(kept, 100U);
  EXPECT_EQ(texts.find(Interned::kEventName, 100), "name");
  EXPECT_EQ(texts.find(Interned::kEventName, 101), "");
  // Numbers that double each time are no reason for room for all between them.
  for (uint64_t iid = 1; iid != 0; iid *= 2) texts.set(Interned::kMapping, iid, "x", 3500);
  EXPECT_LE(texts.size_bytes(), 3500U);
}

}  // namespace
}  // namespace weft::formats::perfetto

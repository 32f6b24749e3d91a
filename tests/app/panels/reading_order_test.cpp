// covers B-25: names that are written from right to left
#include "app/panels/reading_order.h"

#include <gtest/gtest.h>

namespace weft::app {
namespace {

TEST(ReadingOrder, WhatReadsFromTheLeftStays) {
  for (const char* text : {"", "render (3)", "größe → 中文 テスト", "\xF0\x9F\x98\x80 ☃"})
    EXPECT_EQ(in_drawn_order(text), text);
  EXPECT_FALSE(may_be_turned("render größe 中文"));
  EXPECT_TRUE(may_be_turned("שלום"));
  EXPECT_TRUE(may_be_turned("مرحبا"));
}

TEST(ReadingOrder, ANameIsTurnedWithinItsLine) {
  EXPECT_EQ(in_drawn_order("שלום"), "םולש");
  EXPECT_EQ(in_drawn_order("שלום עולם"), "םלוע םולש");
  EXPECT_EQ(in_drawn_order("Process 1/שלום"), "Process 1/םולש");
  EXPECT_EQ(in_drawn_order("שלום: run(3)"), "םולש: run(3)");
  EXPECT_EQ(in_drawn_order("אב ab גד"), "בא ab דג");
}

TEST(ReadingOrder, NumbersStayAndBracketsAreMirrored) {
  EXPECT_EQ(in_drawn_order("א 12.5 ב"), "ב 12.5 א");
  EXPECT_EQ(in_drawn_order("א (ב) ג"), "ג (ב) א");
  EXPECT_EQ(in_drawn_order("7 א"), "7 א");
}

TEST(ReadingOrder, MarksStayBehindTheirLetter) {
  EXPECT_EQ(in_drawn_order("\u05D0\u05B8\u05D1"), "\u05D1\u05D0\u05B8");
}

// The forms of Unicode's chart: beh at the begin, alef at its end; dal joins nothing behind it.
TEST(ReadingOrder, ArabicLettersJoin) {
  EXPECT_EQ(in_drawn_order("\u0628\u0627"), "\uFE8E\uFE91");
  EXPECT_EQ(in_drawn_order("\u0628\u0628\u0628"), "\uFE90\uFE92\uFE91");
  EXPECT_EQ(in_drawn_order("\u062F\u0628"), "\uFE8F\uFEA9");
  EXPECT_EQ(in_drawn_order("\u0628 \u0628"), "\uFE8F \uFE8F") << "not across words";
  EXPECT_EQ(in_drawn_order("\u0628\u064E\u0628"), "\uFE90\uFE91\u064E") << "but across marks";
  // The last of the chart before the ligatures of lam.
  EXPECT_EQ(in_drawn_order("\u064A"), "\uFEF1");
  EXPECT_EQ(in_drawn_order("\u0647"), "\uFEE9");
  EXPECT_EQ(in_drawn_order("\u0644\u0627"), "\uFEFB") << "lam and alef are one sign";
  EXPECT_EQ(in_drawn_order("\u067E\u0628"), "\uFE90\uFB58") << "Persian peh";
}

}  // namespace
}  // namespace weft::app

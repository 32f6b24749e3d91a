#include "core/base/time.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

constexpr TimeRange kTrace{{1000}, {3000}};

TEST(ParseTime, ReadsTicksUnitsOffsetsAndShares) {
  const auto ns = TimeBase::kNanoseconds;
  EXPECT_EQ(parse_time("1500", kTrace, ns)->ticks, 1500);
  EXPECT_EQ(parse_time("1.5us", kTrace, ns)->ticks, 1500);
  EXPECT_EQ(parse_time("1.5 us", kTrace, ns)->ticks, 1500);  // as times are shown
  EXPECT_EQ(parse_time("+0.25us", kTrace, ns)->ticks, 1250);
  EXPECT_EQ(parse_time("+250", kTrace, ns)->ticks, 1250);
  EXPECT_EQ(parse_time("40%", kTrace, ns)->ticks, 1800);
  EXPECT_EQ(parse_time("-5", kTrace, ns)->ticks, -5);
}

TEST(ParseTime, ReadsWhatClocksShow) {
  const auto us = TimeBase::kMicroseconds;
  EXPECT_EQ(parse_time("1:23:45.5", kTrace, us)->ticks, 5'025'500'000);
  EXPECT_EQ(parse_time("+0:00:01", kTrace, us)->ticks, 1'001'000);
  EXPECT_EQ(parse_duration("83:45", us)->ticks, 5'025'000'000);
  EXPECT_EQ(parse_duration("-2 d 3:00:00", us)->ticks, -51LL * 3'600'000'000);
  for (const char* text :
       {":", "1:", ":5", "1:60:00", "1:00:60", "1:2:3:4", "1:-5", "1:2:", " d 1:00", "1:00:inf"}) {
    EXPECT_FALSE(parse_time(text, kTrace, us)) << text;
  }
  EXPECT_FALSE(parse_duration("1:00:00", TimeBase::kCycles));
}

TEST(ParseTime, ReadsWhatCountsOfTicksShow) {
  const auto ticks = TimeBase::kTicks;
  for (const int64_t count : {0L, 1L, -1L, 999L, 200'000L, -1'234'567L, INT64_MAX, INT64_MIN}) {
    const std::string shown = format_duration({count}, ticks);
    const auto read = parse_duration(shown, ticks);
    ASSERT_TRUE(read) << shown;
    EXPECT_EQ(read->ticks, count) << shown;
  }
  EXPECT_EQ(parse_time("+2,500 ticks", kTrace, ticks)->ticks, 3500);
  EXPECT_EQ(parse_time("2,500", kTrace, ticks)->ticks, 2500);
  EXPECT_EQ(parse_time("2500ticks", kTrace, ticks)->ticks, 2500);
  EXPECT_FALSE(parse_time("2,500 cycles", kTrace, ticks));
}

TEST(ParseTime, ReadsGroupsOfThreeDigitsAndNoOthers) {
  const auto ns = TimeBase::kNanoseconds;
  EXPECT_EQ(parse_time("160,109.3 us", kTrace, ns)->ticks, 160'109'300);
  EXPECT_EQ(parse_time("1700000000.123456789s", kTrace, ns)->ticks, 1'700'000'000'123'456'789);
  EXPECT_EQ(parse_time("1,700,000,000.123456751 s", kTrace, ns)->ticks, 1'700'000'000'123'456'751);
  EXPECT_EQ(parse_time("1700000000123.456751 ms", kTrace, ns)->ticks, 1'700'000'000'123'456'751);
  EXPECT_EQ(parse_time("-1,234,567", kTrace, ns)->ticks, -1'234'567);
  EXPECT_EQ(parse_duration(format_time({1'234'567'891}, ns, {2'000'000}, {1}), ns)->ticks,
            1'234'567'891);
  for (const char* text : {"1,5", "2,50", "25,00", ",500", "1,0000", "0,500", "1,,000", "1000,000",
                           "1,000,00", "1.000,000", "-,500"}) {
    EXPECT_FALSE(parse_time(text, kTrace, ns)) << text;
  }
}

TEST(ParseTime, RefusesWhatIsNoTime) {
  for (const char* text : {"", "abc", "12parsecs", "1e999ms", "%", "+", "nan", "inf%"}) {
    EXPECT_FALSE(parse_time(text, kTrace, TimeBase::kNanoseconds)) << text;
  }
  EXPECT_FALSE(parse_time("1ms", kTrace, TimeBase::kTicks));
  for (const auto base : {TimeBase::kNanoseconds, TimeBase::kCycles}) {
    EXPECT_FALSE(parse_time("1.5", kTrace, base));  // of a tick
    EXPECT_EQ(parse_time("1.5e3", kTrace, base)->ticks, 1500);
  }
}

TEST(ParseTime, SharesAreOfTheWholeOfTheLongestTraces) {
  const TimeRange all = {Time::min(), Time::max()};
  EXPECT_EQ(parse_time("0%", all, TimeBase::kNanoseconds)->ticks, Time::min().ticks);
  EXPECT_EQ(parse_time("75%", all, TimeBase::kNanoseconds)->ticks, (int64_t{1} << 62) - 1);
  EXPECT_EQ(parse_time("100%", all, TimeBase::kNanoseconds)->ticks, Time::max().ticks);
}

TEST(ParseTime, SaturatesInsteadOfOverflowing) {
  EXPECT_EQ(parse_time("1e30s", kTrace, TimeBase::kNanoseconds)->ticks, Time::max().ticks);
  EXPECT_EQ((Time::max() + Duration{1}).ticks, Time::max().ticks);
  EXPECT_EQ((Time::min() - Time::max()).ticks, Time::min().ticks);
}

TEST(FormatDuration, ChoosesTheUnitThatReadsBest) {
  const auto ns = TimeBase::kNanoseconds;
  EXPECT_EQ(format_duration({0}, ns), "0 s");
  EXPECT_EQ(format_duration({7}, ns), "7 ns");
  EXPECT_EQ(format_duration({12'500}, ns), "12.5 µs");
  EXPECT_EQ(format_duration({1'234'567}, ns), "1.235 ms");
  EXPECT_EQ(format_duration({96'600'000'000}, ns), "96.6 s");    // as the ruler has it
  EXPECT_EQ(format_duration({630'000'000'000}, ns), "0:10:30");  // likewise
  EXPECT_EQ(format_duration({630'460'000'000}, ns), "0:10:30.5");
  EXPECT_EQ(format_duration({-630'960'000'000}, ns), "-0:10:31");
  EXPECT_EQ(format_duration({5'025'900'000'000}, ns), "1:23:46");
  EXPECT_EQ(format_duration({5'025'900'000'000}, ns, 6), "1:23:45.9");
  EXPECT_EQ(format_duration({36LL * 3'600'000'000'000}, ns), "36:00:00");
  EXPECT_EQ(format_duration({60LL * 3'600'000'000'000}, ns), "2 d 12:00:00");
  EXPECT_EQ(parse_duration(format_duration({60LL * 3'600'000'000'000}, ns), ns)->ticks,
            60LL * 3'600'000'000'000);
  EXPECT_EQ(parse_duration("1.5d", ns)->ticks, 36LL * 3'600'000'000'000);
  EXPECT_EQ(format_duration({42}, TimeBase::kCycles), "42 cycles");
  EXPECT_EQ(format_duration({1}, TimeBase::kTicks), "1 tick");
  EXPECT_EQ(format_duration({-200'000}, TimeBase::kTicks), "-200,000 ticks");
}

TEST(FormatTime, ShowsAsManyDigitsAsTheResolutionNeeds) {
  const auto ns = TimeBase::kNanoseconds;
  EXPECT_EQ(format_time({1'234'567'891}, ns, {2'000'000'000}, {1'000'000}), "1.234 s");
  EXPECT_EQ(format_time({1'234'567'891}, ns, {2'000'000}, {1}), "1,234.567891 ms");
  EXPECT_EQ(format_time({-500'000}, ns, {2'000'000}, {1'000}), "-0.500 ms");
  EXPECT_EQ(format_time({350}, TimeBase::kPicoseconds, {501}, {50}), "350 ps");
  EXPECT_EQ(format_time({1'350}, TimeBase::kPicoseconds, {5'000}, {10}), "1.35 ns");
  EXPECT_EQ(format_time({5}, TimeBase::kTicks, {10}, {1}), "5 ticks");
  EXPECT_EQ(format_time({200'000}, TimeBase::kCycles, {10}, {1}), "200,000 cycles");
}

}  // namespace
}  // namespace weft

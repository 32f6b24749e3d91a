// Times as they are typed into "Go to" and commands. covers B-18, B-27
#include "app/session/typed_time.h"

#include <gtest/gtest.h>

#include <memory>

#include "app/session/commands.h"
#include "core/store/builder.h"
#include "tests/app/base/in_zone.h"
#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

constexpr int64_t kSecond = 1'000'000'000, kHour = 3600 * kSecond, kDay = 24 * kHour;
constexpr int64_t kEvening = 1'777'678'200 * kSecond;  // 2026-05-01 23:30:00 UTC

class TypedTime : public ::testing::Test {
 protected:
  // From that evening on.
  std::unique_ptr<OpenTrace> open(int64_t length) {
    ThreadPool pool(1);
    auto builder = store::StoreBuilder::create({folder_.path() / "t.weft", "test"}, pool).value();
    trace::EventSink& sink = *builder;
    const LaneId lane = sink.add_lane({"lane"});
    const EventTypeId type = sink.type(trace::Category::kState, "a", "");
    sink.states({{{{kEvening}, {length}, ParamsId::none(), lane, type}}});
    return std::make_unique<OpenTrace>("t.weft", builder->finish().value());
  }
  static int64_t typed(const OpenTrace& trace, const char* text) {
    const auto time = typed_time(text, trace);
    EXPECT_TRUE(time) << text << ": " << time.error().message;
    return time ? time->ticks : 0;
  }

  testing::ScratchFolder folder_;
};

TEST_F(TypedTime, OnTheCalendarATimeOfDayIsOfTheDayThatIsLookedAt) {
  const auto trace = open(2 * kHour);
  trace->time_display.origin = TimeOrigin::kUtc;
  EXPECT_EQ(typed(*trace, "23:45:00.5"), kEvening + 900 * kSecond + kSecond / 2);
  EXPECT_EQ(typed(*trace, "23:45"), kEvening + 900 * kSecond) << "hours and minutes";
  EXPECT_EQ(typed(*trace, "0:10"), kEvening + 2400 * kSecond)
      << "after midnight: the trace goes on";
  EXPECT_EQ(typed(*trace, "2026-05-03 23:30"), kEvening + 2 * kDay);
  EXPECT_EQ(typed(*trace, "2026-05-03T23:30:00"), kEvening + 2 * kDay);
  EXPECT_EQ(typed(*trace, "2026-05-02"), kEvening + kHour / 2) << "a date: its midnight";
  EXPECT_EQ(typed(*trace, "1s"), kEvening + kSecond) << "a unit: since the trace's begin";
  EXPECT_EQ(typed(*trace, "+1s"), kEvening + kSecond);
  EXPECT_FALSE(typed_time("24:10", *trace));
}

TEST_F(TypedTime, AnHourThatClocksPassOverIsNoTime) {
  const testing::InZone zone("CET-1CEST,M3.5.0,M10.5.0/3");
  const auto trace = open(2 * kHour);
  trace->time_display.origin = TimeOrigin::kLocal;
  EXPECT_EQ(typed(*trace, "2026-05-02 01:30"), kEvening);
  const auto skipped = typed_time("2026-03-29 02:30", *trace);
  ASSERT_FALSE(skipped);
  EXPECT_TRUE(skipped.error().message.contains("put forward")) << skipped.error().message;
  EXPECT_EQ(typed(*trace, "2026-03-29 03:30") - typed(*trace, "2026-03-29 01:30"), kHour);
}

TEST_F(TypedTime, OfAnHourThatComesTwiceTheFirstIsMeantUnlessAZoneIsSaid) {
  const testing::InZone zone("CET-1CEST,M3.5.0,M10.5.0/3");
  constexpr int64_t kBack = 1'792'890'000;  // 2026-10-25 03:00 CEST becomes 02:00 CET
  const auto trace = open(365 * kDay);
  trace->time_display.origin = TimeOrigin::kLocal;
  const auto minutes = [&](const char* text) {
    return (typed(*trace, text) / kSecond - kBack) / 60;
  };
  EXPECT_EQ(minutes("2026-10-25 02:30"), -30);
  EXPECT_EQ(minutes("2026-10-25 02:30 CEST"), -30);
  EXPECT_EQ(minutes("2026-10-25 02:30:00 CET"), 30);
  EXPECT_EQ(minutes("2026-10-25 02:30+01:00"), 30);
  EXPECT_EQ(minutes("2026-10-25 02:30 +0200"), -30);
  EXPECT_EQ(minutes("2026-10-25T01:30Z"), 30);
  EXPECT_EQ(minutes("2026-10-25 04:00 cest"), 60) << "a zone that clocks have at another time";
  EXPECT_EQ(minutes("2026-10-25 03:00"), 60);
  EXPECT_EQ(note_on("2026-10-25 02:30", *trace),
            "2026-10-25 02:30 comes twice: the first is meant (CEST); with CET behind it, the "
            "second");
  for (const char* text : {"2026-10-25 02:30 CET", "2026-10-25 03:00", "2026-10-24 02:30", "40%"})
    EXPECT_EQ(note_on(text, *trace), "") << text;
  EXPECT_NE(note_on("2026-10-25 01:00 .. 2026-10-25 02:10", *trace), "");
  const auto unknown = typed_time("2026-10-25 02:30 EST", *trace);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message,
            "'EST' is not a time zone here: there are CEST, CET, UTC and offsets as +02:00");
  EXPECT_FALSE(typed_time("2026-10-25 02:30 +2:0:0", *trace));
}

TEST_F(TypedTime, OfTwoTimesTheOneIsMeantThatLiesInTheTrace) {
  const testing::InZone zone("WIN-1SUM,J1/0,J122/1");  // put back at 2026-05-01 23:00 UTC
  const auto trace = open(2 * kHour);
  trace->time_display.origin = TimeOrigin::kLocal;
  EXPECT_EQ(typed(*trace, "0:45"), kEvening + kHour / 4);
  EXPECT_EQ(note_on("0:45", *trace), "");
  EXPECT_EQ(typed(*trace, "2026-05-02 0:45 SUM"), kEvening - kHour * 3 / 4);
}

TEST_F(TypedTime, ARangeIsTwoTimesWithDotsBetween) {
  const auto trace = open(2 * kHour);
  const auto range = [&](const char* text) {
    const auto typed = typed_range(text, *trace);
    EXPECT_TRUE(typed) << text;
    const TimeRange found = typed.value_or(TimeRange{});
    return std::pair(found.begin.ticks - kEvening, found.end.ticks - kEvening);
  };
  EXPECT_EQ(range("1.2s..1.5s"), std::pair(kSecond * 6 / 5, kSecond * 3 / 2));
  EXPECT_EQ(range("1.2 .. 1.5 s"), std::pair(kSecond * 6 / 5, kSecond * 3 / 2));
  EXPECT_EQ(range("25%..+60min"), std::pair(kHour / 2, kHour));
  EXPECT_EQ(range("0:10:00..0:20:00"), std::pair(600 * kSecond, 1200 * kSecond));
  trace->time_display.origin = TimeOrigin::kUtc;
  EXPECT_EQ(range("23:45..23:50"), std::pair(900 * kSecond, 1200 * kSecond));
  for (const char* text : {"2s..1s", "1s..1s", "..1s", "1s..", "1s..x", "1s"})
    EXPECT_FALSE(typed_range(text, *trace)) << text;
}

TEST_F(TypedTime, OfSeveralDaysTheOneIsMeantOnWhichTheWindowBegins) {
  const auto trace = open(5 * kDay);
  trace->time_display.origin = TimeOrigin::kUtc;
  View view = trace->view();
  view.window = TimeWindow::from_range({Time{kEvening + 2 * kDay}, Time{kEvening + 3 * kDay}});
  trace->navigate(view, 0);
  EXPECT_EQ(typed(*trace, "23:45"), kEvening + 2 * kDay + 900 * kSecond);
}

TEST_F(TypedTime, ElseItCountsFromWhereRulersCount) {
  const auto trace = open(2 * kHour);
  EXPECT_EQ(typed(*trace, "0:10:00"), kEvening + 600 * kSecond);
  EXPECT_EQ(typed(*trace, "0%"), kEvening);
  EXPECT_EQ(typed(*trace, "1500"), 1500);
}

TEST_F(TypedTime, AShareIsTheTimeThatItIsForSubCommands) {
  const auto trace = open(2 * kHour);
  for (const char* text : {"0%", "33.3%", "50%", "100%"}) {
    const Time by_command = *parse_time(text, trace->trace()->range(), trace->time_base());
    EXPECT_EQ(typed(*trace, text), by_command.ticks) << text;
  }
  EXPECT_EQ(typed(*trace, "50%"), kEvening + kHour);
}

TEST_F(TypedTime, WhatLiesOutsideOfTheTraceIsNoPlaceToGoTo) {
  const auto trace = open(2 * kHour);
  const auto place = typed_place("1.5s", *trace);
  ASSERT_TRUE(place) << place.error().message;
  EXPECT_TRUE(place->is_empty());
  EXPECT_EQ(place->begin.ticks, kEvening + kSecond * 3 / 2);
  EXPECT_EQ(typed_place("1s..3h", *trace).value_or(TimeRange{}).length().ticks, 3 * kHour - kSecond)
      << "a part of it is there";
  EXPECT_TRUE(typed_place("100%", *trace));
  for (const char* text : {"3h", "-1s", "3h..4h", "101%"}) {
    const auto outside = typed_place(text, *trace);
    ASSERT_FALSE(outside) << text;
    EXPECT_EQ(outside.error().message,
              "outside of the trace, which is from 0:00:00.000000000 to 2:00:00.000000000");
  }
  EXPECT_FALSE(typed_place("nowhere", *trace));
}

TEST_F(TypedTime, WithADecimalPointItHasTheUnitOfTheRuler) {
  const auto trace = open(2 * kSecond);
  const auto since_begin = [&](const char* text) { return typed(*trace, text) - kEvening; };
  EXPECT_EQ(since_begin("0.5"), kSecond / 2);
  EXPECT_EQ(since_begin("+1.25"), kSecond * 5 / 4);
  EXPECT_EQ(typed_range("0.5 .. 0.75", *trace).value_or(TimeRange{}).length().ticks, kSecond / 4);
  EXPECT_EQ(typed_length("0.5", *trace).value_or(Duration{}).ticks, kSecond / 2);
  EXPECT_EQ(typed(*trace, "1500"), 1500) << "a whole number is ticks";
  View view = trace->view();
  view.window = TimeWindow::from_range({Time{kEvening}, Time{kEvening + kSecond / 100}});
  trace->navigate(view, 0);
  EXPECT_EQ(since_begin("1,500.5"), 1'500'500'000) << "the ruler has ms";
  trace->time_display.unit = TimeUnit::kSeconds;
  EXPECT_EQ(since_begin("0.5"), kSecond / 2);
}

TEST_F(TypedTime, OnAClockANumberWithADecimalPointIsSeconds) {
  const auto trace = open(2 * kHour);
  View view = trace->view();
  view.window = TimeWindow::from_range({Time{kEvening}, Time{kEvening + kSecond / 100}});
  trace->navigate(view, 0);
  EXPECT_EQ(typed(*trace, "1.5"), kEvening + kSecond * 3 / 2);
}

TEST_F(TypedTime, CommandsReadTimesSo) {
  Session session;
  session.traces.push_back(open(2 * kHour));
  session.traces[0]->time_display.origin = TimeOrigin::kUtc;
  ASSERT_TRUE(apply_command(session, {"select.range", {{"from", "23:45"}, {"to", "0:10"}}}));
  EXPECT_EQ(session.traces[0]->selection,
            (TimeRange{{kEvening + 900 * kSecond}, {kEvening + 2400 * kSecond}}));
}

TEST_F(TypedTime, CommandsSayWhichOfTwoTimesTheyTook) {
  const testing::InZone zone("CET-1CEST,M3.5.0,M10.5.0/3");
  Session session;
  session.traces.push_back(open(365 * kDay));
  session.traces[0]->time_display.origin = TimeOrigin::kLocal;
  ASSERT_TRUE(apply_command(session, {"view.go", {{"at", "2026-10-25 02:30 CET"}}}));
  EXPECT_EQ(session.messages.last.text, "");
  ASSERT_TRUE(apply_command(session, {"view.go", {{"at", "2026-10-25 02:30"}}}));
  EXPECT_TRUE(session.messages.last.text.starts_with("2026-10-25 02:30 comes twice: the first"))
      << session.messages.last.text;
}

}  // namespace
}  // namespace weft::app

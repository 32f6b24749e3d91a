// The years of logs whose lines say none.
#include "core/formats/general/custom/log_year.h"

#include <gtest/gtest.h>

#include "core/formats/base/time_form.h"
#include "core/io/memory_source.h"
#include "tests/core/formats/reading.h"
#include "tests/core/io/archives.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats::custom {
namespace {

Time at(const char* date) {
  return TimeForm::compile("%Y-%m-%d %H:%M:%S", "", '.')->parse(date, std::nullopt).value();
}

std::string line_of(const char* day, const char* time = "10:00:00") {
  return std::string(day) + " " + time + " host cron[1]: started\n";
}

// The times of the events of a log that was changed last then.
std::vector<Time> times_of(const std::string& log, std::optional<Time> changed) {
  const test::ScratchFolder folder;
  test::ReadingOptions options;
  options.changed = changed;
  const auto reading = test::read(folder.write("a.log", log), options);
  EXPECT_EQ(reading->error, "");
  std::vector<Time> times;
  for (const auto& event : reading->sink.punctual_events()) times.push_back(event.time);
  return times;
}

// In plain forms and in the other forms of strptime().
TEST(TimeForm, SaysTheSameInEveryForm) {
  const auto read = [](const char* form, const char* text) {
    return TimeForm::compile(form, "", '.')->parse(text, std::nullopt);
  };
  const Time time = at("2026-03-01 10:02:03");
  EXPECT_EQ(time.ticks, 1'772'359'323'000'000'000);
  for (const char* text : {"2026-03-01 10:02:03", "2026-3-1 10:2:3", "2026-03-01  10:02:03",
                           " 2026-03-01   10:02:03 "})
    EXPECT_EQ(read("%Y-%m-%d %H:%M:%S", text), time) << text;
  for (const char* text : {"Mar  1 10:02:03 2026", "March 1 10:02:03 2026", "mar 01 10:02:03 2026"})
    EXPECT_EQ(read("%b %e %H:%M:%S %Y", text), time) << text;
  for (const char* text :
       {"2026-03-01T10:02:03.25Z", "2026-03-01T12:02:03.250+0200", "2026-03-01T12:02:03.25+02:00",
        "2026-03-01T06:32:03.25-0330", "2026-03-01T12:02:03.25+02"})
    EXPECT_EQ(read("%Y-%m-%dT%H:%M:%S.%f%z", text), time + Duration{250'000'000}) << text;
  for (const char* text :
       {"2026-03-01", "2026-03-01 10:02:03 x", "2026-13-01 10:02:03", "2026-03-01 24:02:03",
        "2026-03-32 10:02:03", "2026-02-29 10:02:03", "20x6-03-01 10:02:03"})
    EXPECT_EQ(read("%Y-%m-%d %H:%M:%S", text), std::nullopt) << text;
}

TEST(TimeForm, DatesAreKnownInTheOrderThatTheyTell) {
  const Time time = at("2026-03-21 14:02:03");
  for (const std::string_view text :
       {"2026/03/21 14:02:03", "21.03.2026 14:02:03", "03/21/2026 2:02:03 PM",
        "03/21/2026 14:02:03", "21/03/2026 14:02:03", "21/03/2026 14:02:03.0"}) {
    const auto form = TimeForm::of(text);
    ASSERT_TRUE(form) << text;
    EXPECT_EQ(form->parse(text, std::nullopt), time) << text;
  }
  const auto clock = TimeForm::of("2:02:03.5 PM");
  ASSERT_TRUE(clock);
  EXPECT_EQ(clock->parse("12:00:01.5 AM", std::nullopt), Time{1'500'000'000});
  EXPECT_EQ(clock->parse("12:00:01.5 pm", std::nullopt), Time{43'201'500'000'000});
  EXPECT_EQ(clock->parse("2:02:03.5 PM", std::nullopt), Time{50'523'500'000'000});
  EXPECT_FALSE(TimeForm::of("03/04/2026 14:02:03"));  // in March or in April?
}

// Devices count hours from their start; times of day begin again.
TEST(TimeForm, HoursBeyondADayCountOn) {
  constexpr int64_t kSecond = 1'000'000'000, kHour = 3600 * kSecond;
  const auto read = [](const char* form, const char* text, Time before) {
    return TimeForm::compile(form, "", '.')->parse(text, before);
  };
  const Time late{23 * kHour};
  EXPECT_EQ(read("%H:%M:%S.%f", "25:01:02.5", late), Time{25 * kHour + 62 * kSecond + kSecond / 2});
  EXPECT_EQ(read("%H:%M:%S", "123:00:00", Time{122 * kHour}), Time{123 * kHour});
  EXPECT_EQ(read("%H:%M:%S", "01:00:00", late), Time{25 * kHour});
  for (const char* text : {"25:61:00", "25:00", "1234567:00:00", "25:00:00 x"})
    EXPECT_EQ(read("%H:%M:%S", text, late), std::nullopt) << text;
  EXPECT_EQ(read("%Y-%m-%d %H:%M:%S", "2026-03-01 25:00:00", late), std::nullopt);
  EXPECT_FALSE(TimeForm::of("25:00:00"));
}

TEST(TimeForm, ANumberIsNoDate) {
  for (const std::string_view number : {"1714996800", "1714996800123", "20240506", "0"})
    EXPECT_FALSE(TimeForm::of(number)) << number;
  EXPECT_TRUE(TimeForm::of("20240506120000"));
  EXPECT_TRUE(TimeForm::of("20240506 120000"));
}

TEST(TimeForm, StepsCountFromTheTimeBefore) {
  const auto read = [](const char* form, const char* text) {
    return TimeForm::compile(form, "", '.')->parse(text, Time{1'000'000'000});
  };
  EXPECT_EQ(read("ms", "+2.5"), Time{1'002'500'000});
  EXPECT_EQ(read("ms", "2.5"), Time{2'500'000});
  EXPECT_EQ(read("+ms", "2.5"), Time{1'002'500'000});
  EXPECT_EQ(read("%H:%M:%S", "+2.5"), Time{3'500'000'000});
  EXPECT_EQ(read("+%H:%M:%S", "00:01:00"), Time{61'000'000'000});
  for (const char* text : {"", "+", "++1", "+x", "+1 s"})
    EXPECT_EQ(read("ms", text), std::nullopt) << text;
  EXPECT_EQ(TimeForm::compile("+ms", "", '.')->parse("2.5", std::nullopt), Time{2'500'000});
}

TEST(LogYear, ADayBeginsTheLine) {
  EXPECT_EQ(day_of_line("Oct  3 22:14:15 host a: b"), (LogDay{10, 3}));
  EXPECT_EQ(day_of_line("<34>Feb 29 22:14:15 host a: b"), (LogDay{2, 29}));
  EXPECT_EQ(day_of_line("[Feb29 22:14] usb 1-1: x"), (LogDay{2, 29}));
  EXPECT_EQ(day_of_line("daemon:notice: [Mar 1 22:14] x"), (LogDay{3, 1}));
  EXPECT_EQ(day_of_line("[ 02-29 22:14:15.123 1: 2 I/a ]"), (LogDay{2, 29}));
  EXPECT_EQ(day_of_line("12-31 22:14:15.123 1 2 I a: b"), (LogDay{12, 31}));
  for (const char* other : {"", "Oct", "Oct 3", "Oct 32 1", "13-01 1", "2024-01-01 1", "12.31 1",
                            "<34>", "<", "[", "October 3 1"})
    EXPECT_FALSE(day_of_line(other)) << other;
}

TEST(LogYear, TheLastLineIsNotAfterTheLastChange) {
  const std::string log = line_of("Mar  1") + line_of("Mar  2");
  EXPECT_EQ(times_of(log, at("2024-03-02 10:00:05"))[1], at("2024-03-02 10:00:00"));
  EXPECT_EQ(times_of(log, at("2024-12-31 00:00:00"))[1], at("2024-03-02 10:00:00"));
  EXPECT_EQ(times_of(log, at("2024-02-01 00:00:00"))[1], at("2023-03-02 10:00:00"));
  // At the place of the log it may already be tomorrow.
  EXPECT_EQ(times_of(log, at("2024-03-01 23:00:00"))[1], at("2024-03-02 10:00:00"));
  EXPECT_EQ(times_of(line_of("Jan  1", "03:00:00"), at("2023-12-31 22:00:00"))[0],
            at("2024-01-01 03:00:00"));
}

TEST(LogYear, FromDecemberToJanuaryAYearPasses) {
  const std::string winter = line_of("Dec 31") + line_of("Jan  1");
  const Time changed = at("2024-04-01 00:00:00");
  EXPECT_EQ(times_of(winter, changed),
            (std::vector{at("2023-12-31 10:00:00"), at("2024-01-01 10:00:00")}));
  // However many.
  EXPECT_EQ(times_of(line_of("Mar  1") + winter + line_of("Aug  1") + winter, changed).front(),
            at("2022-03-01 10:00:00"));
  // A line that came late does not turn back the year, nor does it pass another one.
  EXPECT_EQ(
      times_of(winter + line_of("Dec 31", "23:59:59") + line_of("Jan  1", "11:00:00"), changed),
      (std::vector{at("2023-12-31 10:00:00"), at("2024-01-01 10:00:00"), at("2023-12-31 23:59:59"),
                   at("2024-01-01 11:00:00")}));
}

TEST(LogYear, OfALeapYearItsDayIsThere) {
  const std::string log = line_of("Feb 28") + line_of("Feb 29") + line_of("Mar  1");
  EXPECT_EQ(times_of(log, at("2024-06-01 00:00:00"))[1], at("2024-02-29 10:00:00"));
}

TEST(LogYear, OfAndroidsLogsIsFoundToo) {
  const std::string line = " 10:00:00.500  100  101 I tag: text\n";
  EXPECT_EQ(times_of("12-31" + line + "01-01" + line, at("2024-04-01 00:00:00"))[0],
            Time{at("2023-12-31 10:00:00").ticks + 500'000'000});
}

TEST(LogYear, IsSaidInTheMetadata) {
  const test::ScratchFolder folder;
  const auto path = folder.write("a.log", line_of("Dec 31") + line_of("Jan  1"));
  test::ReadingOptions options;
  EXPECT_NE(test::read(path, options)->text().find("year = 1970, for lines say none"),
            std::string::npos);
  options.changed = at("2024-02-01 00:00:00");
  EXPECT_NE(test::read(path, options)->text().find("year = 2023 at the begin, by the last change"),
            std::string::npos);
}

TEST(LogYear, OfWhatCanBeReadOnceIsThatOfItsHead) {
  const std::string log = line_of("Dec 31") + line_of("Jan  1");
  io::MemorySource pipe(std::as_bytes(std::span(log)));
  EXPECT_EQ(begin_of_log(pipe, at("2024-02-01 00:00:00")), at("2023-12-31 00:00:00"));
  char byte = 0;
  EXPECT_EQ(*pipe.read(std::as_writable_bytes(std::span(&byte, 1))), 1u);
  EXPECT_EQ(byte, 'D');  // nothing was taken of it
}

TEST(LogYear, OfUsersTypesIsKnown) {
  const test::ScratchFolder folder;
  const auto form = TimeForm::compile("%d/%m %H:%M:%S", "", '.');
  ASSERT_TRUE(form->lacks_year());
  EXPECT_FALSE(TimeForm::compile("%d/%m/%y %H:%M:%S", "", '.')->lacks_year());
  EXPECT_FALSE(TimeForm::compile("%H:%M:%S", "", '.')->lacks_year());
  // No line begins with a day that is known: the first is of the year before the last change.
  const auto source = io::Source::open(folder.write("a.log", "x 31/12 10:00:00\n"));
  const Time begin = begin_of_log(**source, at("2024-06-01 00:00:00"));
  EXPECT_EQ(form->parse("31/12 10:00:00", begin), at("2023-12-31 10:00:00"));
  EXPECT_EQ(form->parse("01/06 10:00:00", begin), at("2024-06-01 10:00:00"));
  EXPECT_EQ(form->parse("01/07 10:00:00", begin), at("2023-07-01 10:00:00"));
}

TEST(LogYear, OfAFileInAnArchiveIsItsOwn) {
  constexpr int64_t kSecond = 1'000'000'000;
  const test::ScratchFolder folder;
  const test::ArchiveFiles files = {{"a.log", "1"}, {"b.log", "2"}};
  const Time changed = at("2021-05-06 07:08:10");
  for (const test::Packing packing : {test::Packing::kTar, test::Packing::kTarGzip}) {
    const auto path =
        folder.write("a.tar", test::archive_of(packing, files, changed.ticks / kSecond));
    const auto source = io::Source::open(path / "a.log");
    EXPECT_EQ(io::last_change((*source)->path()), changed);
  }
  EXPECT_FALSE(io::last_change("-"));
  EXPECT_FALSE(io::last_change(folder.path()));
}

}  // namespace
}  // namespace weft::formats::custom

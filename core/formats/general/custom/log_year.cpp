#include "core/formats/general/custom/log_year.h"

#include <time.h>

#include <algorithm>
#include <array>

#include "core/base/clock_text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/time_form.h"
#include "core/io/line_reader.h"
#include "core/io/memory_source.h"
#include "core/io/reopen.h"

namespace weft::formats::custom {
namespace {

constexpr int64_t kDayNs = kDaySeconds * 1'000'000'000;
constexpr int kYearDays = 365;

std::optional<int> take_two_digits(std::string_view& text) {
  size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  if (digits == 0 || digits > 2) return std::nullopt;
  const auto number = parse_number<int>(text.substr(0, digits));
  text.remove_prefix(digits);
  return number;
}

struct LogDays {
  std::optional<LogDay> first, last;
  int years = 0;  // that passed between them
};

// Days are counted with 31 to each month: from more than that back a year has passed, what is less
// came late (TimeForm::parse).
LogDays days_of(io::Source& log) {
  constexpr int kMonth = 31, kYear = 12 * kMonth;
  int now = 0;
  constexpr size_t kMostLineBytes = size_t{256} << 10;
  LogDays days;
  io::LineReader lines(log, kMostLineBytes);
  while (const io::Line* const line = lines.next()) {
    const auto day = day_of_line(line->text);
    if (!day) continue;
    const int in_year = (day->month - 1) * kMonth + day->day - 1;
    const int earliest = now - kMonth;
    if (!days.first) days.first = day;
    now = days.last ? (earliest + kYear) / kYear * kYear - kYear + in_year : in_year;
    if (days.last && now < earliest) now += kYear;
    days.last = day;
    days.years = (now + kYear) / kYear - 1;  // also down from 0
  }
  return days;
}

// Only those of the head if it cannot be read twice, as with a pipe.
LogDays days_of_all(io::Source& source) {
  if (io::can_be_reopened(source)) {
    const auto again = io::Source::open(source.path());
    return again ? days_of(**again) : LogDays{};
  }
  constexpr size_t kHeadBytes = 64 << 10;
  const auto head = source.peek(kHeadBytes);
  if (!head) return {};
  io::MemorySource lines(*head);
  return days_of(lines);
}

Time begin_of(int year, LogDay day) {
  tm parts{};
  parts.tm_year = year - 1900;
  parts.tm_mon = day.month - 1;
  parts.tm_mday = day.day;
  return Time{int64_t{::timegm(&parts)} * 1'000'000'000};
}

}  // namespace

std::optional<LogDay> day_of_line(std::string_view line) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (line.starts_with('<')) line.remove_prefix(std::min(line.find('>') + 1, line.size()));
  constexpr size_t kMostPriorityBytes = 20;  // of dmesg -x: "kern  :notice: ["
  const size_t bracket = line.substr(0, kMostPriorityBytes).find(": [");
  if (bracket != std::string_view::npos) line.remove_prefix(bracket + 2);
  take_prefix(line, "[");
  skip_spaces(line);
  LogDay day;
  if (const auto month = std::ranges::find(kMonths, line.substr(0, 3)); month != kMonths.end()) {
    day.month = static_cast<int>(month - kMonths.begin()) + 1;
    line.remove_prefix(3);
    skip_spaces(line);
  } else {
    day.month = take_two_digits(line).value_or(0);
    if (!take_prefix(line, "-")) return std::nullopt;
  }
  day.day = take_two_digits(line).value_or(0);
  const bool is_day = day.month >= 1 && day.month <= 12 && day.day >= 1 && day.day <= 31;
  return is_day && line.starts_with(' ') ? std::optional(day) : std::nullopt;
}

Time begin_of_log(io::Source& source, Time changed) {
  const Time latest{saturating_add(changed.ticks, kDayNs)};  // the log's zone is another
  const LogDays days = days_of_all(source);
  if (!days.first) return Time{saturating_add(latest.ticks, -(kYearDays - 31) * kDayNs)};
  int year = year_of(latest);
  if (begin_of(year, *days.last) > latest) --year;
  return begin_of(year - days.years, *days.first);
}

}  // namespace weft::formats::custom

#include "core/formats/base/time_form.h"

#include <fmt/core.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/clock_text.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/base/json_cursor.h"
#include "core/formats/base/text.h"

namespace weft::formats {
namespace {

constexpr int64_t kDay = kDaySeconds * kNsPerSecond;
constexpr size_t kMostTimeBytes = 128;  // of a time, and of a pattern

constexpr std::array<std::pair<std::string_view, DecimalUnit>, 6> kUnits = {{
    {"s", DecimalUnit::kSeconds},
    {"ms", DecimalUnit::kMilliseconds},
    {"us", DecimalUnit::kMicroseconds},
    {"ns", DecimalUnit::kNanoseconds},
    // One tick each.
    {"ticks", DecimalUnit::kNanoseconds},
    {"cycles", DecimalUnit::kNanoseconds},
}};

Result<DecimalUnit> unit_from(std::string_view text) {
  const auto it = std::ranges::find(kUnits, text, &std::pair<std::string_view, DecimalUnit>::first);
  if (it != kUnits.end()) return it->second;
  return fail(fmt::format("'{}' is neither a unit (s, ms, us, ns, ticks, cycles) nor a pattern",
                          printable(text)));
}

// timegm() takes the 30th of February for a day of March.
bool is_day(const tm& parts) {
  using namespace std::chrono;
  return (year(parts.tm_year + 1900) / (parts.tm_mon + 1) / parts.tm_mday).ok();
}

// Which letters may stand behind a '%', and those of them that say something of the day.
constexpr std::string_view kConversions = "aAbBcCdDeFghHIjklmMnpPrRSTtyYz%";
constexpr std::string_view kOfDate = "bBcCdDeFghjmyY", kOfYear = "cCDFgGsyY";

Status check(std::string_view pattern) {
  for (size_t at = pattern.find('%'); at != std::string_view::npos;
       at = pattern.find('%', at + 2)) {
    const char letter = at + 1 < pattern.size() ? pattern[at + 1] : '\0';
    if (letter == '\0' || kConversions.find(letter) == std::string_view::npos)
      return fail(
          fmt::format("'{}' is not a conversion of a time", printable(pattern.substr(at, 2))));
  }
  return {};
}

bool says(std::string_view pattern, std::string_view letters) {
  for (size_t at = pattern.find('%'); at != std::string_view::npos && at + 1 < pattern.size();
       at = pattern.find('%', at + 2)) {
    if (letters.find(pattern[at + 1]) != std::string_view::npos) return true;
  }
  return false;
}

// The plain forms of what strptime() reads, at a tenth of its cost: digits in full width, the first
// letters of months, days that every month has. False where the text or the pattern has anything
// else, which is for strptime() to say.
class PlainTime {
 public:
  explicit PlainTime(int year) : year_(year) {}

  bool take(std::string_view& text, std::string_view pattern) {
    for (size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] == '%') {
        if (!take_part(text, pattern[++i])) return false;
      } else if (pattern[i] == ' ') {
        skip_spaces(text);
      } else if (is_space(pattern[i]) || !take_prefix(text, pattern.substr(i, 1))) {
        return false;
      }
    }
    return true;
  }

  int64_t seconds() const {
    using namespace std::chrono;
    const sys_days date = year(year_) / month(month_) / day(day_);
    return date.time_since_epoch().count() * kDaySeconds + hour_ * 3600 + (minute_ - zone_) * 60 +
           second_;
  }

 private:
  static bool take_digits(std::string_view& text, size_t width, int most, int& out) {
    if (text.size() < width) return false;
    int number = 0;
    for (const char c : text.substr(0, width)) {
      if (!is_digit(c)) return false;
      number = 10 * number + (c - '0');
    }
    if (number > most) return false;
    out = number;
    text.remove_prefix(width);
    return true;
  }

  bool take_part(std::string_view& text, char letter) {
    switch (letter) {
      case 'Y':
        return take_digits(text, 4, 9999, year_);
      case 'm':
        return take_digits(text, 2, 12, month_) && month_ > 0;
      case 'b':
        return take_month(text);
      case 'd':
      case 'e': {
        const bool is_short = text.size() < 2 || !is_digit(text[1]);
        return take_digits(text, is_short ? 1 : 2, 28, day_) && day_ > 0;
      }
      case 'H':
        return take_digits(text, 2, 23, hour_);
      case 'M':
        return take_digits(text, 2, 59, minute_);
      case 'S':
        return take_digits(text, 2, 59, second_);
      case 'z':
        return take_zone(text);
      default:
        return false;
    }
  }

  bool take_month(std::string_view& text) {
    constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
    if (text.size() < 3) return false;
    size_t at = 0;
    while (at < kMonths.size() &&
           (text[0] != kMonths[at] || text[1] != kMonths[at + 1] || text[2] != kMonths[at + 2]))
      at += 3;
    if (at == kMonths.size()) return false;
    month_ = static_cast<int>(at / 3) + 1;
    text.remove_prefix(3);
    return true;
  }

  bool take_zone(std::string_view& text) {
    if (take_prefix(text, "Z")) return true;
    const bool is_west = text.starts_with('-');
    int hours = 0, minutes = 0;
    if (!take_prefix(text, "+") && !take_prefix(text, "-")) return false;
    if (!take_digits(text, 2, 14, hours)) return false;
    take_prefix(text, ":");
    if (!take_digits(text, 2, 59, minutes)) return false;
    zone_ = (is_west ? -1 : 1) * (hours * 60 + minutes);
    return true;
  }

  int year_, month_ = 1, day_ = 1, hour_ = 0, minute_ = 0, second_ = 0;
  int zone_ = 0;  // in minutes
};

// Nanoseconds of a fraction's digits, which are taken off; none where there are none. Behind a
// colon they count milliseconds, also where they are fewer than three: "15:29:8".
std::optional<int64_t> take_fraction(std::string_view& text, bool is_behind_colon) {
  int64_t ns = 0, weight = kNsPerSecond / 10;
  const size_t before = text.size();
  for (; !text.empty() && is_digit(text[0]); text.remove_prefix(1), weight /= 10)
    ns += (text[0] - '0') * weight;
  if (text.size() == before) return std::nullopt;
  constexpr size_t kOfMilliseconds = 3;
  for (size_t digits = before - text.size(); is_behind_colon && digits < kOfMilliseconds; ++digits)
    ns /= 10;
  return ns;
}

// The same for any pattern. `text` must end in a zero.
bool take_by_strptime(std::string_view& text, const std::string& pattern, tm& parts) {
  const char* const rest = ::strptime(text.data(), pattern.c_str(), &parts);
  if (rest != nullptr) text.remove_prefix(static_cast<size_t>(rest - text.data()));
  return rest != nullptr;
}

// Half a day back is the next day.
Time on_day_of(Time time, Time before) {
  const int64_t day = before.ticks - ((before.ticks % kDay) + kDay) % kDay;
  Time there{saturating_add(time.ticks, day)};
  if (saturating_add(there.ticks, kDay / 2) < before.ticks)
    there.ticks = saturating_add(there.ticks, kDay);
  if (there.ticks > saturating_add(before.ticks, kDay / 2) && day > 0) there.ticks -= kDay;
  return there;
}

}  // namespace

Result<TimeForm> TimeForm::compile(std::string_view form, std::string_view duration_unit,
                                   char decimal) {
  TimeForm out;
  out.decimal_ = decimal;
  if (form.size() > kMostTimeBytes)
    return fail(fmt::format("time: is longer than {}", kMostTimeBytes));
  out.is_step_ = take_prefix(form, "+");
  out.is_pattern_ = form.find('%') != std::string_view::npos;
  if (out.is_pattern_) {
    const size_t fraction = form.find("%f");
    out.has_fraction_ = fraction != std::string_view::npos;
    out.before_fraction_ = form.substr(0, fraction);
    if (out.has_fraction_) out.behind_fraction_ = form.substr(fraction + 2);
    for (const std::string* part : {&out.before_fraction_, &out.behind_fraction_}) {
      if (Status status = check(*part); !status)
        return fail(std::move(status).error().context("time"));
    }
    out.has_date_ = says(form, kOfDate);
    out.lacks_year_ = out.has_date_ && !says(form, kOfYear);
  } else {
    auto unit = unit_from(form);
    if (!unit) return fail(std::move(unit).error().context("time"));
    out.unit_ = out.duration_unit_ = *unit;
    if (form == "ticks") out.base_ = TimeBase::kTicks;
    if (form == "cycles") out.base_ = TimeBase::kCycles;
  }
  if (!duration_unit.empty()) {
    auto unit = unit_from(duration_unit);
    if (!unit) return fail(std::move(unit).error().context("duration_unit"));
    out.duration_unit_ = *unit;
  }
  return out;
}

std::vector<TimeForm> TimeForm::compiled(std::span<const char* const> forms) {
  std::vector<TimeForm> out;
  for (const char* const form : forms) out.push_back(compile(form, {}, '.').value());
  return out;
}

std::optional<TimeForm> TimeForm::of(std::string_view time) {
  static constexpr std::array kForms = {
      "%Y-%m-%dT%H:%M:%S.%f%z",
      "%Y-%m-%dT%H:%M:%S%z",
      "%Y-%m-%dT%H:%M:%S.%f",
      "%Y-%m-%dT%H:%M:%S",
      "%Y-%m-%d %H:%M:%S.%f%z",
      "%Y-%m-%d %H:%M:%S%z",
      "%Y-%m-%d %H:%M:%S.%f",
      "%Y-%m-%d %H:%M:%S,%f",
      "%Y-%m-%d %H:%M:%S",
      "%Y-%m-%d-%H.%M.%S.%f",
      "%Y-%m-%d",
      "%Y%m%d-%H:%M:%S:%f",
      "%Y%m%d %H%M%S",
      "%y%m%d %H%M%S",
      "%Y/%m/%d %H:%M:%S.%f",
      "%Y/%m/%d %H:%M:%S",
      "%d.%m.%Y %H:%M:%S.%f",
      "%d.%m.%Y %H:%M:%S",
      "%a %b %d %H:%M:%S %Y",
      "%m/%d/%Y %I:%M:%S.%f %p",
      "%m/%d/%Y %I:%M:%S %p",
      "%H:%M:%S.%f",
      "%H:%M:%S,%f",
      "%H:%M:%S",
      "%I:%M:%S.%f %p",
      "%I:%M:%S %p",
  };
  // Either the month or the day comes first: which, a day behind the twelfth tells.
  static constexpr std::array kEitherFirst = {
      "%m/%d/%Y %H:%M:%S.%f",
      "%d/%m/%Y %H:%M:%S.%f",
      "%m/%d/%Y %H:%M:%S",
      "%d/%m/%Y %H:%M:%S",
  };
  static const std::vector<TimeForm> forms = compiled(kForms);
  static const std::vector<TimeForm> either_first = compiled(kEitherFirst);
  // strptime() would see a date of few digits in any number: 1714996800 as 1714-9-9 6:8:00.
  constexpr size_t kDigitsOfDateAndTime = 14;
  const bool is_number = std::ranges::all_of(time, is_digit);
  if (is_number && time.size() != kDigitsOfDateAndTime) return std::nullopt;
  if (time.size() > kMostTimeBytes) return std::nullopt;
  const auto reads = [text = trimmed(time)](const TimeForm& each) {
    return each.parse_pattern(text).has_value();
  };
  const auto form = std::ranges::find_if(forms, reads);
  if (form != forms.end()) return *form;
  if (std::ranges::count_if(either_first, reads) != 1) return std::nullopt;
  return *std::ranges::find_if(either_first, reads);
}

std::string_view TimeForm::with_point(std::string_view text, std::string& scratch) const {
  if (decimal_ == '.') return trimmed(text);
  scratch = trimmed(text);
  std::ranges::replace(scratch, decimal_, '.');
  return scratch;
}

std::optional<Time> TimeForm::parse(std::string_view text, std::optional<Time> before) const {
  if (text.size() > kMostTimeBytes) return std::nullopt;
  text = trimmed(text);
  const bool has_sign = take_prefix(text, "+");
  if (has_sign || is_step_) {
    const auto step = is_pattern_ && !has_sign ? parse_pattern(text) : parse_number_of_units(text);
    if (!step) return std::nullopt;
    return Time{saturating_add(before.value_or(Time{0}).ticks, step->ticks)};
  }
  if (!is_pattern_) return parse_number_of_units(text);
  if (lacks_year_ && before) return parse_in_year(text, *before);
  const auto time = parse_pattern(text);
  if (!time && !has_date_) return parse_long_hours(text);
  return time && before && !has_date_ ? on_day_of(*time, *before) : time;
}

// "25:03:00": hours that count on beyond a day.
std::optional<Time> TimeForm::parse_long_hours(std::string_view text) const {
  constexpr size_t kMostDigits = 6;
  const std::string_view digits = text.substr(0, text.find(':'));
  if (!before_fraction_.starts_with("%H:") || digits.size() < 2 || digits.size() > kMostDigits)
    return std::nullopt;
  const auto hours = parse_number<int64_t>(digits);
  if (!hours || *hours < 24) return std::nullopt;
  const auto within = parse_pattern(fmt::format("00{}", text.substr(digits.size())));
  if (!within) return std::nullopt;
  return Time{saturating_add(within->ticks, *hours * 3600 * kNsPerSecond)};
}

std::optional<Time> TimeForm::parse_number_of_units(std::string_view text) const {
  std::string scratch;
  return nearest_time(with_point(text, scratch), unit_);
}

int year_of(Time time) {
  using namespace std::chrono;
  const auto day = floor<days>(sys_time<nanoseconds>(nanoseconds(time.ticks)));
  return int{year_month_day(day).year()};
}

// In the first year in which it is not before the event before; lines may be late by a month.
std::optional<Time> TimeForm::parse_in_year(std::string_view text, Time before) const {
  const Time earliest{saturating_add(before.ticks, -31 * kDay)};
  const int year = year_of(earliest);
  const auto time = parse_pattern(text, year);
  return !time || *time >= earliest ? time : parse_pattern(text, year + 1);
}

std::optional<Time> TimeForm::parse_pattern(std::string_view text, int year) const {
  PlainTime plain(year);
  int64_t fraction = 0;
  const auto is_taken = [&](std::string_view rest, const auto& take) {
    if (!take(rest, before_fraction_)) return false;
    if (has_fraction_) {
      const auto digits = take_fraction(rest, before_fraction_.ends_with(':'));
      if (!digits || !take(rest, behind_fraction_)) return false;
      fraction = *digits;
    }
    return rest.empty();
  };
  int64_t seconds = 0;
  if (is_taken(text, [&](auto& rest, const auto& part) { return plain.take(rest, part); })) {
    seconds = plain.seconds();
  } else {
    tm parts{};
    parts.tm_year = year - 1900;
    parts.tm_mday = 1;
    const std::string copy(text);
    if (!is_taken(copy, [&](auto& rest, const auto& part) {
          return take_by_strptime(rest, part, parts);
        }))
      return std::nullopt;
    // strptime() forgets the hour where a fraction stands before "PM".
    if (says(before_fraction_, "Il") && says(behind_fraction_, "pP") && parts.tm_hour < 12 &&
        lower_case(copy).contains("pm"))
      parts.tm_hour += 12;
    if (has_date_ && !lacks_year_ && !is_day(parts)) return std::nullopt;
    const long zone = parts.tm_gmtoff;  // timegm() forgets it
    seconds = int64_t{::timegm(&parts)} - zone;
  }
  int64_t ns = 0;
  if (__builtin_mul_overflow(seconds, kNsPerSecond, &ns)) return std::nullopt;
  return Time{saturating_add(ns, fraction)};
}

std::optional<Duration> TimeForm::parse_duration(std::string_view text) const {
  if (text.size() > kMostTimeBytes) return std::nullopt;
  std::string scratch;
  const auto time = nearest_time(with_point(text, scratch), duration_unit_);
  return time ? std::optional(Duration{time->ticks}) : std::nullopt;
}

std::optional<double> TimeForm::parse_value(std::string_view text) const {
  if (text.size() > kMostTimeBytes) return std::nullopt;
  std::string scratch;
  return parse_number<double>(with_point(text, scratch));
}

std::optional<Time> parse_date(std::string_view text) {
  const auto form = TimeForm::of(text);
  return form ? form->parse(text, std::nullopt) : std::nullopt;
}

}  // namespace weft::formats

#include "core/formats/general/custom/time_form.h"

#include <fmt/core.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/clock_text.h"
#include "core/base/text.h"
#include "core/formats/base/text.h"

namespace weft::formats::custom {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kDay = kDaySeconds * kSecond;
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

// Which letters may stand behind a '%', and those of them that say something of the day.
constexpr std::string_view kConversions = "aAbBcCdDeFghHIjklmMnpPrRSTtyYz%";
constexpr std::string_view kOfDate = "bBcCdDeFghjmyY", kOfYear = "cCDFgGsyY";

Status check(std::string_view pattern) {
  for (size_t at = pattern.find('%'); at != std::string_view::npos;
       at = pattern.find('%', at + 2)) {
    const char letter = at + 1 < pattern.size() ? pattern[at + 1] : '\0';
    if (letter == '\0' || kConversions.find(letter) == std::string_view::npos)
      return fail(fmt::format("'{}' is no conversion of a time", printable(pattern.substr(at, 2))));
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

// Nanoseconds of a fraction's digits, which are taken off; none where there are none.
std::optional<int64_t> take_fraction(const char*& text) {
  int64_t ns = 0, weight = kSecond / 10;
  const char* const begin = text;
  for (; *text >= '0' && *text <= '9'; ++text, weight /= 10) ns += (*text - '0') * weight;
  return text == begin ? std::nullopt : std::optional(ns);
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

std::optional<TimeForm> TimeForm::of(std::string_view time) {
  constexpr std::array kForms = {
      "%Y-%m-%dT%H:%M:%S.%f%z",
      "%Y-%m-%dT%H:%M:%S%z",
      "%Y-%m-%dT%H:%M:%S.%f",
      "%Y-%m-%dT%H:%M:%S",
      "%Y-%m-%d %H:%M:%S.%f%z",
      "%Y-%m-%d %H:%M:%S%z",
      "%Y-%m-%d %H:%M:%S.%f",
      "%Y-%m-%d %H:%M:%S,%f",
      "%Y-%m-%d %H:%M:%S",
      "%H:%M:%S.%f",
      "%H:%M:%S,%f",
      "%H:%M:%S",
  };
  for (const char* const form : kForms) {
    const auto compiled = compile(form, {}, '.');
    if (compiled && compiled->parse(time, std::nullopt)) return *compiled;
  }
  return std::nullopt;
}

std::string TimeForm::with_point(std::string_view text) const {
  std::string number(trimmed(text));
  std::ranges::replace(number, decimal_, '.');
  return number;
}

std::optional<Time> TimeForm::parse(std::string_view text, std::optional<Time> before) const {
  if (text.size() > kMostTimeBytes) return std::nullopt;
  if (is_pattern_) {
    if (lacks_year_ && before) return parse_in_year(std::string(trimmed(text)), *before);
    const auto time = parse_pattern(std::string(trimmed(text)));
    return time && before && !has_date_ ? on_day_of(*time, *before) : time;
  }
  DecimalTime time;
  if (parse_decimal_time(with_point(text), unit_, time) != DecimalStatus::kOk) return std::nullopt;
  return time.nearest();
}

int year_of(Time time) {
  const time_t seconds = time.ticks / kSecond;
  tm parts{};
  ::gmtime_r(&seconds, &parts);  // nanoseconds lead to no year that it cannot hold
  return parts.tm_year + 1900;
}

// In the first year in which it is not before the event before; lines may be late by a month.
std::optional<Time> TimeForm::parse_in_year(const std::string& text, Time before) const {
  const Time earliest{saturating_add(before.ticks, -31 * kDay)};
  const int year = year_of(earliest);
  const auto time = parse_pattern(text, year);
  return !time || *time >= earliest ? time : parse_pattern(text, year + 1);
}

std::optional<Time> TimeForm::parse_pattern(const std::string& text, int year) const {
  tm parts{};
  parts.tm_year = year - 1900;
  parts.tm_mday = 1;
  const char* rest = ::strptime(text.c_str(), before_fraction_.c_str(), &parts);
  int64_t fraction = 0;
  if (rest != nullptr && has_fraction_) {
    const auto digits = take_fraction(rest);
    if (!digits) return std::nullopt;
    fraction = *digits;
    rest = ::strptime(rest, behind_fraction_.c_str(), &parts);
  }
  if (rest == nullptr || *rest != '\0') return std::nullopt;
  const long zone = parts.tm_gmtoff;  // timegm() forgets it
  const int64_t seconds = int64_t{::timegm(&parts)} - zone;
  int64_t ns = 0;
  if (__builtin_mul_overflow(seconds, kSecond, &ns)) return std::nullopt;
  return Time{saturating_add(ns, fraction)};
}

std::optional<Duration> TimeForm::parse_duration(std::string_view text) const {
  DecimalTime time;
  if (text.size() > kMostTimeBytes ||
      parse_decimal_time(with_point(text), duration_unit_, time) != DecimalStatus::kOk)
    return std::nullopt;
  return Duration{time.nearest().ticks};
}

std::optional<double> TimeForm::parse_value(std::string_view text) const {
  if (text.size() > kMostTimeBytes) return std::nullopt;
  return parse_number<double>(with_point(text));
}

}  // namespace weft::formats::custom

// The form of a trace's times: a number of a unit ("s", "ms", "us", "ns", "ticks", "cycles"), or a
// pattern as of strptime with %f for a fraction of any length: "%Y-%m-%dT%H:%M:%S.%f". Times
// without a zone (%z) are UTC; times without a date continue after midnight, unless their hours do
// (24:00:00), dates without a year after its end. Exact to the nanosecond.
//
// A time that begins with '+' counts from the event before, in the unit or in seconds; if the form
// begins with '+', all times do.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/formats/base/decimal_time.h"

namespace weft::formats {

// The UTC year of a time since 1970.
int year_of(Time time);

class TimeForm {
 public:
  // `decimal` is the decimal separator. `duration_unit` may be empty.
  static Result<TimeForm> compile(std::string_view form, std::string_view duration_unit,
                                  char decimal);

  // Returns the pattern of a time of day, with or without its date; nullopt if it is none, as a
  // number is, or does not tell whether the month or the day comes first.
  static std::optional<TimeForm> of(std::string_view time);

  TimeBase time_base() const { return base_; }
  // Whether times have a date but no year.
  bool lacks_year() const { return lacks_year_; }
  // `before` is the time of the event before, from which the day, the year and steps are derived.
  std::optional<Time> parse(std::string_view text, std::optional<Time> before) const;
  std::optional<Duration> parse_duration(std::string_view text) const;
  std::optional<double> parse_value(std::string_view text) const;

 private:
  static std::vector<TimeForm> compiled(std::span<const char* const> forms);
  std::optional<Time> parse_number_of_units(std::string_view text) const;
  std::optional<Time> parse_pattern(std::string_view text, int year = 1970) const;
  std::optional<Time> parse_long_hours(std::string_view text) const;
  std::optional<Time> parse_in_year(std::string_view text, Time before) const;
  // Returns the number with a decimal point, in `scratch` if it has another separator.
  std::string_view with_point(std::string_view text, std::string& scratch) const;

  TimeBase base_ = TimeBase::kNanoseconds;
  DecimalUnit unit_ = DecimalUnit::kSeconds;
  DecimalUnit duration_unit_ = DecimalUnit::kSeconds;
  char decimal_ = '.';
  bool is_step_ = false;  // times count from the time before
  bool is_pattern_ = false;
  bool has_date_ = false;
  bool lacks_year_ = false;
  bool has_fraction_ = false;
  std::string before_fraction_, behind_fraction_;  // parts of the pattern
};

// Parses a time of day, with or without its date, in the form that it tells.
std::optional<Time> parse_date(std::string_view text);

}  // namespace weft::formats

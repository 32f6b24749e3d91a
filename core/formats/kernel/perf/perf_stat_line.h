// The lines that `perf stat` prints, in each of its three notations, taken apart.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace weft::formats::perf {

// A count of an event since the previous line of the same event.
struct StatLine {
  Time time;                        // ns since counting began, where the interval ends
  std::string group{};              // "CPU0", "S0-D0-C1", "bash-42"; empty: all together
  std::string cgroup{};             // empty: not said
  std::string event{};              // empty: a further metric of the event before
  std::string unit{};               // of the value: "msec"; empty: times
  std::optional<double> value{};    // none: not counted, or not supported
  std::optional<double> running{};  // percent of the time in which it was counted, where said
  std::string metric{};             // what perf made of it: "insn per cycle"; empty: nothing
  std::optional<double> metric_value{};
};

// "     0.100149426              32.76 msec task-clock      #    0.328 CPUs utilized",
// "     0.100213302,28.00,msec,task-clock,28003754,100.00,0.280,CPUs utilized" with any sign for
// the comma, and `{"interval" : 0.1, "counter-value" : "28.0", …}`.
bool parse_stat_line(std::string_view text, StatLine& line);
// The same without a time, as printed without -I.
bool parse_stat_line_without_time(std::string_view text, StatLine& line);
// Whether it is one with fields between signs, or JSON.
bool is_stat_table(std::string_view text);

// "   12.100149426" at a line's begin, which is taken off.
std::optional<Time> take_stat_time(std::string_view& text);
// Returns nullopt if negative or out of range.
std::optional<Time> stat_time_of_seconds(double seconds);

}  // namespace weft::formats::perf

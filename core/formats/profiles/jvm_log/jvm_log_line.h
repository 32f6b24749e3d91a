// A line of a Java VM's log as -Xlog (JEP 158) writes it, taken apart; its decorations are each
// there or not:
//
//   [2024-05-13T10:00:00.123+0200][0.015s][4711][info][gc,start     ] GC(3) Pause Remark
#pragma once

#include <optional>
#include <string_view>

#include "core/base/time.h"
#include "core/formats/base/decimal_time.h"

namespace weft::formats::jvm_log {

struct Line {
  Time time;                     // in ns
  bool is_of_day = false;        // since 1970, else since the VM began
  std::string_view level, tags;  // empty: not there; tags as they are written, "gc,start"
  std::string_view message;      // what follows
};

// Returns false if it is none, or has no time.
bool parse_line(std::string_view text, Line& out);

// "2015-05-26T16:23:07.219-0200".
std::optional<Time> date_of(std::string_view text);
// "0,5", whose fraction may stand behind a comma: the VM's locale says so.
std::optional<Time> time_of(std::string_view number, DecimalUnit unit);

// "12K" in bytes, which is taken off; without a letter, the number.
std::optional<double> take_size(std::string_view& text);

}  // namespace weft::formats::jvm_log

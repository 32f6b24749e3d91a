// A line of a Java VM's log, taken apart:
//
//   [2024-05-13T10:00:00.123+0200][0.015s][4711][info][gc,start     ] GC(3) Pause Remark
//   2015-05-26T16:23:07.219-0200: 64.322: [GC (Allocation Failure) … 10885349K->10880154K(…K), 0.1
//   secs]
//
// The first is that of -Xlog (JEP 158), whose decorations are each there or not; the second that of
// -XX:+PrintGCDetails, until Java 8.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/time.h"
#include "core/formats/decimal_time.h"

namespace weft::formats::jvm_log {

struct Line {
  Time time;                     // in ns
  bool is_of_day = false;        // since 1970, else since the VM began
  std::string_view level, tags;  // empty: not there; tags as they are written, "gc,start"
  std::string_view message;      // what follows
  bool is_old = false;           // of the second kind
};

// False where it is none, or has no time.
bool parse_line(std::string_view text, Line& out);

// "0,5", whose fraction may stand behind a comma: the VM's locale says so.
std::optional<Time> time_of(std::string_view number, DecimalUnit unit);

// "12K" in bytes, which is taken off; without a letter, the number.
std::optional<double> take_size(std::string_view& text);

}  // namespace weft::formats::jvm_log

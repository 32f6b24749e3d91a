// The two kinds of line that `perf script` prints, taken apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/time.h"

namespace weft::formats::perf {

// "sh  4739/4740 [002] 4021.854843:    2004008 cpu-clock: …", whatever its option -F chose. Views
// into the line.
struct Sample {
  std::string_view command;    // may be empty
  int32_t pid = -1, tid = -1;  // -1: not said
  int32_t cpu = -1;            // -1: not said
  std::optional<Time> time;    // ns
  int64_t period = -1;         // -1: not said
  std::string_view event;      // "cpu-clock", "sched:sched_switch"
  std::string_view args;       // of a tracepoint, or the innermost frame
};
bool parse_sample(std::string_view line, Sample& sample);

// "ffffffff8164067e free_pages+0x8e ([kernel.kallsyms])"
struct Frame {
  std::string_view symbol;  // without the offset; the address where nothing else is said
  std::string_view object;  // without its folder
};
bool parse_frame(std::string_view line, Frame& frame);

}  // namespace weft::formats::perf

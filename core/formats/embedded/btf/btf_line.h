// A line of a BTF trace, taken apart:
//
//   time,source,instance,type,target,instance,event[,note]
//   5100,TASK_20MS,0,STI,IR_SCHED_Tasks_C1,1,trigger
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weft::formats::btf {

struct Line {
  int64_t time = 0;
  std::string_view source;
  std::string_view type;  // the target's: "T", "I", "R", …
  std::string_view target;
  int64_t target_instance = 0;
  std::string_view event;
  std::string_view note;  // with its commas
};

// Returns nullopt if it is no such line. Views into the text.
std::optional<Line> parse_line(std::string_view text);

}  // namespace weft::formats::btf

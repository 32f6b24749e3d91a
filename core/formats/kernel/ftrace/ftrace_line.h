// A line of an ftrace taken apart, and the fields that events print.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace weft::formats::ftrace {

// Views into the line.
struct Line {
  std::string_view task;  // "<...>" and "<idle>" as written
  int32_t pid = 0;
  int32_t tgid = -1;  // -1: not said
  uint32_t cpu = 0;
  Time time;                  // ns; clocks without a point: their ticks
  bool is_in_seconds = true;  // the clock has a point
  // "sched_switch"; "function" where the line tells of a call only.
  std::string_view event;
  std::string_view args;  // what follows
  uint64_t offset = 0;    // in the input
};

// "bash-3907 ( 3900)": task, pid and tgid.
bool parse_task(std::string_view text, Line& line);
// Whether such an event is what a program or the kernel wrote into the trace, in words.
inline bool is_message(std::string_view event) {
  return event == "print" || event == "bprint" || event == "bputs" ||
         event == "tracing_mark_write" || event == "bpf_trace_printk" || event == "console";
}

// Returns false if it is not an event.
bool parse_line(std::string_view text, Line& line);

// "prev_comm=Binder 1 prev_pid=7": values reach to the next name. An arrow between is left out.
// Calls each(name, value).
template <class Each>
void for_each_field(std::string_view args, const Each& each);
// The value of a field; empty where it is not there.
std::string_view field(std::string_view args, std::string_view name);
// The same of several, in one pass.
template <size_t kCount>
std::array<std::string_view, kCount> fields(std::string_view args,
                                            const std::array<std::string_view, kCount>& names);

struct NamedValue {
  std::string_view name, value;
};
// What the block layer's events print without names: "93,32 W 0 () 1858816 + 256 [nand]" of
// "block_rq_issue". Empty where it is not of their form.
std::vector<NamedValue> block_fields(std::string_view event, std::string_view args);

// ---- inline

// Where a "name=" lies.
struct FieldPlace {
  size_t begin = std::string_view::npos;  // npos: there is none
  size_t equals = std::string_view::npos;
};

// The next field at or behind `from`.
FieldPlace find_field(std::string_view args, size_t from);

// Returns the text between '=' and the next field.
std::string_view value_between(std::string_view args, size_t equals, size_t next);

template <class Each>
void for_each_field(std::string_view args, const Each& each) {
  FieldPlace at = find_field(args, 0);
  while (at.begin != std::string_view::npos) {
    const FieldPlace next = find_field(args, at.equals + 1);
    each(args.substr(at.begin, at.equals - at.begin), value_between(args, at.equals, next.begin));
    at = next;
  }
}

template <size_t kCount>
std::array<std::string_view, kCount> fields(std::string_view args,
                                            const std::array<std::string_view, kCount>& names) {
  std::array<std::string_view, kCount> values;
  for_each_field(args, [&](std::string_view name, std::string_view value) {
    const auto which = static_cast<size_t>(std::ranges::find(names, name) - names.begin());
    if (which < kCount && values[which].empty()) values[which] = value;
  });
  return values;
}

}  // namespace weft::formats::ftrace

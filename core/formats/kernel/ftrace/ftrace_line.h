// A line of an ftrace taken apart, and the fields that events print.
#pragma once

#include <cstdint>
#include <string_view>

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

// ---- inline

// The next "name=" at or behind `from`: where the name begins, or npos.
size_t find_name(std::string_view args, size_t from);

// Returns the text between '=' and the next field.
std::string_view value_between(std::string_view args, size_t equals, size_t next);

template <class Each>
void for_each_field(std::string_view args, const Each& each) {
  size_t at = find_name(args, 0);
  while (at != std::string_view::npos) {
    const size_t equals = args.find('=', at);
    const size_t next = find_name(args, equals + 1);
    each(args.substr(at, equals - at), value_between(args, equals, next));
    at = next;
  }
}

}  // namespace weft::formats::ftrace

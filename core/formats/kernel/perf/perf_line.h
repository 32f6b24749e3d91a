// The kinds of line that `perf script` prints, taken apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/time.h"

namespace weft::formats::perf {

// "ffffffff8164067e free_pages+0x8e ([kernel.kallsyms])"
struct Frame {
  std::string_view symbol;  // without the offset; the address where nothing else is said
  std::string_view object;  // without its folder
  std::string_view behind;  // what stands behind it: "insn: 48 89 e7", "pushw $0x1234"
};
bool parse_frame(std::string_view line, Frame& frame);

// "sh  4739/4740 [002] 4021.854843:    2004008 cpu-clock: …", whatever its option -F chose. Views
// into the line.
struct Sample {
  std::string_view command;    // may be empty
  int32_t pid = -1, tid = -1;  // -1: not said
  int32_t cpu = -1;            // -1: not said
  std::optional<Time> time;    // ns
  int64_t period = -1;         // -1: not said
  std::string_view event;      // "cpu-clock", "sched:sched_switch"
  std::string_view args;       // of a tracepoint
  std::optional<Frame> frame;  // the innermost one, where that stands instead
  std::string_view address;    // that the code accessed (-F addr), of its own column
  std::string_view columns;    // in which the frame was found; empty: it is none of data
};
bool parse_sample(std::string_view line, Sample& sample);

// Removes the address of the data that a sample is about, with which its columns begin: "7ffd50
// __environ (dash) 30", "7ffd50 5080184 |OP LOAD|…". Empty where there is none.
std::string_view take_accessed(std::string_view& columns);

// "ilen: 4 insn: 41 83 fa 01", behind a stack.
bool is_instruction(std::string_view line);

// Whether a line begins as a sample does, with a thread, a CPU and an exact time, whatever stands
// behind: that becomes `args`.
bool parse_any_sample(std::string_view line, Sample& sample);

// Parses what precedes a stack if -F selects neither ids nor a time with the rest: "sh ", " 8256 ",
// "[002] sched:sched_switch: …". Accepts any line; what is too long for a command goes to `args`.
void parse_head(std::string_view line, Sample& sample);

// Whether a line is a frame below its sample: a tab, and the address in sixteen columns.
bool is_stack_line(std::string_view line);

// Whether it says a time as perf does, to the microsecond or the nanosecond.
bool has_exact_time(std::string_view line);

// Whether an event is a kernel tracepoint, by the subsystem before its name: "sched:sched_switch".
bool is_of_kernel(std::string_view event);

// A thread starts or stops running: "IN", "OUT preempt".
inline constexpr std::string_view kHalfSwitchRecord = "PERF_RECORD_SWITCH";
// A CPU switches threads: "OUT preempt next pid/tid: 30269/30273".
inline constexpr std::string_view kSwitchRecord = "PERF_RECORD_SWITCH_CPU_WIDE";
struct SwitchRecord {
  bool is_out = false;  // of the sample's thread; else in
  bool is_preempted = false;
  int32_t other_tid = -1;  // the next one, or the one before
};
bool parse_switch(std::string_view args, SwitchRecord& record);

// One branch of a sample: "call 40b594 add+0xe4 (a.so) => 40b140 find+0x0 (a.so)".
struct Branch {
  std::string_view kind;  // "call", "tr end  syscall"
  Frame from, to;
  bool is_to_entry = false;  // to where the function begins
};
bool parse_branch(std::string_view args, Branch& branch);

// A call that stands further right than its caller (--call-trace, --call-ret-trace, -F
// +callindent), with the object or the frame it came from:
//
//   ([kernel.kallsyms])      down_read
//   return          (/usr/lib/libc.so.6)        puts
//   call                    do_syscall_64        ffffffff81a0006c entry_SYSCALL_64+0x5c (vmlinux)
struct IndentedCall {
  std::string_view kind;      // as that of a Branch; empty: not said, a call
  std::string_view function;  // called, or returned from; empty: not known
  size_t column = 0;          // where it stands
};
bool parse_indented_call(std::string_view args, IndentedCall& call);

// "instruction trace error type 1 time 62709.65 cpu -1 pid 42 tid 43 ip 0x40 code 7: Overflow"
struct TraceError {
  std::optional<Time> time;  // ns
  int32_t pid = -1, tid = -1;
  int32_t cpu = -1;  // -1: not said
};
bool parse_trace_error(std::string_view line, TraceError& error);

}  // namespace weft::formats::perf

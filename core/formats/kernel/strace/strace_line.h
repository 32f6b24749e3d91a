// A line of strace's output, taken apart:
//
//   4590  00:14:25.525350 openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY) = 3 <0.000047>
//   [pid  4590] 1700000052.321000 read(3,  <unfinished ...>
//   4590       0.000130 <... read resumed>"x", 1) = 1
//   4590  00:14:25.6 --- SIGCHLD {si_signo=SIGCHLD, …} ---
//   4590  00:14:25.7 +++ exited with 0 +++
//
// Process (with its name: -Y), time (-t, -tt, -ttt, -r, or both), place (-i), number of the call
// (-n) and duration (-T) are each there or not.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace weft::formats::strace {

enum class Clock : uint8_t {
  kNone,
  kOfDay,     // 14:32:01.123456
  kAbsolute,  // 1700000052.321000, since 1970
  kRelative,  // 0.000130, since the line before
};
enum class What : uint8_t { kCall, kUnfinished, kResumed, kSignal, kExit, kMessage };

struct Line {
  int64_t pid = -1;
  std::string_view command;  // that the process runs; empty where it is not said
  Clock clock = Clock::kNone;
  Time time;                           // in ns; of a relative clock, what has passed
  bool is_padded = false;              // the time stands behind spaces, as option -r writes it
  std::optional<Duration> since_last;  // beside whole seconds: how long after the line before
  What what = What::kCall;
  bool is_torn = false;              // a call that neither ends in this line nor says why
  std::string_view name;             // of the call or signal; how a process ended; what ltrace says
  std::string_view arguments;        // as far as they are in this line; what a signal tells
  std::string_view result;           // of a call that returned
  std::optional<Duration> duration;  // in ns
  // The result is in a column, as strace prints calls; "f(1) = 1" may be any text.
  bool is_in_columns = false;
};

// A notice by strace itself: "strace: Process 28567 attached", without the name until 4.19. May
// interrupt a line of the terminal, which the next one continues.
struct Notice {
  std::string_view before;  // of the line that was begun
  int64_t pid = -1;
  bool is_attached = false;
};

// Returns false if it is none.
bool parse_notice(std::string_view text, Notice& out);

// "malloc", of "ls->malloc" and "malloc@libc.so.6": so ltrace calls it where it returns.
std::string_view without_place(std::string_view name);

// The first text in the arguments of a call, its escapes resolved: "\"", "\x2f" (-x), "\320\277".
std::string first_text(std::string_view arguments);

// Returns false if it is none. For an interrupted call it returns all there is, which may be wrong:
// text with neither process nor time may be anything.
bool parse_line(std::string_view text, Line& out);

// What follows the name of a call or a part of its arguments: the last line of a torn call, since
// on a terminal stands what the program prints, too:
//
//   write(1, "one\ntwo\n", 8one
//   two
//   )       = 8
bool parse_end(std::string_view text, Line& out);

// "3," and "\"x\", 1": the blank between the two is not in either. What is interrupted while it
// ends says it all once more.
void join_arguments(std::pmr::string& arguments, std::string_view more);

// A frame of the call before (option -k): " > /lib/libc.so.6(read+0x14) [0x1194]".
inline constexpr std::string_view kFrame = "> ";
bool is_frame(std::string_view line);

// Data of the call before (options -e read and -e write):
//
//    * 832 bytes in buffer 0
//    | 00000  7f 45 4c 46 02 01 01 03  00 00 00 00 00 00 00 00  .ELF............ |
inline constexpr std::string_view kDump = " | ";
bool is_dump(std::string_view line);

// How the table begins that options -c and -C append.
inline constexpr std::string_view kSummary = "% time ";

}  // namespace weft::formats::strace

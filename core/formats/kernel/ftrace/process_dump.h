// Reads the output of `ps` that precedes systrace's kernel text: the kernel itself knows only 15
// bytes of a name, and often no process at all.
//
//   PROCESS DUMP
//   USER    PID   PPID     VSZ    RSS WCHAN  PC S NAME            COMM
//   u0_a9  2831    990 5124108 201424 0       0 S com.android.systemui  ndroid.systemui
//   USER    PID   TID CMD
//   u0_a9  2831  2847 RenderThread
#pragma once

#include <cstdint>
#include <string_view>

#include "core/formats/kernel/ftrace/ftrace_lanes.h"

namespace weft::formats::ftrace {

class ProcessDump {
 public:
  // Whether such a text, without blank lines before it, is one.
  static bool begins(std::string_view text);

  // Whether the line is of a dump; lanes learn what it says.
  bool add(std::string_view line, Lanes& lanes);

 private:
  enum class Rows : uint8_t { kNone, kUnknown, kProcesses, kThreads };
  bool add_row(std::string_view line, Lanes& lanes);

  Rows rows_ = Rows::kNone;
  uint64_t described_ = 0;
};

}  // namespace weft::formats::ftrace

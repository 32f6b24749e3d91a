// The text of the kernel's function_graph tracer: calls by their braces, and how long each took.
//
//   1837.709055 |   1)  sh-4802  |   0.541 us    |    fget();
//
// With options, arguments stand in the brackets, and in a comment behind the call where it was
// called from and what it returned: "fget(fd=0x3); /* <-read+0x2a/0x90 ret=0x0 */".
// Other events stand in comments, too, and are what they are elsewhere if their time is known.
// Each column but the last may lack. Without times the calls of each CPU stand one
// behind the other, from 0 on. `uftrace replay` prints the same of programs, by task:
//
//      0.753 us [ 18219] |       c();
//
// and `uftrace dump` what it recorded, a line each:
//
//   50895.869952297  5231: [entry] a(4004f2) depth: 1
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/formats/kernel/ftrace/ftrace_player.h"
#include "core/formats/kernel/ftrace/kernel.h"
#include "core/formats/kernel/ftrace/replay_columns.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ftrace {

struct GraphLine {
  std::optional<Time> time;
  uint32_t cpu = 0;       // or what else runs one call at a time: a task
  bool has_cpu = false;   // it is one
  std::string_view task;  // that runs there from now on
  int32_t pid = -1;       // -1: nothing is said of it
  Duration took;
  bool is_exact = false;    // the time is in nanoseconds; else in microseconds
  bool has_place = true;    // the CPU or the task is said
  std::string_view module;  // that the function is of; empty: not said
  std::string_view call;    // "vfs_read() {", "fput();", "}"; empty: none
  bool is_event = false;    // `call` names something else that happened
};

// "read() {", "read();": not an end, nor an event.
bool begins_call(std::string_view call);

// Returns false if the line is none of it. `columns`: of the header above it, if that is uftrace's.
bool parse_graph_line(std::string_view text, const ReplayColumns& columns, GraphLine& line);

class FunctionGraph {
 public:
  FunctionGraph(trace::EventSink& sink, Player& player)
      : sink_(sink), player_(player), kernel_(player.kernel()) {}

  void add(const GraphLine& line, uint64_t offset);

 private:
  struct Cpu {
    Time now;
    int32_t pid = -1;
    std::string task;
  };
  struct Calls {              // of a lane
    std::vector<Time> begun;  // of those that are open
    size_t deeper = 0;        // open ones that are not among them
    Time last_end{std::numeric_limits<int64_t>::min()};

    bool is_open() const { return !begun.empty(); }
    void begin(Time time);
    // Returns the begin of the innermost one, if that is known.
    std::optional<Time> end();
  };
  bool add_lost(LaneId lane, std::string_view text, const At& at);
  bool add_wait(LaneId lane, std::string_view text, const GraphLine& line, Cpu& cpu, Time time);
  void add_comment(LaneId lane, const GraphLine& line, Cpu& cpu, const At& at);
  void end_call(const GraphLine& line, LaneId lane, Cpu& cpu, At at);

  trace::EventSink& sink_;
  Player& player_;
  Kernel& kernel_;
  std::map<uint32_t, Cpu> cpus_;
  std::map<LaneId, Calls> calls_;
  bool says_times_ = true;
};

}  // namespace weft::formats::ftrace

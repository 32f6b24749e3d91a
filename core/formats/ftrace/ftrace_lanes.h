// The lanes of an ftrace: CPUs, and tasks below their processes where the trace says which.
//
//   CPUs              Tasks (or the process)
//     CPU 0             bash-3907             what the scheduler did
//       interrupts        system calls, marks, functions
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/trace/event_sink.h"

namespace weft::formats::ftrace {

class Lanes {
 public:
  // All of them below `root`, a machine's; none: roots themselves.
  explicit Lanes(trace::EventSink& sink, LaneId root = LaneId::none()) : sink_(sink), root_(root) {}

  LaneId cpu(uint32_t cpu);
  // The name is the one heard last; "<...>" is none. `tgid` -1: unknown.
  LaneId task(int32_t pid, std::string_view name, int32_t tgid);
  // Called as its first thread.
  LaneId process(int32_t tgid);
  // Below another lane, by name.
  LaneId below(LaneId parent, std::string_view name,
               trace::LaneKind kind = trace::LaneKind::kGroup);

 private:
  struct Task {
    LaneId lane;
    std::string name;
    LaneId parent;
  };
  LaneId group(LaneId& lane, std::string_view name, int32_t sort_index);

  trace::EventSink& sink_;
  LaneId root_;
  LaneId cpus_ = LaneId::none(), tasks_ = LaneId::none();
  std::map<uint32_t, LaneId> cpu_;
  std::unordered_map<int32_t, Task> task_;
  std::unordered_map<int32_t, LaneId> process_;
  std::map<std::pair<uint32_t, std::string>, LaneId, std::less<>> below_;
};

}  // namespace weft::formats::ftrace

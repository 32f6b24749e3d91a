// The lanes of a Tracy trace: the program with its threads and what else it did, below the
// machine's processors and other programs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/formats/base/by_name.h"
#include "core/formats/profiles/tracy/tracy_tables.h"
#include "core/trace/event_sink.h"

namespace weft::formats::tracy {

class Lanes {
 public:
  Lanes(trace::EventSink& sink, const Texts& texts) : sink_(sink), texts_(texts) {}

  void set_program(std::string name, uint64_t pid) {
    program_name_ = std::move(name);
    pid_ = pid;
  }
  LaneId program();
  // One of the program where it has a name there; else of another program.
  LaneId thread(uint64_t tid);
  // The thread's own record: it is one of the program, whether it has a name or not.
  LaneId own_thread(uint64_t tid, bool is_fiber, int32_t group_hint);
  // The lane of events that do not nest within the thread's zones.
  LaneId below_thread(uint64_t tid, std::string_view name);
  // A group of the program, and a lane in it.
  LaneId group(std::string_view name);
  LaneId in_group(std::string_view group, std::string_view name,
                  trace::LaneKind kind = trace::LaneKind::kGroup);
  LaneId below(LaneId parent, std::string_view name,
               trace::LaneKind kind = trace::LaneKind::kGroup);
  // A thread's part of what threads share; threads may have one name.
  LaneId part_of(LaneId parent, uint64_t tid);
  LaneId processor(uint32_t number);

  std::string thread_name(uint64_t tid) const;
  // Returns an empty text if it is one of the program's.
  std::string_view other_program(uint64_t tid) const;

 private:
  LaneId add(LaneId parent, std::string_view name, trace::LaneKind kind, int32_t sort_index);

  trace::EventSink& sink_;
  const Texts& texts_;
  std::string program_name_;
  uint64_t pid_ = 0;
  LaneId program_ = LaneId::none(), processors_ = LaneId::none();
  std::unordered_map<uint64_t, LaneId> threads_;
  ByName<LaneId> programs_, groups_;
  std::unordered_map<uint32_t, LaneId> processor_;
};

}  // namespace weft::formats::tracy

// Calls of methods by thread: enters and exits become states. Names of methods may come before
// what calls them or behind it; states that wait for a name are bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/formats/profiles/art/art_method.h"
#include "core/trace/event_sink.h"

namespace weft::formats::art {

enum class Action : uint8_t { kEnter, kExit, kUnwind, kNone };

// A method that an exit does not name: the one that was entered last.
inline constexpr uint64_t kInnermost = std::numeric_limits<uint64_t>::max();

struct Record {
  Action action = Action::kNone;
  uint64_t method = kInnermost;
  Time time = {};
  std::optional<uint64_t> cpu = {};  // time of the thread's own clock
};

class Calls {
 public:
  Calls(trace::EventSink& sink, size_t memory_bytes) : sink_(sink), most_waiting_(memory_bytes) {}

  struct Call {
    uint64_t method;
    Time begin;
    std::optional<uint64_t> cpu;
    uint64_t offset;
  };
  struct Thread {
    LaneId lane;
    std::vector<Call> calls;        // that have not ended, the innermost last
    uint64_t too_deep = 0;          // calls in these that are not kept
    std::optional<uint64_t> ticks;  // since the trace's start, at the last record
    Time last;
  };

  // Before the first record. `cpu_name`: of the parameter that holds the time of the thread's own
  // clock, with its unit.
  void begin(Time start, std::string_view cpu_name);
  void name_process(int64_t pid);
  void name_thread(uint32_t id, std::string_view name);
  void add_method(uint64_t id, std::string_view line);
  bool knows(uint64_t method) const { return methods_.contains(method); }

  Thread& thread(uint32_t id);
  void add(Thread& thread, const Record& record, uint64_t offset);
  // Calls that have not ended last until the trace's end; where each thread has a clock of its
  // own, until the thread's last record.
  void finish(bool has_own_clocks);

 private:
  struct Known {
    EventTypeId type;
    std::string params;                 // members
    ParamsId alone = ParamsId::none();  // these and no others
  };
  struct State {
    uint64_t method;
    Time begin, end;
    std::optional<uint64_t> cpu;  // that it took
    LaneId lane;
    uint32_t nesting;
    bool is_unwound;
  };

  LaneId process();
  void enter(Thread& thread, const Record& record, uint64_t offset);
  void exit(Thread& thread, const Record& record, uint64_t offset);
  void end_innermost(Thread& thread, const Record& end);
  void give(const State& state);
  void give(const State& state, Known& method);
  void give_waiting();
  Known& unknown(uint64_t method);

  trace::EventSink& sink_;
  size_t most_waiting_;  // bytes
  Time start_, end_;
  std::string cpu_name_;
  LaneId process_ = LaneId::none();
  int64_t pid_ = -1;
  std::unordered_map<uint32_t, Thread> threads_;
  std::unordered_map<uint64_t, Known> methods_;
  std::vector<State> waiting_;  // of methods that have no name yet
  Thread* last_thread_ = nullptr;
  uint32_t last_thread_id_ = 0;
  std::string json_;  // kept for its memory
};

}  // namespace weft::formats::art

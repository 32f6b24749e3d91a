// The calls that branches tell of which a processor recorded (Intel PT, `perf script` of
// "branches"): a stack for each thread, of which every branch says where it is.
//
// A trace begins somewhere within calls, and branches may lack: where one comes from a function
// that is further out, what was called there is over; where it comes from one that is not on the
// stack at all, the innermost call was of that one. Calls that are indented say by their column how
// deep they are, and need not say where they end: what follows and does not stand further right is
// behind them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/formats/kernel/perf/perf_line.h"
#include "core/formats/kernel/perf/perf_threads.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perf {

class Branches {
 public:
  Branches(trace::EventSink& sink, Threads& threads) : sink_(sink), threads_(threads) {}

  // Calls are states of a lane below the thread's.
  void add(const Thread& thread, const Branch& branch, Time time, uint64_t offset);
  void add(const Thread& thread, const IndentedCall& call, Time time, uint64_t offset);
  // A part is missing: what was called by now is over.
  void forget(const Thread& thread, Time time);
  // Ends open calls at their thread's last branch.
  void finish();

 private:
  struct Call {
    EventTypeId function;
    Time begin;
    size_t column = 0;  // if it is indented
  };
  struct Stack {
    LaneId lane;
    std::vector<Call> calls;  // innermost last
    Time last;
  };
  Stack& stack_of(const Thread& thread);
  static bool advance(Stack& stack, Time time);
  void push(Stack& stack, EventTypeId function, uint64_t offset, size_t column = 0);
  // Ends the calls from a column on.
  void pop_from(Stack& stack, size_t column);
  void pop_returned(Stack& stack, EventTypeId function, size_t column);
  void pop(Stack& stack);
  void be_in(Stack& stack, EventTypeId function, uint64_t offset);

  trace::EventSink& sink_;
  Threads& threads_;
  std::map<uint32_t, Stack> stacks_;  // by the thread's lane
};

}  // namespace weft::formats::perf

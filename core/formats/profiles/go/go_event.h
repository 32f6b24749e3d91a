// The events of Go execution traces, independent of the version, and what they refer to.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/base/time.h"

namespace weft::formats::go {

enum class Action : uint8_t {
  kNone,
  kProcStart,    // processor
  kProcStop,     //
  kProcSteal,    // processor, from which thread
  kCreate,       // goroutine, stack at which it begins
  kStart,        // goroutine
  kEnd,          //
  kYield,        // text: why; it is runnable
  kBlock,        // text: why
  kUnblock,      // goroutine
  kCall,         // a system call; it may be a short one
  kCallBlocks,   // it is a long one, and the processor goes on without it
  kCallEnds,     // goroutine, which is runnable; 0: the one that runs
  kCallReturns,  // and the goroutine goes on
  kIsWaiting,    // goroutine: so it was when the trace began
  kIsInCall,     // goroutine
  kIsRunnable,   // goroutine
  kIsRunning,    // goroutine
  kSwitch,       // goroutine, to which this one goes over
  kSwitchEnd,    // goroutine, and this one ends
  kCollect,      // a garbage collection begins
  kCollected,    //
  kStopWorld,    // text: why
  kStartWorld,   //
  kCollects,     // one goes on that may have begun before
  kSweep,        //
  kSweeps,       // processor, whose sweep goes on
  kSwept,        //
  kAssist,       //
  kAssists,      // goroutine, whose assist goes on
  kAssisted,     //
  kHeap,         // bytes
  kHeapGoal,     // bytes
  kLabel,        // text, of the goroutine
  kTask,         // task, its parent, text: its name
  kTaskEnd,      // task
  kRegion,       // task, text: its name
  kRegionEnd,    // task, text
  kLog,          // task, text: key, second text: message
  kSample,       // goroutine, stack
  kProcessors,   // how many there are
};

struct Event {
  Time time{};  // in the trace's own ticks until it is played
  uint64_t offset = 0;
  uint64_t runner = 0;  // what makes the event: a processor, since 1.22 a thread
  uint32_t generation = 0;
  Action action = Action::kNone;
  uint64_t subject = 0, other = 0;  // goroutine, task, …; as the action says
  uint64_t text = 0, second_text = 0;
  uint64_t stack = 0;  // where it happened; of what is made, where it begins
};

// Texts that are said by the kind of event, not by a number in a table.
constexpr uint64_t kFixedText = uint64_t{1} << 63;
constexpr std::array<std::string_view, 14> kFixedTexts = {
    "",
    "yields",
    "is preempted",
    "sleeping",
    "blocked",
    "blocked on sending",
    "blocked on receiving",
    "blocked on select",
    "blocked on synchronisation",
    "blocked on a condition",
    "blocked on the network",
    "waiting for garbage collection",
    "stopped",
    "garbage collection",
};
enum Fixed : uint64_t {
  kYields = kFixedText | 1,
  kPreempted,
  kSleeping,
  kBlocked,
  kOnSend,
  kOnReceive,
  kOnSelect,
  kOnSync,
  kOnCondition,
  kOnNetwork,
  kOnCollection,
  kStopped,
  kForCollection,
};

}  // namespace weft::formats::go

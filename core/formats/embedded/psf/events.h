// Meaning of event numbers, which differ between kernels.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/formats/embedded/psf/session.h"

namespace weft::formats::psf {

// The effect of an event, besides being shown.
enum class Act : uint8_t {
  kShow,
  kStart,      // of the recording: the running task of each core
  kFrequency,  // of the timer
  kName,       // object, text
  kDefine,     // interrupt, priority, text
  kCreate,     // object
  kDelete,     // object
  kPriority,   // task, priority
  kReady,      // task
  kActivate,   // task, priority where it has another now
  kEnter,      // interrupt
  kResume,     // interrupt that was interrupted
  kSuspend,    // task
  kSuspendTo,  // the running task blocks, and this one runs; 0: none
  kBlock,      // the running task will wait for the object
  kDelay,      // or for time to pass
  kDone,       // it need not wait, or no longer
  kSend,       // object, and as kDone
  kSendFront,  // before what was sent
  kReceive,    // object
  kNotify,     // task
  kAllocate,   // address, bytes
  kFree,       // address, bytes
  kSleep,      // the processor
  kWake,
  kStack,         // task, what is unused
  kMachineState,  // state, machine
  kChange,        // machine, state
  kChannel,       // of intervals: channel, set
  kBegin,         // channel, instance, value
  kEnd,           // channel, instance
  kCount,         // counter, value
  kRegister,      // runnable, text
  kRun,           // runnable
  kRunEnd,
  kExtend,      // object, version, first number, how many
  kPrint,       // channel, values, format
  kPrintFixed,  // channel, address of the format, values
};

enum class Class : uint8_t {
  kNone,
  kTask,
  kInterrupt,
  kQueue,
  kSemaphore,
  kMutex,
  kTimer,
  kEventGroup,
  kStreamBuffer,
  kMessageBuffer,
  kStateMachine,
  kState,
  kInterval,
  kIntervalSet,
  kCounter,
  kHeap,
  kExtension,
  kRunnable,
};
// Returns the parent lane of a class: "Queues".
std::string_view group_of(Class kind);

struct EventInfo {
  uint16_t id;
  std::string_view name;
  Act act = Act::kShow;
  Class kind = Class::kNone;  // of its first parameter
  // Names, with a comma between: "@queue" is an object, "%address" a number best read in
  // hexadecimal, "#messages" how full the object is now, "-result" has a sign, "$name" a text up to
  // the end, "*" any more.
  std::string_view params = {};
};

// Returns null if the number is unused by the kernel or unknown.
const EventInfo* event_of(Kernel kernel, uint32_t id);
// Whether the event can have that many parameters.
bool takes(const EventInfo& event, size_t params);

std::span<const EventInfo> freertos_events();
std::span<const EventInfo> zephyr_events();
std::span<const EventInfo> threadx_events();
std::span<const EventInfo> bare_metal_events();

}  // namespace weft::formats::psf

// A packet of a SystemView recording, taken apart. Numbers are of seven bits a byte, the lowest
// first:
//
//   id below 24   id, payload by the id, ticks since the packet before
//   others        id, length of the payload, payload, ticks
//   synchronisation   ten zeros
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weft::formats::systemview {

enum Id : uint32_t {
  kNothing = 0,
  kOverflow = 1,
  kInterruptEnter = 2,
  kInterruptExit = 3,
  kTaskStartExec = 4,
  kTaskStopExec = 5,
  kTaskStartReady = 6,
  kTaskStopReady = 7,
  kTaskCreate = 8,
  kTaskInfo = 9,
  kTraceStart = 10,
  kTraceStop = 11,
  kTimeInCycles = 12,
  kTimeInMicroseconds = 13,
  kSystemDescription = 14,
  kUserStart = 15,
  kUserStop = 16,
  kIdle = 17,
  kInterruptToScheduler = 18,
  kTimerEnter = 19,
  kTimerExit = 20,
  kStackInfo = 21,
  kModuleDescription = 22,
  kInit = 24,
  kNameResource = 25,
  kPrint = 26,
  kModules = 27,
  kEndCall = 28,
  kTaskTerminate = 29,
  kFirstOfSystem = 32,  // calls of the operating system, and events of modules
};

constexpr uint32_t kMostId = 1 << 14;
constexpr size_t kSyncBytes = 10;

struct Packet {
  uint32_t id = 0;
  std::string_view payload;
  uint64_t ticks = 0;  // since the packet before
};

// Takes a text: a length of one byte (255: of two more) and the characters.
std::optional<std::string_view> take_text(std::string_view& bytes);

enum class Taken : uint8_t { kPacket, kCut, kDamaged };
// Takes the packet at the start of `bytes`, which are otherwise unchanged.
Taken take_packet(std::string_view& bytes, Packet& out);

}  // namespace weft::formats::systemview

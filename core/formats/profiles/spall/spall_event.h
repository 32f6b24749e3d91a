// An event of a Spall trace, taken apart. Packed, little-endian:
//
//   version 0, 1   begin: 3, category u8 (1), pid u32, tid u32, time f64, name length u8,
//                         arguments' length u8 (1), name, arguments
//                  end:   4, pid u32, tid u32, time f64
//   version 3      begin: 3, time u64, name length u8, arguments' length u8, name, arguments
//                  end:   4, time u64
//                  name of the process: 8, length u8, name; of the thread: 9, …
//   all            padding: 7, size u32, so many bytes
//
// Those of automatic instrumentation have addresses, and names where the program gave some:
//
//   version 1      begin: time | 1 << 56 u64, function u64, caller u64; end: time | 2 << 56 u64
//   version 3      times as what has passed since the event before, addresses as what differs in
//                  their bits, of 1, 2, 4 or 8 bytes (s: 0 to 3)
//                  begin: s of the time << 4 | s of the function << 2 | s of the caller
//                  end:   1 << 6 | s of the time << 4
//                  begin with a name: 2 << 6 | 1 << 4 | s of the time << 2 |
//                         whether the name's length is u16 << 1 | whether the arguments' is,
//                         time, lengths, name, arguments
//
// Source: spall.h and spall_native_auto.h of the Spall project.
#pragma once

#include <cstdint>
#include <string_view>

namespace weft::formats::spall {

enum class Kind : uint8_t {
  kBegin = 3,
  kEnd = 4,
  kPadding = 7,
  kProcessName = 8,
  kThreadName = 9,
};

struct Event {
  Kind kind;
  uint32_t pid = 0, tid = 0;  // of versions 0 and 1
  double time = 0;            // in ticks, of versions 0 and 1
  uint64_t ticks = 0;         // of version 3, and of automatic ones
  std::string_view name;
  uint64_t address = 0, caller = 0;  // of automatic ones without a name
  std::string_view arguments;
  uint32_t padding_bytes = 0;
};

enum class Parsed : uint8_t { kEvent, kCut, kUnknown };

// Takes the event that the bytes begin with off them; they stay as they are otherwise.
Parsed take_event(std::string_view& bytes, uint64_t version, Event& out);

// The values from which a buffer's events count.
struct Before {
  uint64_t ticks = 0, address = 0, caller = 0;
};
// The same for automatic instrumentation.
Parsed take_automatic_event(std::string_view& bytes, uint64_t version, Before& before, Event& out);

}  // namespace weft::formats::spall

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
// Source: spall.h of the Spall project.
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
  uint64_t ticks = 0;         // of version 3
  std::string_view name;
  std::string_view arguments;
  uint32_t padding_bytes = 0;
};

enum class Parsed : uint8_t { kEvent, kCut, kUnknown };

// Takes the event that the bytes begin with off them; they stay as they are otherwise.
Parsed take_event(std::string_view& bytes, uint64_t version, Event& out);

}  // namespace weft::formats::spall

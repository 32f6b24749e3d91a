// Writes records of perf.data.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/core/formats/bytes.h"

namespace weft::test::perf_data {

inline constexpr uint32_t kMmap = 1, kLost = 2, kComm = 3, kFork = 7, kSample = 9,
                          kFinishedRound = 68;
// Identifier, address, thread, time, CPU, period, stack; tracepoints have bytes of their own.
inline constexpr uint64_t kSampled = 1 << 16 | 1 | 2 | 4 | 128 | 256 | 32, kRawSample = 1 << 10;

inline Bytes sample(uint64_t id, uint32_t pid, uint32_t tid, uint64_t time, uint32_t cpu,
                    const std::vector<uint64_t>& stack) {
  Bytes out;
  out.little(id).little(uint64_t{0x1010}).little(pid).little(tid).little(time);
  out.little(uint64_t{cpu}).little(uint64_t{1000}).little(uint64_t{stack.size()});
  for (const uint64_t address : stack) out.little(address);
  return out;
}

inline Bytes mapping(uint32_t pid, uint64_t begin, uint64_t length, std::string_view name) {
  return Bytes()
      .little(pid)
      .little(pid)
      .little(begin)
      .little(length)
      .little(uint64_t{0})
      .text(name)
      .little(uint8_t{0});
}

}  // namespace weft::test::perf_data

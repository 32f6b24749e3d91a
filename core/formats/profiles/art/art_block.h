// The blocks of records of ART's second format: of one thread, as differences to the record before.
//
//   header:  u1 2, u4 thread, u3 records, u4 bytes
//   records: numbers in LEB128
//     method first  signed method|action, time [, time of the thread's clock]
//     time first    signed time<<2|action [, time of the thread's clock], for enters: signed method
//     long running  signed time<<1|is exit, for enters: signed method
//
// Which of the first two a trace has its version does not say: the format changed once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/formats/profiles/art/art_calls.h"

namespace weft::formats::art {

enum class BlockLayout : uint8_t { kMethodFirst, kTimeFirst, kLongRunning };

struct BlockHeader {
  uint32_t thread, records, bytes;
};
inline constexpr size_t kBlockHeaderBytes = 12;
// Parses a block header.
BlockHeader block_header_from(std::string_view bytes);

struct BlockRecord {
  Action action;
  uint64_t method;  // kInnermost where the record names none
  uint64_t ticks;
  std::optional<uint64_t> cpu;
  size_t at;  // in the block's bytes
};

// Returns the size of all records; less than that of `bytes` if the rest is invalid.
size_t records_of(std::string_view bytes, BlockLayout layout, bool is_dual,
                  std::vector<BlockRecord>& records);

// The layout by which a block is what its header says, with methods that `calls` knows.
BlockLayout layout_of(std::string_view bytes, const BlockHeader& header, bool is_dual,
                      const Calls& calls);

}  // namespace weft::formats::art

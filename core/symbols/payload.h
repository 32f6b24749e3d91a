// A message's payload as the fields of its struct: what the bytes say, line by line.
//
// Bits count as memory does: bit 0 of a little-endian target is the least significant bit of the
// first byte, of a big-endian one the most significant. Bounded: kMostLines lines, kMostItems items
// of an array; what does not lie in the payload is said to be missing, never read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/symbols/symbols.h"

namespace weft::symbols {

// A line of the tree of fields; the lines below it follow, one level deeper.
struct FieldLine {
  uint32_t level = 0;
  uint32_t below = 0;  // lines that lie within it, at any level
  std::string name;    // of an array's items: "[3]"
  std::string type;
  std::string value{};  // empty of structs, unions and arrays but those of characters
  std::string json{};   // the same as a JSON value: of enumerators the name; empty: not there
  uint64_t first_byte = 0;
  uint64_t size_bytes = 0;  // that it touches; 0: it is not in the payload
};

struct Fields {
  static constexpr size_t kMostLines = 5'000;
  static constexpr uint64_t kMostItems = 256;

  std::string type;  // "struct sample"
  std::vector<FieldLine> lines{};
  std::string note{};  // where payload and struct do not fit each other: one line
  bool is_cut = false;
};

Fields decode_payload(const Symbols& symbols, DataTypeId type, std::span<const std::byte> payload,
                      bool is_big_endian);

// One JSON object, arrays as objects by index: {"flags":7,"at":{"0":1,"1":2}}. What is not in the
// payload is left out.
std::string json_of(const Fields& fields);

}  // namespace weft::symbols

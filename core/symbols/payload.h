// Decodes a message's payload into the fields of its struct, line by line.
//
// Bits are numbered in memory order: bit 0 is the first byte's least significant bit on a
// little-endian target, its most significant bit on a big-endian one. Bounded: kMostLines lines,
// kMostItems items of an array; fields beyond the payload are reported as missing, never read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/symbols/symbols.h"

namespace weft::symbols {

// A line of the tree of fields; its descendants follow.
struct FieldLine {
  uint32_t level = 0;
  uint32_t below = 0;  // number of descendants, at any level
  std::string name;    // array items: "[3]"
  std::string type;
  std::string value{};  // empty for structs, unions and arrays other than strings
  std::string json{};   // the value as JSON, enumerators by name; empty: missing
  uint64_t first_byte = 0;
  uint64_t size_bytes = 0;  // bytes that it covers; 0: beyond the payload
};

struct Fields {
  static constexpr size_t kMostLines = 5'000;
  static constexpr uint64_t kMostItems = 256;

  std::string type;  // "struct sample"
  std::vector<FieldLine> lines{};
  std::string note{};  // one line that says where payload and struct do not match
  bool is_cut = false;
};

Fields decode_payload(const Symbols& symbols, DataTypeId type, std::span<const std::byte> payload,
                      bool is_big_endian);

// Returns one JSON object, with arrays as objects by index: {"flags":7,"at":{"0":1,"1":2}}. Missing
// fields are left out.
std::string json_of(const Fields& fields);

}  // namespace weft::symbols

// Fields of protobuf messages for tests: a message is what its fields are one behind the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/core/formats/bytes.h"

namespace weft::test::proto {

inline std::string number(uint32_t field, uint64_t value) {
  return Bytes().varint(field << 3).varint(value).str();
}
inline std::string bytes(uint32_t field, std::string_view value) {
  return Bytes().varint(field << 3 | 2).varint(value.size()).text(value).str();
}
// A field of 8 bytes: a fixed64, or a double.
template <class Value>
std::string fixed64(uint32_t field, Value value) {
  static_assert(sizeof value == 8);
  return Bytes().varint(field << 3 | 1).little(value).str();
}

}  // namespace weft::test::proto

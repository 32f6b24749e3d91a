// What is found by two numbers: of a resource and a name, say.
#pragma once

#include <cstdint>

#include "core/base/flat_index.h"

namespace weft::formats::tlv {

using ByTwo = FlatIndex<uint64_t, NumberHash>;

constexpr uint64_t key_of(uint32_t first, uint32_t second) {
  return uint64_t{first} << 32 | second;
}

}  // namespace weft::formats::tlv

// Any bytes as a C source, and each struct in it laid over a payload.
#include <array>
#include <cstdint>

#include "core/symbols/c_reader.h"
#include "core/symbols/payload.h"
#include "tests/fuzz/fuzz.h"

namespace weft::fuzz {

void c_source(const uint8_t* data, size_t size) {
  symbols::CReader reader({.is_big_endian = size % 2 == 0});
  reader.add({reinterpret_cast<const char*>(data), size});
  const symbols::Symbols read = std::move(reader).finish();
  const std::array<std::byte, 100> payload{};
  for (const auto& [name, type] : read.structs)
    (void)symbols::decode_payload(read, type, payload, read.target.is_big_endian);
}

}  // namespace weft::fuzz

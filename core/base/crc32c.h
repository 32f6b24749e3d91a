// CRC-32C (Castagnoli), with the processor's instruction where it has one: about 10 GB/s.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

// The checksum of `size` bytes, or of these behind others whose checksum is `before`.
uint32_t crc32c(const void* data, size_t size, uint32_t before = 0);

}  // namespace weft

// CRC-32C (Castagnoli), with the processor's instruction where it has one: about 10 GB/s.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

// Continues `crc` (0 to start) over `size` bytes.
uint32_t crc32c(uint32_t crc, const void* data, size_t size);

}  // namespace weft

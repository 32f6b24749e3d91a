// Any bytes as metadata of CTF 2, which is made into that of 1.8.
#include <cstdint>

#include "core/formats/kernel/ctf/metadata_2.h"
#include "tests/fuzz/fuzz.h"

namespace weft::fuzz {

void ctf_metadata_2(const uint8_t* data, size_t size) {
  (void)formats::ctf::metadata_1_of({reinterpret_cast<const char*>(data), size});
}

}  // namespace weft::fuzz

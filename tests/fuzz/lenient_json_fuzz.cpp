// Fuzz target: any bytes as JSON written by hand; what is read is the same when written strictly.
#include <cstdint>
#include <cstdlib>

#include "core/base/lenient_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto json = weft::parse_lenient_json({reinterpret_cast<const char*>(data), size});
  if (!json || size > 4096) return 0;  // dump() recurses
  const auto again = weft::parse_lenient_json(json->dump());
  if (!again || *again != *json) std::abort();
  return 0;
}

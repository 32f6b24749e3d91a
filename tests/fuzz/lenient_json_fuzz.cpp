// Any bytes as JSON written by hand; what is read is the same when written strictly.
#include <cstdint>
#include <cstdlib>

#include "core/base/lenient_json.h"
#include "tests/fuzz/fuzz.h"

namespace weft::fuzz {

void lenient_json(const uint8_t* data, size_t size) {
  const auto json = parse_lenient_json({reinterpret_cast<const char*>(data), size});
  if (!json || size > 4096) return;  // dump() recurses
  const auto again = parse_lenient_json(json->dump());
  if (!again || *again != *json) std::abort();
}

}  // namespace weft::fuzz

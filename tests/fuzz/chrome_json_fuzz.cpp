// Any bytes as a Chrome JSON trace. Two readings with different chunks must agree on how many
// events there are.
#include <cstdint>
#include <cstdlib>

#include "tests/core/formats/counting_sink.h"
#include "tests/fuzz/fuzz.h"

namespace weft::fuzz {

void chrome_json(const uint8_t* data, size_t size) {
  const auto whole = test::count_events("chrome-json", data, size, "1000000");
  const auto cut = test::count_events("chrome-json", data, size, "37");
  if (whole != cut) std::abort();
}

}  // namespace weft::fuzz

// Fuzz target: any bytes as a Chrome JSON trace. Two readings with different chunks must agree on
// how many events there are.
#include <cstdint>
#include <cstdlib>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto whole = weft::test::count_events("chrome-json", data, size, "1000000");
  const auto cut = weft::test::count_events("chrome-json", data, size, "37");
  if (whole != cut) std::abort();
  return 0;
}

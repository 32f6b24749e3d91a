// Fuzz target: any bytes as the plot of a boot.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("boot-plot", data, size);
  return 0;
}

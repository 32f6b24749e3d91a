// Fuzz target: any bytes as a recording of heaptrack.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("heaptrack", data, size);
  return 0;
}

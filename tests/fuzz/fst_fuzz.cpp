// Fuzz target: any bytes as a Fast Signal Trace.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("fst", data, size);
  return 0;
}

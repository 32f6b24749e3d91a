// Fuzz target: any bytes as a trace in the Best Trace Format.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("btf", data, size);
  return 0;
}

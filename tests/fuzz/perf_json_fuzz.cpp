// Fuzz target: any bytes as what perf converts to JSON.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("perf-json", data, size);
  return 0;
}

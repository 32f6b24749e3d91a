// Fuzz target: any bytes as simpleperf's report of samples.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("simpleperf", data, size);
  return 0;
}

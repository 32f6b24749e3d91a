// Fuzz target: any bytes as a log of V8 with samples.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("v8-log", data, size);
  return 0;
}

// Fuzz target: any bytes as text of a tracing tool.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("tool-output", data, size);
  return 0;
}

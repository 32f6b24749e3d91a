// Fuzz target: any bytes as a Kanata log.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("kanata", data, size);
  return 0;
}

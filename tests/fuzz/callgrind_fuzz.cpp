// Fuzz target: any bytes as costs of callgrind.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("callgrind", data, size);
  return 0;
}

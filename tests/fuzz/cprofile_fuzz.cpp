// Fuzz target: any bytes as a profile of Python.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("cprofile", data, size);
  return 0;
}

// Fuzz target: any bytes as a log or a table of Charm++.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("projections", data, size);
  return 0;
}

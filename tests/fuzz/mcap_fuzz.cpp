// Fuzz target: any bytes as a MCAP file.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("mcap", data, size);
  return 0;
}

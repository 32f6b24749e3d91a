// Fuzz target: any bytes as stacks that programs print.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("stack-text", data, size);
  return 0;
}

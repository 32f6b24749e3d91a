// Fuzz target: any bytes as a log of Java's VM.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("jvm-log", data, size);
  return 0;
}

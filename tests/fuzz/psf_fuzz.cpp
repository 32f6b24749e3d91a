// Fuzz target: any bytes as a stream of Percepio's Trace Recorder.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("psf", data, size);
  return 0;
}

// Fuzz target: any bytes as what the profilers of TensorFlow and JAX save.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("xplane", data, size);
  return 0;
}

// Fuzz target: any bytes as what babeltrace prints.
#include <sanitizer/lsan_interface.h>

#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const __lsan::ScopedDisabler leaks_of_babeltrace;  // which it has where a stream is damaged
  weft::test::count_events("ctf-text", data, size);
  return 0;
}

// Fuzz target: any bytes as message events in XML.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("message-xml", data, size);
  return 0;
}

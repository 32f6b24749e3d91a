// Fuzz target: any bytes as a bag of ROS 1.
#include <cstdint>

#include "tests/core/formats/counting_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::test::count_events("rosbag", data, size);
  return 0;
}

// Any bytes as what babeltrace prints.
#include <sanitizer/lsan_interface.h>

#include <cstdint>

#include "tests/core/formats/counting_sink.h"
#include "tests/fuzz/fuzz.h"

namespace weft::fuzz {

void ctf_text(const uint8_t* data, size_t size) {
  const __lsan::ScopedDisabler leaks_of_babeltrace;  // which it has where a stream is damaged
  test::count_events("ctf-text", data, size);
}

}  // namespace weft::fuzz

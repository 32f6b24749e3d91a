// Any bytes as what a reader says through its pipe; what is taken has known ids.
#include <cstdint>
#include <cstdlib>

#include "core/trace/event_wire.h"
#include "tests/core/formats/recording_sink.h"
#include "tests/fuzz/fuzz.h"

namespace weft::fuzz {

void event_wire(const uint8_t* data, size_t size) {
  test::RecordingSink sink;
  trace::WirePlayer player(sink);
  (void)player.take({reinterpret_cast<const std::byte*>(data), size});
  if (sink.dump().empty()) std::abort();
}

}  // namespace weft::fuzz

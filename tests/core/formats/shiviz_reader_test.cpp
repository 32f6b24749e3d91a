// covers FS-62, R7
#include "core/formats/messages/shiviz/shiviz_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/large_vector.h"
#include "core/base/thread_pool.h"
#include "core/io/memory_source.h"
#include "core/trace/event_counter.h"

namespace weft::formats {
namespace {

// Asks how much lies in large arrays when events come: the reader then holds all of its texts.
class ArrayWatcher final : public trace::EventCounter {
 public:
  void punctuals(std::span<const trace::PunctualEvent> all) override {
    most_bytes = std::max(most_bytes, large_arrays_use().memory_bytes);
    EventCounter::punctuals(all);
  }
  uint64_t most_bytes = 0;
};

TEST(Shiviz, AnEventOfManyLinesTakesAsMuchAsItsText) {
  std::string text = "m1 {\"m1\":1}\nstarts\n";
  for (int i = 0; i < 3000; ++i) text += std::string(80, 'x') + '\n';
  ThreadPool pool(1);
  io::MemorySource source(std::as_bytes(std::span(text)));
  ArrayWatcher sink;
  ASSERT_TRUE(read_shiviz(source, sink, {.pool = pool, .options = {}}));
  EXPECT_EQ(sink.events, 1u);
  EXPECT_EQ(sink.lost, 0u);
  EXPECT_LE(sink.most_bytes, 8u << 20);
}

}  // namespace
}  // namespace weft::formats

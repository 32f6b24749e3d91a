// Measures a reader alone: nothing of the trace is kept, and its pool has one thread.
//
// reader_rate FORMAT PATH prints one JSON object: the events that came, what was lost, and the
// seconds of the processor that reading took, the program's start left out.
#include <fmt/core.h>
#include <time.h>

#include "core/base/thread_pool.h"
#include "core/formats/formats.h"
#include "core/trace/event_counter.h"

namespace {

using namespace weft;

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

int main(int argc, char** argv) {
  const auto format = argc == 3 ? formats::format_from_id(argv[1]) : nullptr;
  if (format == nullptr) return 2;
  ThreadPool pool(1);
  trace::EventCounter sink;
  auto source = io::Source::open(argv[2]);
  const double begin = processor_seconds();
  if (!source || !format->read(**source, sink, {.pool = pool, .options = {}})) return 1;
  fmt::print(R"({{"events": {}, "lost": {}, "seconds": {:.6f}}})"
             "\n",
             sink.events, sink.lost, processor_seconds() - begin);
  return 0;
}

// What a reader alone costs: with nothing kept of the trace, on one thread.
//
// reader_rate FORMAT PATH prints one JSON object: the events that came, what was lost, and the
// seconds of the processor that reading took, the program's start left out.
#include <fmt/format.h>
#include <time.h>

#include "core/base/thread_pool.h"
#include "core/formats/formats.h"

namespace {

using namespace weft;

class NullSink final : public trace::EventSink {
 public:
  void set_time_base(TimeBase) override {}
  void set_metadata(std::string_view, std::string_view) override {}
  LaneId add_lane(const trace::Lane&) override { return LaneId(lanes_++); }
  void update_lane(LaneId, const trace::Lane&) override {}
  EventTypeId type(trace::Category, std::string_view, std::string_view) override {
    return EventTypeId(0);
  }
  void set_type_color(EventTypeId, uint32_t) override {}
  ParamsId params(std::string_view, std::span<const std::byte>) override { return ParamsId(0); }
  void states(std::span<const trace::StateEvent> events) override { count += events.size(); }
  void punctuals(std::span<const trace::PunctualEvent> events) override { count += events.size(); }
  void links(std::span<const trace::LinkEvent> events) override { count += events.size(); }
  void variables(std::span<const trace::VariableSample> events) override { count += events.size(); }
  void loss(std::string_view, const trace::LossPlace&, uint64_t n, bool) override { lost += n; }
  void progress(uint64_t, uint64_t) override {}
  bool keep_going() const override { return true; }

  uint64_t count = 0, lost = 0;

 private:
  uint32_t lanes_ = 0;
};

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
  NullSink sink;
  auto source = io::Source::open(argv[2]);
  const double begin = processor_seconds();
  if (!source || !format->read(**source, sink, {.pool = pool, .options = {}})) return 1;
  fmt::print(R"({{"events": {}, "lost": {}, "seconds": {:.6f}}})"
             "\n",
             sink.count, sink.lost, processor_seconds() - begin);
  return 0;
}

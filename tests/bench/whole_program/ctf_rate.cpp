// What reading a CTF trace costs, with nothing kept of it: to be held against Babeltrace's null
// sink.
//
// ctf_rate FOLDER prints how many events came.
#include <fmt/format.h>

#include "core/base/thread_pool.h"
#include "core/formats/ctf_reader.h"

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
  void loss(std::string_view, const trace::LossPlace&, uint64_t, bool) override {}
  void progress(uint64_t, uint64_t) override {}
  bool keep_going() const override { return true; }

  uint64_t count = 0;

 private:
  uint32_t lanes_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  ThreadPool pool(1);
  NullSink sink;
  auto source = io::Source::open(argv[1]);
  if (!source || !formats::read_ctf(**source, sink, {.pool = pool, .options = {}})) return 1;
  fmt::print("{}\n", sink.count);
  return 0;
}

// The least a sink can do: it counts what it is given, and checks that it makes sense. For fuzzing
// and measuring.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>

#include "core/base/text.h"
#include "core/base/thread_pool.h"
#include "core/formats/formats.h"
#include "core/io/memory_source.h"

namespace weft::test {

class CountingSink final : public trace::EventSink {
 public:
  void set_time_base(TimeBase) override {}
  void set_metadata(std::string_view key, std::string_view value) override {
    require(is_valid_utf8(key) && is_valid_utf8(value));
  }
  LaneId add_lane(const trace::Lane& lane) override {
    require(lane.parent.is_none() || lane.parent.value() < lanes_);
    require(is_valid_utf8(lane.name));
    return LaneId(lanes_++);
  }
  void update_lane(LaneId id, const trace::Lane& lane) override {
    require(id.value() < lanes_ && is_valid_utf8(lane.name));
  }
  EventTypeId type(trace::Category, std::string_view name, std::string_view group) override {
    require(is_valid_utf8(name) && is_valid_utf8(group));
    return EventTypeId(types_++);
  }
  void set_type_color(EventTypeId id, uint32_t rgb) override {
    require(id.value() < types_ && rgb <= 0xFFFFFF);
  }
  ParamsId keep_params(std::string_view json, std::span<const std::byte>) override {
    require(json.empty() ||
            (json.size() > 2 && json.front() == '{' && json.back() == '}' && is_valid_utf8(json)));
    return ParamsId(params_++);
  }
  void states(std::span<const trace::StateEvent> events) override {
    for (const auto& e : events) {
      require(e.duration.ticks >= 0 && is_known(e));
      sum_ += static_cast<uint64_t>(e.begin.ticks) ^ static_cast<uint64_t>(e.duration.ticks);
    }
    count_ += events.size();
  }
  void punctuals(std::span<const trace::PunctualEvent> events) override {
    for (const auto& e : events) require(is_known(e));
    count_ += events.size();
  }
  void links(std::span<const trace::LinkEvent> events) override {
    for (const auto& e : events) require(!e.source.is_none() || !e.target.is_none());
    count_ += events.size();
  }
  void variables(std::span<const trace::VariableSample> events) override {
    for (const auto& e : events) require(is_known(e));
    count_ += events.size();
  }
  void loss(std::string_view, const trace::LossPlace&, uint64_t count, bool) override {
    lost_ += count;
  }
  void set_end(Time) override {}
  void progress(uint64_t, uint64_t) override {}
  bool keep_going() const override { return true; }

  uint64_t count() const { return count_; }
  uint64_t lost() const { return lost_; }
  uint64_t sum() const {
    return sum_;
  }  // of the states' times: keeps them from being optimised away

 private:
  static void require(bool is_true) {
    if (!is_true) std::abort();
  }
  template <class Event>
  bool is_known(const Event& e) const {
    return e.lane.value() < lanes_ && e.type.value() < types_ &&
           (e.params.is_none() || e.params.value() < params_);
  }

  uint32_t lanes_ = 0;
  uint32_t types_ = 0;
  uint64_t params_ = 0;
  uint64_t count_ = 0, lost_ = 0;
  uint64_t sum_ = 0;
};

// Reads the bytes as a trace of this format; how many events came out.
inline uint64_t count_events(std::string_view format, const uint8_t* data, size_t size,
                             const std::string& chunk_bytes = {}) {
  static ThreadPool pool(2);
  io::MemorySource source(std::as_bytes(std::span(data, size)));
  CountingSink sink;
  formats::ReadContext context{pool, 16 << 20, {}};
  if (!chunk_bytes.empty()) context.options["chunk_bytes"] = chunk_bytes;
  const formats::FormatPtr row = formats::format_from_id(format);
  row->sniff(*source.peek(size));
  (void)row->read(source, sink, context);
  return sink.count();
}

// The number of events of a trace that is a folder.
inline uint64_t count_events(std::string_view format, const std::filesystem::path& folder) {
  static ThreadPool pool(2);
  CountingSink sink;
  const formats::ReadContext context{pool, 16 << 20, {}};
  auto source = io::Source::open(folder);
  if (source) (void)formats::format_from_id(format)->read(**source, sink, context);
  return sink.count();
}

}  // namespace weft::test

// A sink that counts events and what was damaged, and keeps nothing: for looking at a head.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/trace/event_sink.h"

namespace weft::formats::custom {

class EventCounter final : public trace::EventSink {
 public:
  void set_time_base(TimeBase) override {}
  void set_metadata(std::string_view, std::string_view) override {}
  LaneId add_lane(const trace::Lane&) override { return LaneId(lanes_++); }
  void update_lane(LaneId, const trace::Lane&) override {}
  EventTypeId type(trace::Category, std::string_view, std::string_view) override {
    return EventTypeId(types_++);
  }
  void set_type_color(EventTypeId, uint32_t) override {}
  ParamsId params(std::string_view, std::span<const std::byte>) override { return ParamsId(0); }
  void states(std::span<const trace::StateEvent> all) override { events += all.size(); }
  void punctuals(std::span<const trace::PunctualEvent> all) override { events += all.size(); }
  void links(std::span<const trace::LinkEvent> all) override { events += all.size(); }
  void variables(std::span<const trace::VariableSample> all) override { events += all.size(); }
  void loss(std::string_view, const trace::LossPlace&, uint64_t count, bool is_damage) override {
    if (is_damage) damaged += count;
  }
  void progress(uint64_t, uint64_t) override {}
  bool keep_going() const override { return true; }

  uint64_t events = 0, damaged = 0;

 private:
  uint32_t lanes_ = 0, types_ = 0;
};

}  // namespace weft::formats::custom

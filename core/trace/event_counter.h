// A sink that only counts events and losses: for inspecting a file's head, or measuring what
// reading alone costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/text_numbers.h"
#include "core/trace/event_sink.h"

namespace weft::trace {

class EventCounter : public EventSink {
 public:
  void set_time_base(TimeBase) override {}
  void set_metadata(std::string_view, std::string_view) override {}
  LaneId add_lane(const Lane&) override { return LaneId(lanes_++); }
  void update_lane(LaneId, const Lane&) override {}
  EventTypeId type(Category category, std::string_view name, std::string_view group) override {
    type_.assign(1, static_cast<char>(category)).append(group).append(1, '\0').append(name);
    return EventTypeId(types_.add(type_).first);
  }
  void set_type_color(EventTypeId, uint32_t) override {}
  ParamsId keep_params(std::string_view, std::span<const std::byte>) override {
    return ParamsId(0);
  }
  void states(std::span<const StateEvent> all) override { events += all.size(); }
  void punctuals(std::span<const PunctualEvent> all) override { events += all.size(); }
  void links(std::span<const LinkEvent> all) override { events += all.size(); }
  void variables(std::span<const VariableSample> all) override { events += all.size(); }
  void loss(std::string_view, const LossPlace&, uint64_t count, bool is_damage) override {
    lost += count;
    if (is_damage) damaged += count;
  }
  void set_end(Time) override {}
  void progress(uint64_t, uint64_t) override {}
  bool keep_going() const override { return true; }

  uint64_t events = 0;
  uint64_t lost = 0;     // all losses …
  uint64_t damaged = 0;  // … and those of them that are damage

 private:
  uint32_t lanes_ = 0;
  TextNumbers types_;  // distinct ids, since readers pair events by type
  std::string type_;   // kept for its memory
};

}  // namespace weft::trace

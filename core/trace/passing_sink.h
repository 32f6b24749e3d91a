// A sink that forwards every call: the base of sinks that change some of them on the way.
#pragma once

#include "core/trace/event_sink.h"

namespace weft::trace {

class PassingSink : public EventSink {
 public:
  // `target` must outlive this object.
  explicit PassingSink(EventSink& target) : target_(target) {}

  void set_time_base(TimeBase base) override { target_.set_time_base(base); }
  void set_metadata(std::string_view key, std::string_view value) override {
    target_.set_metadata(key, value);
  }
  LaneId add_lane(const Lane& lane) override { return target_.add_lane(lane); }
  void update_lane(LaneId id, const Lane& lane) override { target_.update_lane(id, lane); }
  EventTypeId type(Category category, std::string_view name, std::string_view group) override {
    return target_.type(category, name, group);
  }
  void set_type_color(EventTypeId id, uint32_t rgb) override { target_.set_type_color(id, rgb); }
  ParamsId keep_params(std::string_view json, std::span<const std::byte> payload) override {
    return target_.params(json, payload);
  }
  void states(std::span<const StateEvent> events) override { target_.states(events); }
  void punctuals(std::span<const PunctualEvent> events) override { target_.punctuals(events); }
  void links(std::span<const LinkEvent> events) override { target_.links(events); }
  void variables(std::span<const VariableSample> events) override { target_.variables(events); }
  void loss(std::string_view kind, const LossPlace& place, uint64_t count,
            bool is_damage) override {
    target_.loss(kind, place, count, is_damage);
  }
  void set_end(Time end) override { target_.set_end(end); }
  void progress(uint64_t bytes_done, uint64_t bytes_total) override {
    target_.progress(bytes_done, bytes_total);
  }
  bool keep_going() const override { return target_.keep_going(); }
  void add_held(HeldEvents& held) override { target_.add_held(held); }
  void drop_held(HeldEvents& held) override { target_.drop_held(held); }

 protected:
  EventSink& target() { return target_; }

 private:
  EventSink& target_;
};

}  // namespace weft::trace

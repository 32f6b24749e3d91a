// The range of time of what passes through to the sink.
#pragma once

#include <algorithm>
#include <span>

#include "core/trace/passing_sink.h"

namespace weft::formats::perfetto {

class TimeTold final : public trace::PassingSink {
 public:
  using PassingSink::PassingSink;

  bool is_empty() const { return first_ > last_; }
  bool holds(Time time) const { return first_ <= time && time <= last_; }

  void states(std::span<const trace::StateEvent> events) override {
    for (const trace::StateEvent& event : events) {
      saw(event.begin);
      saw(event.begin + event.duration);
    }
    PassingSink::states(events);
  }
  void punctuals(std::span<const trace::PunctualEvent> events) override {
    for (const trace::PunctualEvent& event : events) saw(event.time);
    PassingSink::punctuals(events);
  }
  void links(std::span<const trace::LinkEvent> events) override {
    for (const trace::LinkEvent& event : events) {
      saw(event.send);
      saw(event.receive);
    }
    PassingSink::links(events);
  }
  void variables(std::span<const trace::VariableSample> events) override {
    for (const trace::VariableSample& event : events) saw(event.time);
    PassingSink::variables(events);
  }

 private:
  void saw(Time time) {
    first_ = std::min(first_, time);
    last_ = std::max(last_, time);
  }

  Time first_ = Time::max(), last_ = Time::min();
};

}  // namespace weft::formats::perfetto

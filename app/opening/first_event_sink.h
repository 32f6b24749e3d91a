// Passes everything on, and notes when the first event has come.
#pragma once

#include <atomic>
#include <span>

#include "core/trace/passing_sink.h"

namespace weft::app {

class FirstEventSink final : public trace::PassingSink {
 public:
  // `is_awaited` becomes false with the first event.
  FirstEventSink(trace::EventSink& target, std::atomic<bool>& is_awaited)
      : PassingSink(target), is_awaited_(is_awaited) {}

  void states(std::span<const trace::StateEvent> events) override {
    note();
    PassingSink::states(events);
  }
  void punctuals(std::span<const trace::PunctualEvent> events) override {
    note();
    PassingSink::punctuals(events);
  }
  void links(std::span<const trace::LinkEvent> events) override {
    note();
    PassingSink::links(events);
  }
  void variables(std::span<const trace::VariableSample> events) override {
    note();
    PassingSink::variables(events);
  }

 private:
  void note() { is_awaited_.store(false, std::memory_order_relaxed); }

  std::atomic<bool>& is_awaited_;
};

}  // namespace weft::app

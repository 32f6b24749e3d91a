// What the events of Zephyr's tracing subsystem mean: which thread runs, which waits, interrupts.
//
//   Threads         main      running, ready, pending, suspended
//   CPU             the thread that runs, or idle;  interrupts below
//
// Source: Zephyr, subsys/tracing/ctf/tsdl/metadata.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/formats/ctf/event.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ctf {

class ZephyrEvents {
 public:
  explicit ZephyrEvents(trace::EventSink& sink) : sink_(sink), interrupts_(sink) {}

  // Whether a trace with events of these names is one of Zephyr's.
  static bool is_one(const bt_stream_class& stream);
  // False where it stays an event of its own.
  bool add(const Event& event);
  // The thread that the event tells of, or the one that runs.
  LaneId lane_of(const Event& event);
  void finish(Time end);

 private:
  struct Lasting {
    EventTypeId type = EventTypeId::none();  // none: unknown
    Time since;
  };
  struct Thread {
    LaneId lane;
    std::string name;
    Lasting state;
  };
  Thread* thread_of(const Event& event);
  void change(LaneId lane, Lasting& state, std::string_view name, std::string_view group,
              Time time);
  LaneId cpu();
  LaneId interrupts();

  trace::EventSink& sink_;
  stacks::OpenStates interrupts_;
  LaneId cpu_ = LaneId::none(), interrupts_lane_ = LaneId::none(), threads_lane_ = LaneId::none();
  std::unordered_map<uint64_t, Thread> threads_;
  std::optional<uint64_t> running_;
  Lasting cpu_state_;
};

}  // namespace weft::formats::ctf

// Interprets the events of Zephyr's tracing subsystem: which threads run and wait, interrupts, and
// calls of kernel functions.
//
//   Threads         main      running, ready, pending, suspended, sleeping
//                     calls     from their "enter" to their "exit"
//   CPU             the thread that runs, or idle
//     interrupts      with what they call
//
// Source: Zephyr, subsys/tracing/ctf/tsdl/metadata and ctf_top.c, of 2.6 (start_call, end_call),
// 3.x, and 4.x (thread_sched_ready).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/formats/kernel/ctf/event.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ctf {

struct ThreadChange;

class ZephyrEvents {
 public:
  using Params = std::function<ParamsId(const Event&)>;
  ZephyrEvents(trace::EventSink& sink, Params params)
      : sink_(sink), params_(std::move(params)), open_(sink) {}

  // Whether a trace with events of these names is one of Zephyr's.
  static bool is_one(const bt_stream_class& stream);

  // The meaning of an event by its name and by the other events that its stream may hold.
  struct Meaning {
    enum class Kind : uint8_t {
      kNone,
      kThread,
      kInterrupt,
      kInterruptEnd,
      kIdle,
      kCall,
      kReturn,
      kNamed
    };
    Kind kind = Kind::kNone;
    const ThreadChange* change = nullptr;  // of a thread
    std::string call;                      // empty: the event says which
  };
  static Meaning meaning_of(std::string_view name, const bt_stream_class& stream);

  // Returns false if it stays an event of its own.
  bool add(const Meaning& meaning, const Event& event);
  // The thread that the event tells of, or where it happened.
  LaneId lane_of(const Event& event);
  void finish(Time end);

 private:
  struct Lasting {
    EventTypeId type = EventTypeId::none();  // none: unknown
    Time since;
  };
  struct Thread {
    LaneId lane;
    LaneId calls = LaneId::none();
    std::string name;
    Lasting state;
    std::string_view next_state;  // when it stops to run
    bool sleeps = false;          // it has called one of the functions that do
  };
  Thread* thread_of(const Event& event);
  Thread* running();
  LaneId here();
  bool change_thread(const ThreadChange& change, const Event& event);
  void call(const Meaning& meaning, const Event& event);
  void change(LaneId lane, Lasting& state, std::string_view name, std::string_view group,
              Time time);
  LaneId cpu();
  LaneId interrupts();
  LaneId calls();

  trace::EventSink& sink_;
  Params params_;
  stacks::OpenStates open_;  // interrupts and calls
  LaneId cpu_ = LaneId::none(), interrupts_lane_ = LaneId::none(), threads_lane_ = LaneId::none();
  LaneId cpu_calls_ = LaneId::none();
  std::unordered_map<uint64_t, Thread> threads_;
  std::optional<uint64_t> running_;
  Lasting cpu_state_;
  uint32_t interrupts_open_ = 0;
};

}  // namespace weft::formats::ctf

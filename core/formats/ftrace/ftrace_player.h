// Plays the lines of an ftrace in order and gives each to what understands it: the scheduler, pairs
// of begin and end, trace marks; what nobody understands is a punctual event with its fields.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/formats/ftrace/ftrace_lanes.h"
#include "core/formats/ftrace/ftrace_line.h"
#include "core/formats/ftrace/open_states.h"
#include "core/formats/ftrace/scheduler.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ftrace {

class Player {
 public:
  explicit Player(trace::EventSink& sink)
      : sink_(sink), lanes_(sink), open_(sink), scheduler_(sink, lanes_) {}

  void add(const Line& line);
  void finish();

 private:
  // Each: false where the line is not of its kind.
  bool add_interrupt(const Line& line);
  bool add_system_call(const Line& line);
  bool add_function(const Line& line);
  bool add_power(const Line& line);
  bool add_mark(const Line& line);
  void add_punctual(const Line& line);

  // A mark of user space: "B|pid|name", "C|pid|name|value".
  bool add_user_mark(const Line& line, std::string_view mark);
  struct Async {
    LaneId lane;
    Time begin;
    uint64_t offset;
  };
  void add_async(const Line& line, std::string_view key, std::string_view name, bool is_begin);
  void give_async(const Async& begun, std::string_view name, Time end);
  // Where what the line tells of happened: the task, or the CPU that was idle.
  LaneId lane_of(const Line& line);
  void begin(LaneId lane, std::string_view name, std::string_view group, const Line& line);
  ParamsId params_of(std::string_view args);

  trace::EventSink& sink_;
  Lanes lanes_;
  OpenStates open_;
  Scheduler scheduler_;
  std::map<std::string, Async> async_;  // by "process|name|cookie"
  Time last_;
  bool is_first_ = true;
  std::string json_;  // kept for its memory
};

}  // namespace weft::formats::ftrace

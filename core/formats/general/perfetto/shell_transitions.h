// Transitions between windows, as Android's window manager and its shell tell of them. Each of them
// tells a part, with the times of its own steps; parts of one number are one transition, which is a
// state from its first time to its end.
//
// Memory: what is told of them, until the trace is over.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/formats/general/perfetto/clocks.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/kernel/ftrace/ftrace_lanes.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class ShellTransitions {
 public:
  ShellTransitions(trace::EventSink& sink, ftrace::Lanes& lanes, Clocks& clocks)
      : sink_(sink), lanes_(lanes), clocks_(clocks) {}

  // Takes the content of a packet; returns false if it is of another kind.
  bool add(const Field& data, std::optional<Time> time, uint64_t offset);
  void finish();

 private:
  struct Transition {
    std::string parts;  // their messages, one behind the other: a message of all their fields
    std::optional<Time> time;  // of the first packet that had one
    uint64_t offset = 0;       // of the first
  };
  void show(const Transition& transition);

  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  Clocks& clocks_;
  std::map<uint64_t, Transition> transitions_;
  size_t kept_bytes_ = 0;
};

}  // namespace weft::formats::perfetto

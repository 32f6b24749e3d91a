// Transactions of Android's Binder: what a thread sends and another receives, by its number,
// becomes a link. A reply is a transaction of its own.
//
// Call in order of time. Cost: what is on its way is kept, up to a number of transactions.
#pragma once

#include <cstdint>
#include <map>

#include "core/trace/event_sink.h"

namespace weft::formats::ftrace {

class Transactions {
 public:
  explicit Transactions(trace::EventSink& sink) : sink_(sink) {}

  void send(int64_t number, bool is_reply, LaneId sender, ParamsId params, Time time);
  // Returns false if it was sent before the trace.
  bool receive(int64_t number, LaneId receiver, Time time);
  // Gives those that nobody received as links without an end.
  void finish();

 private:
  struct Sent {
    Time time;
    LaneId sender;
    EventTypeId type;
    ParamsId params;
  };
  void give(const Sent& sent, LaneId receiver, Time time);

  trace::EventSink& sink_;
  std::map<int64_t, Sent> on_their_way_;  // by number: the oldest first, since they are counted up
};

}  // namespace weft::formats::ftrace

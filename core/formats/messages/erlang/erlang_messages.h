// Sends and receives of messages, put together: by who gets them and what they say, in the order of
// time. Bounded: when too many wait, all are given with one end.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>

#include "core/trace/event_sink.h"

namespace weft::formats::erlang {

class Messages {
 public:
  Messages(trace::EventSink& sink, size_t max_bytes) : sink_(sink), max_bytes_(max_bytes) {}

  struct End {
    LaneId lane;
    Time time;
    ParamsId params = ParamsId::none();
  };
  // `key`: of the receiver and the message.
  void send(const std::string& key, const End& end) { meet(key, end, true); }
  void receive(const std::string& key, const End& end) { meet(key, end, false); }
  void finish();

 private:
  struct Waiting {
    std::deque<End> sends, receives;
  };
  void meet(const std::string& key, const End& end, bool is_send);
  void give(const End* send, const End* receive);

  trace::EventSink& sink_;
  size_t max_bytes_;
  size_t bytes_ = 0;  // of what waits
  std::map<std::string, Waiting> waiting_;
};

}  // namespace weft::formats::erlang

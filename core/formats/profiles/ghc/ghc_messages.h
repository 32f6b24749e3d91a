// Messages between processes of Eden, the parallel Haskell: links from the thread that sent to the
// process that received.
//
// A log is that of one machine, so of most messages to and from others it has one end.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <tuple>

#include "core/formats/profiles/ghc/ghc_event.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ghc {

class Messages {
 public:
  using LaneOfThread = std::function<LaneId(uint32_t)>;
  Messages(trace::EventSink& sink, LaneOfThread lane_of_thread)
      : sink_(sink), lane_of_thread_(std::move(lane_of_thread)) {}

  // Notes which machine the log is of.
  void learn(const Event& event);
  // Returns false if it is of no type that is known, or damaged.
  bool play(const Event& event);
  void finish();

 private:
  // By tag, process and thread that sent, process and port that received.
  using Key = std::tuple<uint8_t, uint32_t, uint32_t, uint32_t, uint32_t>;
  struct Sent {
    Time time;
    LaneId lane;
    ParamsId params;
  };

  bool send(const Event& event, ParamsId params);
  bool receive(const Event& event, ParamsId params);
  bool send_local(const Event& event, ParamsId params);
  void give(const Sent* sent, LaneId target, Time received, ParamsId params);
  bool is_elsewhere(uint16_t machine) const { return machine_ && *machine_ != machine; }
  LaneId process(uint32_t number);

  static constexpr size_t kMostHeld = size_t{1} << 20;

  trace::EventSink& sink_;
  LaneOfThread lane_of_thread_;
  std::optional<uint16_t> machine_;
  std::map<Key, std::deque<Sent>> sent_;  // and not yet received
  size_t held_ = 0;                       // in all queues
  std::map<uint32_t, LaneId> processes_;
  LaneId group_ = LaneId::none();
};

}  // namespace weft::formats::ghc

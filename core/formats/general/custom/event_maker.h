// Turns the rules' events into the sink's: finds lanes and types by name, pairs begins and ends,
// joins messages, ends changes by the next.
//
// Memory: what is open (states, messages in transit), bounded by `max_bytes`; beyond that, the
// newest is counted as lost.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/large_vector.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/lane_paths.h"
#include "core/formats/general/custom/event.h"
#include "core/formats/messages/log/message_pairing.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::custom {

class EventMaker {
 public:
  EventMaker(trace::EventSink& sink, uint64_t max_bytes);

  void add(const Event& event);
  // Whether the event is sorted by time with others of its kind, and counted if that fails.
  static bool puts_in_order(const Event& event) {
    return (event.makes == Makes::kBegin || event.makes == Makes::kEnd) && event.id.empty();
  }
  // Ends what is open at the last time seen.
  void finish();

 private:
  struct Open {
    EventTypeId type;
    LaneId lane;
    Time begin;
    std::string params;  // the text of a JSON object, or empty
    uint64_t offset;
  };
  struct Change {
    EventTypeId type;
    LaneId lane;
    Time begin;
    ParamsId params;
    uint64_t offset;
  };

  void begin(const Event& event, LaneId lane);
  void end_of_id(const Event& event);
  void change(const Event& event, LaneId lane);
  void link(const Event& event);
  void pass(const Event& event, LaneId lane);
  // Gives a state, with the parameters that its end adds.
  void give(const Open& open, Time end, std::string_view added = {});
  void give(const Change& change, Time end);
  void give_state(LaneId lane, EventTypeId type, Time begin, Time end, ParamsId params);
  LaneId end_of_link(std::string_view path) {
    return path.empty() ? LaneId::none() : lanes_.lane_of(path);
  }
  EventTypeId type_of(trace::Category category, std::string_view name);
  ParamsId params_of(const Event& event);
  // Returns the parameters as a JSON object, or empty; valid until the next call.
  std::string_view text_of(const Event& event);

  trace::EventSink& sink_;
  uint64_t max_open_;  // states with an id
  LanePaths lanes_;
  ByName<EventTypeId> types_[trace::kCategoryCount];
  stacks::OpenStates nested_;
  PassingByName<Open> by_id_;
  LargePool memory_;
  std::pmr::map<uint32_t, Change> changes_{&memory_};  // by lane
  messages::MessagePairing messages_;
  std::string text_;  // kept for its memory
  std::optional<Time> latest_;
};

}  // namespace weft::formats::custom

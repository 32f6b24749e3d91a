// Events of rules become the sink's: lanes and types by name, begins and ends paired, messages put
// together, changes ended by the next.
//
// Memory: what is open (states, messages under way), bounded by `max_bytes`; where more is, the
// newest is counted as lost.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

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
  // Whether it is put in order of time with others of its kind, and counted where that fails.
  static bool puts_in_order(const Event& event) {
    return (event.makes == Makes::kBegin || event.makes == Makes::kEnd) && event.id.empty();
  }
  // What is open lasts until the last time that was seen.
  void finish();

 private:
  struct Open {
    EventTypeId type;
    LaneId lane;
    Time begin;
    std::string params;  // the text of a JSON object, or empty
    uint64_t offset;
  };

  void begin(const Event& event, LaneId lane);
  void end_of_id(const Event& event);
  void change(const Event& event, LaneId lane);
  void link(const Event& event);
  void pass(const Event& event, LaneId lane);
  // With what the end adds to its parameters.
  void give(const Open& open, Time end, std::string_view added = {});
  LaneId end_of_link(const std::string& path) {
    return path.empty() ? LaneId::none() : lanes_.lane_of(path);
  }
  EventTypeId type_of(trace::Category category, std::string_view name);
  ParamsId params_of(const Event& event);
  // The text of a JSON object, or empty; until the next is asked for.
  std::string_view text_of(const Event& event);

  trace::EventSink& sink_;
  uint64_t max_open_;  // states that go by an id
  LanePaths lanes_;
  ByName<EventTypeId> types_[trace::kCategoryCount];
  stacks::OpenStates nested_;
  PassingByName<Open> by_id_;
  std::map<uint32_t, Open> changes_;  // by lane
  messages::MessagePairing messages_;
  std::string text_;  // kept for its memory
  std::optional<Time> latest_;
};

}  // namespace weft::formats::custom

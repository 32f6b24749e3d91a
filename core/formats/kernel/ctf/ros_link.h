// A message of the Robot Operating System (ROS 1 and 2) on its way: the events that tell of it, and
// the link that they become, from the thread that published it to the instant at which a callback
// of a subscription handled it.
//
//   {"id":7,"topic":"/scan","publisher":"/laser","subscriber":"/map","stamp":1655782980385052352,
//    "rclcpp_publish":{…},"rcl_publish":{"after_ns":8746,…},"rmw_take":{"after_ns":176507,…}}
//
// Each event of the way is a member by its name, with its fields and its time since the first, so
// that nothing is lost of it. Ids are counted: ROS gives messages none of their own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/kernel/ctf/event.h"
#include "core/formats/kernel/ftrace/kernel.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ctf {

// The address of an object: the number of its process, unique among machines, and its address
// there.
using Address = std::pair<uint64_t, uint64_t>;

// Messages that wait for their other end; of more the oldest are given without.
inline constexpr size_t kMostUnderWay = 1 << 14;
// Nodes, publishers, callbacks: more than any system has.
inline constexpr size_t kMostRosObjects = 1 << 20;
inline constexpr std::string_view kRosCallbacks = "ROS callbacks";  // the group of their types

// Sets the value of an object; the latest definition wins.
template <class Map, class Value>
void keep(Map& map, const typename Map::key_type& key, Value value) {
  if (map.size() < kMostRosObjects || map.contains(key))
    map.insert_or_assign(key, std::move(value));
}

// An event of ROS, and where it happened.
struct RosEvent {
  Event& event;
  uint64_t process;  // of all machines
  LaneId thread;
  ftrace::Kernel& kernel;  // of the machine: its states

  std::optional<Address> address(const char* field) const;
  ftrace::At at() const { return {event.time, event.cpu.value_or(0), event.number}; }
  std::string_view text(const char* field) const { return text_of(event.payload(field)); }
  // The event's name without its provider: "rcl_publish".
  std::string_view name() const { return event.name.substr(event.name.find(':') + 1); }
};

// One event in the life of a message.
struct RosStep {
  std::string_view name;  // lives as long as the trace is read
  Time time;
  std::string fields;  // members of a JSON object
};

// An end of a message.
struct RosEnd {
  LaneId lane = LaneId::none();  // none where nobody traced sent it, or handled it
  Time time{};
  std::string node{};
  std::vector<RosStep> steps{};

  bool has_step(std::string_view name) const;
};

struct RosMessage {
  std::string topic{};             // or the service
  std::string_view part{};         // of a service: "request", "response"
  std::optional<int64_t> stamp{};  // the middleware's, nanoseconds
  bool is_dropped = false;
  bool is_paired_by_time = false;  // no event says that both ends are of one message
};

class RosLinks {
 public:
  // Writes the fields of an event but those that its lane says, joined by commas.
  using Fields = std::function<std::string(const Event&)>;
  RosLinks(trace::EventSink& sink, Fields fields) : sink_(sink), fields_(std::move(fields)) {}

  RosStep step_of(const RosEvent& e) const { return {e.name(), e.event.time, fields_(e.event)}; }
  // One of the ends may have no lane; that of a dropped message says how far it came.
  void give(const RosMessage& message, const RosEnd& from, const RosEnd& to);
  // Gives a step that turned out to belong to no message as an event of its own.
  void give_back(const RosStep& step, std::string_view provider, LaneId lane);

 private:
  trace::EventSink& sink_;
  Fields fields_;
  uint64_t count_ = 0;
};

// `,"name":"text"`, where there is text.
void append_text_member(std::string& json, std::string_view name, std::string_view text);

}  // namespace weft::formats::ctf

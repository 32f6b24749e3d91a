// The entities of a ROS 2 system, from its initialisation events: nodes, publishers, subscriptions,
// services and timers, by the addresses that later events name. The owner of an object is found by
// following references:
//
//   callback ─▷ subscription ─▷ subscription_handle: /scan, of node /map
//   buffer ─▷ intra-process ─▷ subscription          rmw_subscription_handle ─▷ subscription_handle
//
// A reused address denotes what was created there last. Memory: O(objects), bounded.
//
// Source: ros2_tracing, tracetools/include/tracetools/tp_call.h; CARET, caret_trace/tp.h.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/formats/kernel/ctf/ros_link.h"

namespace weft::formats::ctf {

class Ros2Graph {
 public:
  // An object with an rcl handle.
  struct Entity {
    std::string name;  // the topic, the service, "timer 100 ms"
    Address handle;
    std::optional<Address> node;
  };
  // How to read an event by its name; null if it creates nothing.
  struct Definition;
  static const Definition* definition_of(std::string_view name);
  void add(const Definition& definition, const RosEvent& e);

  // What an address is, or belongs to; null where that is not known.
  const Entity* entity_of(const std::optional<Address>& address) const;
  std::string_view symbol_of(const Address& callback) const;
  // "/map"; empty where it is not known.
  std::string node_of(const Entity* entity) const;
  // Whether a subscription, or a server, of it was traced.
  bool has_subscription(const std::string& topic) const { return topics_.contains(topic); }
  bool has_server(const std::string& service) const { return services_.contains(service); }

 private:
  void add_node(const RosEvent& e);
  void add_entity(const Definition& definition, const RosEvent& e);
  void add_part(const Address& part, const Address& whole);

  std::map<Address, Entity> entities_;  // by handle
  std::map<Address, Address> wholes_;   // what a part belongs to
  std::map<Address, std::string> nodes_, symbols_;
  std::set<std::string, std::less<>> topics_, services_;  // that have subscriptions, servers
};

}  // namespace weft::formats::ctf

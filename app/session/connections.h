// The traces on other machines that were opened, by which way: connections.json in the user's
// folder. Without secrets: neither passwords nor passphrases are kept anywhere.
//
//   {"connections": [{"path": "ssh://board/sys/kernel/tracing/trace_pipe", "follow": true,
//                     "ssh": {"jump": "gate", "key": "/home/me/.ssh/board", "config": "none"}}]}
#pragma once

#include <string>
#include <vector>

#include "app/base/complaints.h"
#include "app/base/json.h"
#include "app/opening/open.h"
#include "capture/host/ssh_way.h"

namespace weft::app {

struct Connection {
  std::string address;  // as capture::parse_ssh_address reads it
  bool follows = false;
  capture::SshWay way = {};
  bool operator==(const Connection&) const = default;
};

// Newest first, at most kMostConnections; one of the same address is replaced.
using Connections = std::vector<Connection>;
inline constexpr size_t kMostConnections = 30;
void keep_connection(Connections& connections, Connection connection);

// What is wrong in it is left out, and complained of.
Connections connections_from_json(const Json& json, Complaints& complaints);
Json json_from_connections(const Connections& connections);  // none: an empty object

// The arguments "follow" and "ssh" of the command "open", into a choice and back. Errors name what
// is wrong.
Status take_way(const Json& args, TypeChoice& choice);
void put_way(const TypeChoice& choice, Json& args);

}  // namespace weft::app

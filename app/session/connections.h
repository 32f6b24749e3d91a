// The traces on other machines that have been opened, and the way to each: connections.json in the
// user's folder. It holds no secrets: neither passwords nor passphrases are stored anywhere.
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

// Newest first, at most kMostConnections. keep_connection() replaces one with the same address.
using Connections = std::vector<Connection>;
inline constexpr size_t kMostConnections = 30;
void keep_connection(Connections& connections, Connection connection);

// Entries that are wrong are left out and reported.
Connections connections_from_json(const Json& json, Complaints& complaints);
Json json_from_connections(const Connections& connections);  // none: an empty object

// Read the arguments "follow" and "ssh" of the command "open" into a choice, and write them back.
// Errors say what is wrong.
Status take_way(const Json& args, TypeChoice& choice);
void put_way(const TypeChoice& choice, Json& args);

}  // namespace weft::app

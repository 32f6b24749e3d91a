#include "app/session/connections.h"

#include <fmt/core.h>

#include <utility>

#include "capture/host/ssh_address.h"

namespace weft::app {
namespace {

// The parts of a way, by the names that commands and the file have for them.
constexpr std::pair<const char*, std::string capture::SshWay::*> kParts[] = {
    {"jump", &capture::SshWay::jump},
    {"key", &capture::SshWay::key},
    {"config", &capture::SshWay::config}};

Result<Connection> connection_from_json(const Json& json) {
  const auto path = json.is_object() ? json.find("path") : json.end();
  if (!json.is_object() || path == json.end() || !path->is_string())
    return fail("'path' is missing, or no text");
  const std::string address = path->get<std::string>();
  if (const auto parsed = capture::parse_ssh_address(address); !parsed) return fail(parsed.error());
  TypeChoice choice;
  WEFT_TRY(take_way(json, choice));
  return Connection{address, choice.follows, choice.way};
}

}  // namespace

void keep_connection(Connections& connections, Connection connection) {
  std::erase_if(connections,
                [&](const Connection& each) { return each.address == connection.address; });
  connections.insert(connections.begin(), std::move(connection));
  if (connections.size() > kMostConnections) connections.pop_back();
}

Connections connections_from_json(const Json& json, Complaints& complaints) {
  return list_from_json<Connection>(json, "connections", kMostConnections, connection_from_json,
                                    complaints);
}

Json json_from_connections(const Connections& connections) {
  if (connections.empty()) return Json::object();
  Json list = Json::array();
  for (const Connection& connection : connections) {
    Json& each = list.emplace_back(Json{{"path", connection.address}});
    TypeChoice choice;
    choice.follows = connection.follows;
    choice.way = connection.way;
    put_way(choice, each);
  }
  return {{"connections", std::move(list)}};
}

Status take_way(const Json& args, TypeChoice& choice) {
  if (const auto follow = args.find("follow"); follow != args.end()) {
    if (!follow->is_boolean()) return fail("'follow' must be true or false");
    choice.follows = follow->get<bool>();
  }
  const auto ssh = args.find("ssh");
  if (ssh == args.end()) return {};
  if (!ssh->is_object()) return fail("'ssh' must be an object");
  for (const auto& [name, part] : kParts) {
    const auto value = ssh->find(name);
    if (value == ssh->end()) continue;
    if (!value->is_string()) return fail(fmt::format("'{}' must be a text", name));
    choice.way.*part = value->get<std::string>();
  }
  if (choice.way.jump.empty()) return {};
  const auto jump = capture::parse_ssh_jumps(choice.way.jump);
  return jump ? Status() : fail(Error(jump.error()).context("jump"));
}

void put_way(const TypeChoice& choice, Json& args) {
  if (choice.follows) args["follow"] = true;
  for (const auto& [name, part] : kParts) {
    if (!(choice.way.*part).empty()) args["ssh"][name] = choice.way.*part;
  }
}

}  // namespace weft::app

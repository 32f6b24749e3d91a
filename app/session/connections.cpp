#include "app/session/connections.h"

#include <fmt/core.h>

#include <utility>

#include "capture/host/ssh_address.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

// The parts of a way, by the names that commands and the file have for them.
constexpr std::pair<const char*, std::string capture::SshWay::*> kParts[] = {
    {"jump", &capture::SshWay::jump},
    {"key", &capture::SshWay::key},
    {"config", &capture::SshWay::config}};

}  // namespace

void keep_connection(Connections& connections, Connection connection) {
  std::erase_if(connections,
                [&](const Connection& each) { return each.address == connection.address; });
  connections.insert(connections.begin(), std::move(connection));
  if (connections.size() > kMostConnections) connections.pop_back();
}

Connections connections_from_json(const Json& json) {
  Connections connections;
  const auto list = json.is_object() ? json.find("connections") : json.end();
  if (!json.is_object() || list == json.end() || !list->is_array()) return connections;
  for (const Json& each : *list) {
    const auto path = each.is_object() ? each.find("path") : each.end();
    if (!each.is_object() || path == each.end() || !path->is_string()) continue;
    TypeChoice choice;
    const std::string address = path->get<std::string>();
    if (!capture::parse_ssh_address(address) || !take_way(each, choice)) continue;
    if (connections.size() == kMostConnections) break;
    connections.push_back({address, choice.follows, choice.way});
  }
  return connections;
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

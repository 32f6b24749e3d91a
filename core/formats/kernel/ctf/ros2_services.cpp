// Requests and responses of ROS 2's services: the part of Ros2Events that knows what calls them
// alike on both sides.
#include <algorithm>
#include <span>

#include "core/formats/kernel/ctf/ros2_events.h"

namespace weft::formats::ctf {
namespace {

constexpr std::string_view kRequest = "request", kResponse = "response";

// FNV-1a.
uint64_t hashed(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x100000001B3; }

// Hashes an array's bytes without trailing zeros, whose number differs between versions.
std::optional<uint64_t> hash_of(const Field* array) {
  if (!is_array(array)) return std::nullopt;
  constexpr size_t kMostBytes = 64;
  uint64_t hash = 0xCBF29CE484222325, whole = hash;
  const std::span<const Field> bytes = elements_of(array);
  for (const Field& element : bytes.first(std::min(bytes.size(), kMostBytes))) {
    const int64_t byte = integer_of(&element).value_or(0);
    hash = hashed(hash, static_cast<uint64_t>(byte));
    if (byte != 0) whole = hash;
  }
  return whole;
}

// A request and its response are two messages.
int64_t part_key(int64_t key, std::string_view part) {
  return static_cast<int64_t>(hashed(static_cast<uint64_t>(key), part.size()));
}

}  // namespace

bool Ros2Events::add_client(const RosEvent& e) {
  const auto client = e.address("rmw_client_handle");
  const auto number = hash_of(e.event.payload("gid"));
  if (client && number && client_numbers_.size() < kMostRosObjects) {
    clients_[*client] = *number;
    client_numbers_.insert(*number);
  }
  return false;
}

// Both ends know which client it was, and how it counts its requests.
std::optional<int64_t> Ros2Events::request_key(const RosEvent& e) const {
  auto client = hash_of(e.event.payload("client_gid"));
  if (!client) {
    const auto handle = e.address("rmw_client_handle");
    const auto it = handle ? clients_.find(*handle) : clients_.end();
    if (it != clients_.end()) client = it->second;
  }
  const auto number = integer_of(e.event.payload("sequence_number"));
  if (!client || !number) return std::nullopt;
  return static_cast<int64_t>(hashed(*client, static_cast<uint64_t>(*number)));
}

bool Ros2Events::send_request(const RosEvent& e) {
  const Ros2Graph::Entity* const client = graph_.entity_of(e.address("rmw_client_handle"));
  return send_part(e, "rmw_client_handle", kRequest,
                   are_requests_taken_ && client != nullptr && graph_.has_server(client->name));
}

bool Ros2Events::send_response(const RosEvent& e) {
  const auto client = hash_of(e.event.payload("client_gid"));
  return send_part(e, "rmw_service_handle", kResponse,
                   are_responses_taken_ && client && client_numbers_.contains(*client));
}

bool Ros2Events::send_part(const RosEvent& e, const char* sender, std::string_view part,
                           bool is_expected) {
  const auto key = request_key(e);
  const Ros2Graph::Entity* const entity = graph_.entity_of(e.address(sender));
  if (!key || entity == nullptr) return false;
  if (publications_.size() >= kMostUnderWay) forget_oldest_publication();
  const uint64_t id = ++count_;
  Publication& publication = publications_[id];
  publication.message = {.topic = entity->name, .part = part};
  publication.from = {.lane = e.thread,
                      .time = e.event.time,
                      .node = graph_.node_of(entity),
                      .steps = {links_.step_of(e)}};
  publication.publisher = entity->handle;
  publication.is_expected = is_expected;
  set_key(id, part_key(*key, part));
  return is_expected;
}

bool Ros2Events::take_request(const RosEvent& e) {
  const auto key = request_key(e);
  if (!key || integer_of(e.event.payload("taken")) == 0) return false;
  Thread& thread = thread_of(e);
  settle(thread);
  thread.taken = handling_of(e, graph_.entity_of(e.address("rmw_service_handle")));
  thread.taken->message.part = kRequest;
  thread.taken->key = part_key(*key, kRequest);
  return true;
}

// The client's handling of it is not traced.
bool Ros2Events::take_response(const RosEvent& e) {
  const auto key = request_key(e);
  if (!key || integer_of(e.event.payload("taken")) == 0) return false;
  Handling handling = handling_of(e, graph_.entity_of(e.address("rmw_client_handle")));
  handling.message.part = kResponse;
  handling.key = part_key(*key, kResponse);
  handle(std::move(handling));
  return true;
}

}  // namespace weft::formats::ctf

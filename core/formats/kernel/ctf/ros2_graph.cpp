#include "core/formats/kernel/ctf/ros2_graph.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace weft::formats::ctf {
namespace {

// "timer 100 ms", in the largest unit in which it is a whole number.
std::string name_of_timer(int64_t period_ns) {
  struct Unit {
    int64_t ns;
    std::string_view name;
  };
  constexpr Unit kUnits[] = {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "µs"}, {1, "ns"}};
  const auto* const unit =
      std::ranges::find_if(kUnits, [=](const Unit& u) { return period_ns % u.ns == 0; });
  return fmt::format("timer {} {}", period_ns / unit->ns, unit->name);
}

}  // namespace

struct Ros2Graph::Definition {
  enum class Kind : uint8_t {
    kNode,
    kEntity,
    kSubscription,
    kService,
    kTimer,
    kTimerNode,
    kPart,
    kSymbol
  };
  std::string_view event;
  Kind kind;
  // For an entity, its handle and name; for a part, itself and its owner.
  const char* self = nullptr;
  const char* other = nullptr;
};

const Ros2Graph::Definition* Ros2Graph::definition_of(std::string_view name) {
  using enum Definition::Kind;
  static constexpr Definition kDefinitions[] = {
      {"rcl_node_init", kNode},
      {"rcl_publisher_init", kEntity, "publisher_handle", "topic_name"},
      {"rcl_subscription_init", kSubscription, "subscription_handle", "topic_name"},
      {"rcl_service_init", kService, "service_handle", "service_name"},
      {"rcl_client_init", kEntity, "client_handle", "service_name"},
      {"rcl_timer_init", kTimer, "timer_handle", "period"},
      {"rclcpp_timer_link_node", kTimerNode, "timer_handle", "node_handle"},
      {"rclcpp_subscription_init", kPart, "subscription", "subscription_handle"},
      {"rclcpp_subscription_callback_added", kPart, "callback", "subscription"},
      {"rclcpp_service_callback_added", kPart, "callback", "service_handle"},
      {"rclcpp_timer_callback_added", kPart, "callback", "timer_handle"},
      {"rclcpp_buffer_to_ipb", kPart, "buffer", "ipb"},
      {"rclcpp_ipb_to_subscription", kPart, "ipb", "subscription"},
      {"rclcpp_callback_register", kSymbol, "callback", "symbol"},
  };
  for (const std::string_view provider : {"ros2:", "ros2_caret:"}) {
    if (!name.starts_with(provider)) continue;
    const auto* const it =
        std::ranges::find(kDefinitions, name.substr(provider.size()), &Definition::event);
    return it == std::end(kDefinitions) ? nullptr : it;
  }
  return nullptr;
}

void Ros2Graph::add(const Definition& definition, const RosEvent& e) {
  using enum Definition::Kind;
  if (definition.kind == kNode) return add_node(e);
  const auto self = e.address(definition.self);
  if (!self) return;
  switch (definition.kind) {
    case kSymbol:
      return keep(symbols_, *self, std::string(e.text(definition.other)));
    case kTimerNode: {
      const auto it = entities_.find(*self);
      if (it != entities_.end()) it->second.node = e.address(definition.other);
      return;
    }
    case kPart: {
      // The first version of ros2_tracing named the handle instead of the subscription.
      auto whole = e.address(definition.other);
      if (!whole) whole = e.address("subscription_handle");
      if (whole) add_part(*self, *whole);
      return;
    }
    default:
      return add_entity(definition, e);
  }
}

void Ros2Graph::add_node(const RosEvent& e) {
  const auto handle = e.address("node_handle");
  if (!handle) return;
  std::string name(e.text("namespace"));
  if (!name.ends_with('/')) name += '/';
  keep(nodes_, *handle, name + std::string(e.text("node_name")));
}

void Ros2Graph::add_entity(const Definition& definition, const RosEvent& e) {
  using enum Definition::Kind;
  const Address handle = *e.address(definition.self);
  Entity entity{.name = std::string(e.text(definition.other)),
                .handle = handle,
                .node = e.address("node_handle")};
  if (definition.kind == kTimer)
    entity.name = name_of_timer(integer_of(e.event.payload(definition.other)).value_or(0));
  if (definition.kind == kSubscription || definition.kind == kService) {
    auto& names = definition.kind == kService ? services_ : topics_;
    if (names.size() < kMostRosObjects) names.insert(entity.name);
  }
  for (const char* rmw_handle : {"rmw_publisher_handle", "rmw_subscription_handle",
                                 "rmw_service_handle", "rmw_client_handle"}) {
    if (const auto rmw = e.address(rmw_handle)) add_part(*rmw, handle);
  }
  wholes_.erase(handle);
  keep(entities_, handle, std::move(entity));
}

void Ros2Graph::add_part(const Address& part, const Address& whole) {
  if (part == whole) return;
  entities_.erase(part);
  keep(wholes_, part, whole);
}

const Ros2Graph::Entity* Ros2Graph::entity_of(const std::optional<Address>& address) const {
  if (!address) return nullptr;
  constexpr int kLongestWay = 4;  // buffer, intra-process, subscription, handle
  Address at = *address;
  for (int i = 0; i < kLongestWay; ++i) {
    if (const auto it = entities_.find(at); it != entities_.end()) return &it->second;
    const auto whole = wholes_.find(at);
    if (whole == wholes_.end()) return nullptr;
    at = whole->second;
  }
  return nullptr;
}

std::string_view Ros2Graph::symbol_of(const Address& callback) const {
  const auto it = symbols_.find(callback);
  return it == symbols_.end() ? std::string_view() : it->second;
}

std::string Ros2Graph::node_of(const Entity* entity) const {
  if (entity == nullptr || !entity->node) return {};
  const auto it = nodes_.find(*entity->node);
  return it == nodes_.end() ? std::string() : it->second;
}

}  // namespace weft::formats::ctf

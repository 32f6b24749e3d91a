#include "core/formats/embedded/psf/objects.h"

#include <fmt/core.h>
#include <utility>

#include "core/base/text.h"

namespace weft::formats::psf {
namespace {

constexpr size_t kMostObjects = 1 << 16;

trace::LaneKind lane_kind(Class kind) {
  return kind == Class::kTask ? trace::LaneKind::kThread : trace::LaneKind::kGroup;
}

}  // namespace

Object& Objects::of(uint64_t address) {
  const auto it = objects_.find(address);
  if (it != objects_.end()) return it->second;
  if (objects_.size() < kMostObjects) return objects_[address];
  ++beyond_;
  Object fresh;
  fresh.lane = surplus_.lane;
  surplus_ = std::move(fresh);
  return surplus_;
}

const Object* Objects::find(uint64_t address) const {
  const auto it = objects_.find(address);
  return it == objects_.end() ? nullptr : &it->second;
}

void Objects::set_name(uint64_t address, std::string_view name) {
  Object& object = of(address);
  if (name.empty() || object.name == name) return;
  object.name = valid_utf8(name);
  if (!object.lane.is_none()) show(address, object);
}

void Objects::set_kind(uint64_t address, Class kind) {
  Object& object = of(address);
  if (kind == Class::kNone || object.kind == kind) return;
  object.kind = kind;
  if (!object.lane.is_none()) show(address, object);
}

void Objects::set_priority(uint64_t address, uint64_t priority) {
  Object& object = of(address);
  object.value = priority;
  object.is_given = true;
}

std::string Objects::name_of(uint64_t address) const {
  const Object* const object = find(address);
  if (object != nullptr && !object->name.empty()) return object->name;
  return fmt::format("{:#x}", address);
}

LaneId Objects::lane(uint64_t address) {
  Object& object = of(address);
  if (!object.lane.is_none()) return object.lane;
  if (&object == &surplus_) return object.lane = group("Further objects");
  object.lane = sink_.add_lane(
      {.name = name_of(address), .parent = parent_of(object), .kind = lane_kind(object.kind)});
  return object.lane;
}

LaneId Objects::parent_of(const Object& object) {
  return object.parent.is_none() ? group(group_of(object.kind)) : object.parent;
}

void Objects::show(uint64_t address, const Object& object) {
  if (&object == &surplus_) return;
  sink_.update_lane(
      object.lane,
      {.name = name_of(address), .parent = parent_of(object), .kind = lane_kind(object.kind)});
}

LaneId Objects::group(std::string_view name) {
  const auto it = groups_.find(name);
  if (it != groups_.end()) return it->second;
  // Tasks are looked for first.
  const LaneId added = sink_.add_lane({.name = std::string(name),
                                       .kind = trace::LaneKind::kGroup,
                                       .sort_index = name == group_of(Class::kTask) ? -1 : 0});
  groups_.emplace(name, added);
  return added;
}

LaneId Objects::core(std::string_view name, uint32_t core) {
  const auto [it, is_new] = cores_.try_emplace({std::string(name), core}, LaneId::none());
  if (!is_new) return it->second;
  const bool is_cpu = name == "CPU";
  // Processors first, each with its interrupts.
  constexpr int32_t kBeforeAll = -64;
  return it->second = sink_.add_lane(
             {.name = has_cores_ ? fmt::format("{} {}", name, core) : std::string(name),
              .kind = is_cpu ? trace::LaneKind::kCpu : trace::LaneKind::kGroup,
              .sort_index = kBeforeAll + 2 * static_cast<int32_t>(core) + (is_cpu ? 0 : 1)});
}

}  // namespace weft::formats::psf

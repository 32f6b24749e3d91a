#include "core/formats/profiles/xplane/plane_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace weft::formats::xplane {
namespace {

using perfetto::Field;
using perfetto::for_each_field;

enum PlaneField : uint32_t { kEventNames = 4, kStatNames = 5 };
enum StatValue : uint32_t {
  kDouble = 2,
  kUnsigned = 3,
  kSigned = 4,
  kText = 5,
  kBytes = 6,
  kReference = 7,
};

struct NamedRole {
  std::string_view name;
  Role role;
};
constexpr NamedRole kRoles[] = {
    {"correlation_id", Role::kCorrelation}, {"_p", Role::kProducer},
    {"_pt", Role::kProducerType},           {"_c", Role::kConsumer},
    {"_ct", Role::kConsumerType},           {"flow", Role::kFlow},
};

// The value of an entry of a map; its number is said twice.
std::string_view value_in(std::string_view entry, uint64_t& id) {
  std::string_view value;
  const bool is_good = for_each_field(entry, [&](const Field& field) {
    if (field.number == 1) id = field.value;
    if (field.number == 2) value = field.bytes;
  });
  return is_good ? value : std::string_view();
}

}  // namespace

bool parse_stat(std::string_view message, Stat& stat) {
  return for_each_field(message, [&](const Field& field) {
    if (field.number == 1) {
      stat.id = field.value;
    } else {
      stat.value = field;
    }
  });
}

uint64_t PlaneNames::take(std::string_view plane) {
  uint64_t damaged = 0;
  for_each_field(plane, [&](const Field& field) {
    if (field.number == kStatNames && !take_stat(field.bytes)) ++damaged;
  });
  // Names of events refer to names of statistics.
  for_each_field(plane, [&](const Field& field) {
    if (field.number == kEventNames && !take_event(field.bytes, damaged)) ++damaged;
  });
  return damaged;
}

bool PlaneNames::take_stat(std::string_view entry) {
  uint64_t id = 0;
  StatName stat;
  const bool is_good = for_each_field(value_in(entry, id), [&](const Field& field) {
    if (field.number == 2) stat.name = field.bytes;
  });
  const auto* const role = std::ranges::find(kRoles, stat.name, &NamedRole::name);
  if (role != std::end(kRoles)) stat.role = role->role;
  stats_[id] = stat;
  return is_good;
}

bool PlaneNames::take_event(std::string_view entry, uint64_t& damaged) {
  uint64_t id = 0;
  std::string_view name, display_name;
  ArgsText params;
  const bool is_good = for_each_field(value_in(entry, id), [&](const Field& field) {
    if (field.number == 2) name = field.bytes;
    if (field.number == 4) display_name = field.bytes;
    if (field.number != 5) return;
    Stat stat;
    if (parse_stat(field.bytes, stat)) {
      add(stat, params);
    } else {
      ++damaged;
    }
  });
  EventName event{.name = name};
  if (!display_name.empty() && display_name != name) {
    event.name = display_name;
    if (!name.empty()) params.add("full name", name);
  }
  event.params = params.take();
  events_[id] = std::move(event);
  return is_good;
}

const StatName* PlaneNames::stat(uint64_t id) const {
  const auto it = stats_.find(id);
  return it == stats_.end() ? nullptr : &it->second;
}

const EventName* PlaneNames::event(uint64_t id) const {
  const auto it = events_.find(id);
  return it == events_.end() ? nullptr : &it->second;
}

bool PlaneNames::add(const Stat& stat, ArgsText& params) const {
  if (stat.value.number == kBytes) return false;
  const StatName* const known = this->stat(stat.id);
  params.name(known != nullptr ? std::string(known->name) : fmt::format("statistic {}", stat.id));
  add_value(stat, params);
  return true;
}

void PlaneNames::add_value(const Stat& stat, ArgsText& params) const {
  const Field& value = stat.value;
  const StatName* referred = nullptr;
  switch (value.number) {
    case kDouble:
      params.number(value.real());
      break;
    case kUnsigned:
      params.number(value.value);
      break;
    case kText:
    case kBytes:
      params.text(value.bytes);
      break;
    case kReference:
      referred = this->stat(value.value);
      params.text(referred != nullptr ? referred->name : std::string_view());
      break;
    default:
      params.number(value.integer());
  }
}

}  // namespace weft::formats::xplane

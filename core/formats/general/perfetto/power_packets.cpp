#include "core/formats/general/perfetto/power_packets.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/general/perfetto/packet_field.h"
#include "core/formats/general/perfetto/system_names.h"

namespace weft::formats::perfetto {
namespace {

// The fields of TracePacket.
constexpr size_t kMostPowerNames = 1 << 16;

std::string name_in(const std::map<uint64_t, std::string>& names, uint64_t number,
                    std::string_view what) {
  const auto it = names.find(number);
  return it == names.end() ? fmt::format("{} {}", what, number) : it->second;
}

// A name of its own where there are several of a group.
std::string group_of(std::string_view group, std::string_view which) {
  return which.empty() ? std::string(group) : fmt::format("{} {}", group, which);
}

}  // namespace

bool PowerPackets::add(const Field& data, const Sequence& sequence, std::optional<Time> time,
                       uint64_t offset) {
  constexpr std::pair<uint32_t, bool (PowerPackets::*)(std::string_view)> kKinds[] = {
      {kBattery, &PowerPackets::add_battery},
      {kRails, &PowerPackets::add_rails},
      {kEnergy, &PowerPackets::add_energy},
      {kResidency, &PowerPackets::add_residency},
      {kWakeLocks, &PowerPackets::add_wake_locks}};
  const auto* const kind = std::ranges::find(
      kKinds, data.number, &std::pair<uint32_t, bool (PowerPackets::*)(std::string_view)>::first);
  if (kind == std::end(kKinds)) return false;
  sequence_ = sequence.id;
  time_ = time;
  offset_ = offset;
  if (!(this->*kind->second)(data.bytes))
    sink_.loss(fmt::format("{} damaged", packet_kind(data.number)), offset);
  return true;
}

// One that only gives names needs no time.
void PowerPackets::sample(std::string_view group, std::string_view name, double value,
                          std::optional<Time> time) {
  if (!time) return sink_.loss("packet without a time", offset_);
  counters_.sample(counters_.group(group), name, value, *time);
}

bool PowerPackets::name_one(std::string_view entry, uint32_t number, uint32_t text, Names& names) {
  uint64_t key = 0;
  std::string name;
  const bool is_good = for_each_field(entry, [&](const Field& field) {
    if (field.number == number) key = field.value;
    if (field.number == text) name = valid_utf8(field.bytes);
  });
  if (names.size() < kMostPowerNames) names[key] = std::move(name);
  return is_good;
}

bool PowerPackets::add_battery(std::string_view message) {
  constexpr std::string_view kNames[] = {
      "", "charge [uAh]", "capacity [%]", "current [uA]", "mean current [uA]",
      "", "energy [uWh]", "voltage [uV]"};
  constexpr uint32_t kName = 5;
  std::string which;
  for_each_field(message, [&](const Field& field) {
    if (field.number == kName) which = valid_utf8(field.bytes);
  });
  const std::string group = group_of("Battery", which);
  return for_each_field(message, [&](const Field& field) {
    if (field.number >= std::size(kNames) || kNames[field.number].empty()) return;
    const double value = field.number == 2 ? static_cast<double>(field.real32())
                                           : static_cast<double>(field.integer());
    sample(group, kNames[field.number], value);
  });
}

// The first session's need no number.
PowerPackets::RailSession& PowerPackets::rail_session(uint64_t uuid) {
  const auto it = rail_sessions_.find(uuid);
  if (it != rail_sessions_.end()) return it->second;
  if (rail_sessions_.size() >= kMostPowerNames) return rail_sessions_.begin()->second;
  RailSession& session = rail_sessions_[uuid];
  const size_t count = rail_sessions_.size();
  session.group = group_of("Power rails", count == 1 ? "" : std::to_string(count));
  return session;
}

// Each session numbers its rails anew.
bool PowerPackets::add_rails(std::string_view message) {
  bool is_good = true;
  uint64_t uuid = 0;
  for_each_field(message, [&](const Field& field) {
    if (field.number == 3) uuid = field.value;
  });
  RailSession& session = rail_session(uuid);
  const auto add_value = [&](std::string_view bytes) {
    uint64_t index = 0, energy = 0, ms = 0;
    is_good &= for_each_field(bytes, [&](const Field& field) {
      if (field.number == 1) index = field.value;
      if (field.number == 2) ms = field.value;
      if (field.number == 3) energy = field.value;
    });
    const auto own_time = ms > 0 && ms < UINT64_MAX / kNsPerMs
                              ? clocks_.time_of(0, Clocks::kBoottime, ms * kNsPerMs)
                              : std::nullopt;
    sample(session.group, name_in(session.rails, index, "rail") + " [uWs]",
           static_cast<double>(energy), own_time ? own_time : time_);
  };
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) is_good &= name_one(field.bytes, 1, 2, session.rails);
    if (field.number == 2) add_value(field.bytes);
  });
  return is_good;
}

// Adds a consumer's energy, and the share of each user's programs.
bool PowerPackets::add_energy(std::string_view message) {
  bool is_good = true;
  std::optional<uint64_t> consumer;
  std::optional<int64_t> energy;
  std::vector<std::string_view> users;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) {
      is_good &= for_each_field(field.bytes, [&](const Field& inner) {
        if (inner.number == 1) is_good &= name_one(inner.bytes, 1, 4, consumers_);
      });
    }
    if (field.number == 2) consumer = field.value;
    if (field.number == 3) energy = field.integer();
    if (field.number == 4) users.push_back(field.bytes);
  });
  if (!consumer) return is_good;
  const std::string name = name_in(consumers_, *consumer, "consumer");
  if (energy) sample("Energy", name + " [uWs]", static_cast<double>(*energy));
  for (const std::string_view user : users) {
    int32_t uid = 0;
    int64_t of_user = 0;
    is_good &= for_each_field(user, [&](const Field& field) {
      if (field.number == 1) uid = field.int32();
      if (field.number == 2) of_user = field.integer();
    });
    sample("Energy",
           fmt::format("{} of {} [uWs]", name, users_.name_of(static_cast<uint64_t>(uid))),
           static_cast<double>(of_user));
  }
  return is_good;
}

bool PowerPackets::add_residency(std::string_view message) {
  bool is_good = true;
  const auto add_name = [&](std::string_view bytes) {
    uint64_t entity = 0, state = 0;
    std::string entity_name, state_name;
    is_good &= for_each_field(bytes, [&](const Field& field) {
      if (field.number == 1) entity = field.value;
      if (field.number == 2) state = field.value;
      if (field.number == 3) entity_name = valid_utf8(field.bytes);
      if (field.number == 4) state_name = valid_utf8(field.bytes);
    });
    if (states_.size() >= kMostPowerNames) return;
    entities_[entity] = std::move(entity_name);
    states_[{entity, state}] = std::move(state_name);
  };
  const auto add_value = [&](std::string_view bytes) {
    uint64_t entity = 0, state = 0, ms = 0, entries = 0;
    is_good &= for_each_field(bytes, [&](const Field& field) {
      if (field.number == 1) entity = field.value;
      if (field.number == 2) state = field.value;
      if (field.number == 3) ms = field.value;
      if (field.number == 4) entries = field.value;
    });
    const auto known = states_.find({entity, state});
    const std::string name =
        fmt::format("{} {}", name_in(entities_, entity, "part"),
                    known == states_.end() ? fmt::format("state {}", state) : known->second);
    sample("Power states", name + " [ms]", static_cast<double>(ms));
    sample("Power states", name + " entries", static_cast<double>(entries));
  };
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) add_name(field.bytes);
    if (field.number == 2) add_value(field.bytes);
  });
  return is_good;
}

// Returns null if there are too many.
PowerPackets::WakeLock* PowerPackets::wake_lock(uint64_t id) {
  if (wake_locks_.size() >= kMostPowerNames) {
    const auto it = wake_locks_.find({sequence_, id});
    return it == wake_locks_.end() ? nullptr : &it->second;
  }
  return &wake_locks_[{sequence_, id}];
}

// From here on its time counts anew.
bool PowerPackets::name_wake_lock(std::string_view message) {
  constexpr std::string_view kGroups[] = {"Wake locks", "Kernel wake locks", "Native wake locks"};
  uint64_t id = 0;
  WakeLock named;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) id = field.value;
    if (field.number == 2) named.name = valid_utf8(field.bytes);
    if (field.number == 3 && field.value < std::size(kGroups)) named.group = kGroups[field.value];
  });
  if (WakeLock* const lock = wake_lock(id)) *lock = std::move(named);
  return is_good;
}

// With the name of a lock comes how long it has been held, and later what came to that.
bool PowerPackets::add_wake_locks(std::string_view message) {
  bool is_good = true;
  std::vector<uint64_t> locks, held_ms;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) is_good &= name_wake_lock(field.bytes);
    if (field.number == 2)
      is_good &= for_each_number(field, [&](uint64_t n) { locks.push_back(n); });
    if (field.number == 3)
      is_good &= for_each_number(field, [&](uint64_t n) { held_ms.push_back(n); });
  });
  for (size_t i = 0; i < std::min(locks.size(), held_ms.size()); ++i) {
    WakeLock* const lock = wake_lock(locks[i]);
    if (lock == nullptr) {
      sink_.loss("wake locks beyond the memory", offset_);
      continue;
    }
    lock->held_ms += held_ms[i];
    if (lock->name.empty()) lock->name = fmt::format("lock {}", locks[i]);
    sample(lock->group, lock->name + " [ms]", static_cast<double>(lock->held_ms));
  }
  return is_good && locks.size() == held_ms.size();
}

}  // namespace weft::formats::perfetto

#include "core/formats/general/perfetto/user_packets.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/general/perfetto/packet_field.h"
#include "core/formats/general/perfetto/system_names.h"
#include "core/formats/general/perfetto/typed_args.h"

namespace weft::formats::perfetto {
namespace {

constexpr std::string_view kNetwork = "Network";

// The numbers of a field, which repeats.
std::vector<uint64_t> numbers_in(std::string_view message, uint32_t number, bool& is_good) {
  std::vector<uint64_t> numbers;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == number)
      is_good &= for_each_number(field, [&](uint64_t n) { numbers.push_back(n); });
  });
  return numbers;
}

}  // namespace

bool UserPackets::add(const Field& data, const Sequence& sequence, std::optional<Time> time,
                      uint64_t offset) {
  constexpr uint32_t kKinds[] = {kPrograms, kAtoms, kNetworkBundle, kAppWakeLocks, kCpuPerUser};
  if (std::ranges::find(kKinds, data.number) == std::end(kKinds)) return false;
  bool is_good = true;
  if (data.number == kPrograms) {
    is_good = add_programs(data.bytes);
  } else if (!time) {
    sink_.loss("packet without a time", offset);
  } else if (data.number == kCpuPerUser) {
    is_good = add_cpu_times(data.bytes, sequence, *time);
  } else if (data.number == kAppWakeLocks) {
    is_good = add_wake_locks(data.bytes, sequence, *time, offset);
  } else if (data.number == kNetworkBundle) {
    is_good = add_network_packets(data.bytes, sequence, *time);
  } else {
    is_good = add_atoms(data.bytes, *time);
  }
  if (!is_good) sink_.loss(fmt::format("{} damaged", packet_kind(data.number)), offset);
  return true;
}

bool UserPackets::add_programs(std::string_view message) {
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& program) {
    if (program.number != 1) return;
    std::string name;
    uint64_t uid = 0;
    is_good &= for_each_field(program.bytes, [&](const Field& field) {
      if (field.number == 1) name = valid_utf8(field.bytes);
      if (field.number == 2) uid = field.value;
    });
    users_.describe(uid, std::move(name));
  });
  return is_good;
}

// The first packet of a writer has what was used until then, those behind it what came to it.
bool UserPackets::add_cpu_times(std::string_view message, const Sequence& sequence, Time time) {
  CpuTimes& known = cpu_times_[sequence.id];
  bool is_good = true;
  for (const uint64_t clusters : numbers_in(message, 1, is_good))
    known.clusters = std::clamp<uint64_t>(clusters, 1, 64);
  const std::vector<uint64_t> users = numbers_in(message, 2, is_good);
  const std::vector<uint64_t> times = numbers_in(message, 3, is_good);
  for (size_t i = 0; i < std::min(times.size(), users.size() * known.clusters); ++i) {
    const uint64_t user = users[i / known.clusters], cluster = i % known.clusters;
    uint64_t& ms = known.ms[{user, cluster}];
    ms += times[i];
    counters_.sample(lanes_.below(counters_.group("CPU of programs [ms]"), users_.name_of(user)),
                     fmt::format("cluster {}", cluster), static_cast<double>(ms), time);
  }
  return is_good && times.size() == users.size() * known.clusters;
}

bool UserPackets::add_wake_locks(std::string_view message, const Sequence& sequence, Time time,
                                 uint64_t offset) {
  bool is_good = true, is_acquired = false;
  std::string_view info;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 3) info = field.bytes;
    if (field.number == 4) is_acquired = field.flag();
  });
  if (!info.empty()) is_good &= add_wake_lock(info, is_acquired, time, offset);
  const std::vector<uint64_t> locks = numbers_in(message, 1, is_good);
  const std::vector<uint64_t> changes = numbers_in(message, 2, is_good);
  for (size_t i = 0; i < std::min(locks.size(), changes.size()); ++i) {
    const Time at{saturating_add(time.ticks, static_cast<int64_t>(changes[i] >> 1))};
    is_good &= add_wake_lock(sequence.text(Interned::kWakeLock, locks[i]), (changes[i] & 1) != 0,
                             at, offset);
  }
  return is_good && locks.size() == changes.size();
}

// A user may hold several at once, which end in any order: each is a stack of its own.
bool UserPackets::add_wake_lock(std::string_view info, bool is_begin, Time time, uint64_t offset) {
  std::vector<Field> fields;
  std::string tag = "wake lock";
  uint64_t user = 0;
  const bool is_good = for_each_field(info, [&](const Field& field) {
    if (field.number == 1) return;  // the number that it was interned by
    fields.push_back(field);
    if (field.number == 2) tag = valid_utf8(field.bytes);
    if (field.number == 5) user = field.value;
  });
  ArgsText args;
  add_typed_arguments(fields, names_of_message("AppWakeLock"), args);
  const std::string identity = args.take();
  Record record{.time = time,
                .stack = std::hash<std::string>()(identity) >> 3 | uint64_t{1} << 62,
                .offset = offset,
                .action = Action::kEnd};
  if (is_begin) {
    record.action = Action::kBegin;
    record.lane = lanes_.below(counters_.group("Wake locks of programs"), users_.name_of(user),
                               trace::LaneKind::kAsync);
    record.type = sink_.type(trace::Category::kState, tag, "wake lock");
    record.args = timeline_.keep_args(identity);
  }
  timeline_.add(record);
  return is_good;
}

// Packets of one connection: each with its time, or, where there were too many, all in one state.
bool UserPackets::add_network_packets(std::string_view message, const Sequence& sequence,
                                      Time time) {
  bool is_good = true;
  std::string_view context;
  uint64_t packets = 0, bytes = 0;
  Duration duration;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) {
      for_each_field(sequence.text(Interned::kNetworkContext, field.value),
                     [&](const Field& inner) {
                       if (inner.number == 2) context = inner.bytes;
                     });
    }
    if (field.number == 2) context = field.bytes;
    if (field.number == 5) packets = field.value;
    if (field.number == 6) duration = field.duration();
    if (field.number == 7) bytes = field.value;
  });
  const MessageNames& names = names_of_message("NetworkPacket");
  std::vector<Field> fields;
  std::string direction = "packet";
  std::optional<uint64_t> user;
  is_good &= for_each_field(context, [&](const Field& field) {
    fields.push_back(field);
    if (field.number == 1) direction = plain_value(field, *names.find(1));
    if (field.number == 4) user = field.value;
  });
  const auto params_of = [&](std::string_view member, uint64_t value) {
    ArgsText args;
    add_typed_arguments(fields, names, args);
    if (user) args.add("program", users_.name_of(*user));
    args.add(member, value);
    if (packets > 0) args.add("packets", packets);
    return sink_.params(args.take());
  };
  const LaneId lane = counters_.group(kNetwork);
  const std::vector<uint64_t> times = numbers_in(message, 3, is_good);
  const std::vector<uint64_t> lengths = numbers_in(message, 4, is_good);
  for (size_t i = 0; i < times.size(); ++i) {
    sink_.give(trace::PunctualEvent{
        .time = Time{saturating_add(time.ticks, static_cast<int64_t>(times[i]))},
        .params = params_of("length", i < lengths.size() ? lengths[i] : 0),
        .lane = lane,
        .type = sink_.type(trace::Category::kPunctual, direction, "network")});
  }
  if (packets == 0) return is_good;
  sink_.give(trace::StateEvent{.begin = time,
                               .duration = duration,
                               .params = params_of("length", bytes),
                               .lane = lanes_.below(lane, "bundles", trace::LaneKind::kAsync),
                               .type = sink_.type(trace::Category::kState, direction, "network")});
  return is_good;
}

// The trace does not describe atoms: they are named by number.
bool UserPackets::add_atoms(std::string_view message, Time time) {
  bool is_good = true;
  const std::vector<uint64_t> times = numbers_in(message, 2, is_good);
  size_t next = 0;
  is_good &= for_each_field(message, [&](const Field& atom) {
    if (atom.number != 1) return;
    const auto own_time =
        next < times.size() ? clocks_.time_of(0, Clocks::kBoottime, times[next]) : std::nullopt;
    ++next;
    is_good &= for_each_field(atom.bytes, [&](const Field& field) {
      std::vector<Field> fields;
      is_good &= for_each_field(field.bytes, [&](const Field& f) { fields.push_back(f); });
      ArgsText args;
      add_typed_arguments(fields, {}, args);
      sink_.give(
          trace::PunctualEvent{.time = own_time.value_or(time),
                               .params = sink_.params(args.take()),
                               .lane = counters_.group("Statistics"),
                               .type = sink_.type(trace::Category::kPunctual,
                                                  fmt::format("atom {}", field.number), "statsd")});
    });
  });
  return is_good;
}

}  // namespace weft::formats::perfetto

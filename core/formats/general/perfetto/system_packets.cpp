#include "core/formats/general/perfetto/system_packets.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/general/perfetto/packet_field.h"
#include "core/formats/general/perfetto/system_names.h"

namespace weft::formats::perfetto {
namespace {

using trace::Category;
using trace::LaneKind;

// The fields of TracePacket.
constexpr std::string_view kLogPriorities[] = {"",     "",        "verbose", "debug",
                                               "info", "warning", "error",   "fatal"};

constexpr uint64_t kNoJank = 1;

// Why a frame was late, as bits: JankType of Perfetto's frame_timeline_event.proto.
std::string jank_names(uint64_t jank) {
  constexpr std::pair<uint64_t, std::string_view> kCauses[] = {
      {0x2, "SurfaceFlinger Scheduling"},
      {0x4, "Prediction Error"},
      {0x8, "Display HAL"},
      {0x10, "SurfaceFlinger CPU Deadline Missed"},
      {0x20, "SurfaceFlinger GPU Deadline Missed"},
      {0x40, "App Deadline Missed"},
      {0x80, "Buffer Stuffing"},
      {0x100, "Unknown Jank"},
      {0x200, "SurfaceFlinger Stuffing"},
      {0x400, "Dropped Frame"}};
  std::string names;
  const auto add = [&](std::string_view name) {
    if (!names.empty()) names += ", ";
    names += name;
  };
  for (const auto& [bit, name] : kCauses) {
    if ((jank & bit) != 0) add(name);
    jank &= ~bit;
  }
  if (jank > kNoJank) add(fmt::format("{:#x}", jank));
  return names;
}

// A value of an event that is numbers and texts instead of one text.
bool add_log_value(std::string_view message, ArgsText& args) {
  constexpr uint32_t kInteger = 2, kReal = 3, kText = 4;
  Field value;
  std::string_view name = "value";
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1 && !field.bytes.empty()) name = field.bytes;
    if (field.number >= kInteger && field.number <= kText) value = field;
  });
  args.name(name);
  if (value.number == kInteger) {
    args.number(value.integer());
  } else if (value.number == kReal) {
    args.number(static_cast<double>(value.real32()));
  } else {
    args.text(value.bytes);
  }
  return is_good;
}

}  // namespace

bool SystemPackets::add(const Field& data, std::optional<Time> time, uint64_t offset) {
  const Now now{time.value_or(Time{}), offset};
  bool is_good = true;
  switch (data.number) {
    case kProcessTree:
      is_good = add_process_tree(data.bytes);
      break;
    case kSystemInfo:
      is_good = add_system_info(data.bytes);
      break;
    case kTraceUuid:
      is_good = add_uuid(data.bytes);
      break;
    case kFtraceStats:
      is_good = add_ftrace_stats(data.bytes, now);
      break;
    case kTraceStats:
      is_good = add_trace_stats(data.bytes);
      break;
    case kAndroidLog:
      is_good = add_log(data.bytes, now);
      break;
    case kSysStats:
    case kProcessStats:
    case kServiceEvent:
    case kFrameTimeline:
      if (!time) {
        sink_.loss("packet without a time", offset);
        return true;
      }
      is_good = data.number == kSysStats       ? add_system_stats(data.bytes, now)
                : data.number == kProcessStats ? add_process_stats(data.bytes, now)
                : data.number == kServiceEvent ? add_service_event(data.bytes, now)
                                               : add_frame(data.bytes, now);
      break;
    default:
      return false;
  }
  if (!is_good) sink_.loss(fmt::format("{} damaged", packet_kind(data.number)), offset);
  return true;
}

bool SystemPackets::add_process_tree(std::string_view message) {
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number != 1 && field.number != 2) return;
    int32_t id = -1, tgid = -1;
    std::string_view name;
    const bool is_process = field.number == 1;
    is_good &= for_each_field(field.bytes, [&](const Field& inner) {
      if (inner.number == 1) id = inner.int32();
      if (!is_process && inner.number == 2) name = inner.bytes;
      if (is_process && inner.number == 3 && name.empty()) name = inner.bytes;
      if (!is_process && inner.number == 3) tgid = inner.int32();
    });
    if (is_process) {
      lanes_.describe_process(id, name);
      lanes_.describe_task(id, {}, id);
    } else {
      lanes_.describe_task(id, name, tgid);
    }
  });
  return is_good;
}

bool SystemPackets::add_process_stats(std::string_view message, const Now& now) {
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& process) {
    if (process.number != 1) return;
    constexpr uint32_t kOpenFile = 15;
    int32_t pid = -1;
    uint64_t files = 0;
    is_good &= for_each_field(process.bytes, [&](const Field& field) {
      if (field.number == 1) pid = field.int32();
      if (field.number == kOpenFile) ++files;
      const std::string_view name = process_counter(field.number);
      if (field.is_bytes || name.empty() || pid < 0) return;
      sample(lanes_.process(pid), name, static_cast<double>(field.integer()), now);
    });
    if (files > 0 && pid >= 0)
      sample(lanes_.process(pid), "open_files", static_cast<double>(files), now);
  });
  return is_good;
}

bool SystemPackets::add_cpu_times(std::string_view message, const Now& now) {
  uint32_t cpu = 0;
  return for_each_field(message, [&](const Field& field) {
    if (field.number == 1) cpu = field.uint32();
    const std::string_view name = cpu_counter(field.number);
    if (!name.empty()) sample(lanes_.cpu(cpu), name, static_cast<double>(field.value), now);
  });
}

bool SystemPackets::add_disk(std::string_view message, const Now& now) {
  std::string device;
  return for_each_field(message, [&](const Field& field) {
    if (field.number == 1) device = field.bytes;
    const std::string_view name = disk_counter(field.number);
    if (!name.empty())
      sample(lanes_.below(group("Disks"), device), name, static_cast<double>(field.value), now);
  });
}

bool SystemPackets::add_system_stats(std::string_view message, const Now& now) {
  constexpr uint32_t kCollectionEnd = 9;
  uint32_t cpu = 0, gpu = 0;  // of frequencies, which are listed
  bool is_good = true;
  // A pair of a key and a value.
  const auto add_pair = [&](std::string_view pair, std::string_view where, const auto& name_of) {
    Field key, value;
    is_good &= for_each_field(pair, [&](const Field& field) {
      if (field.number == 1) key = field;
      if (field.number == 2) value = field;
    });
    const std::string_view name = name_of(key);
    sample(group(where), name.empty() ? fmt::format("counter {}", key.value) : std::string(name),
           static_cast<double>(value.value), now);
  };
  const auto by_name = [](const Field& key) { return key.bytes; };
  const auto no_name = [](const Field&) { return std::string_view(); };
  is_good &= for_each_field(message, [&](const Field& field) {
    const auto value = static_cast<double>(field.value);
    switch (field.number) {
      case 1:
        return add_pair(field.bytes, "Memory [kB]",
                        [](const Field& key) { return memory_counter(key.value); });
      case 2:
        return add_pair(field.bytes, "Virtual memory",
                        [](const Field& key) { return virtual_memory_counter(key.value); });
      case 3:
        is_good &= add_cpu_times(field.bytes, now);
        return;
      case 4:
        return sample(group("System"), "forks", value, now);
      case 5:
        return sample(group("System"), "interrupts", value, now);
      case 7:
        return sample(group("System"), "soft interrupts", value, now);
      case 10:
        return add_pair(field.bytes, "Device frequencies", by_name);
      case 11:
        return sample(lanes_.cpu(cpu++), "frequency", value, now);
      case 13:
        is_good &= add_disk(field.bytes, now);
        return;
      case 15:
        is_good &= add_temperature(field.bytes, now);
        return;
      case 6:
        return add_pair(field.bytes, "Interrupts", no_name);
      case 8:
        return add_pair(field.bytes, "Soft interrupts", no_name);
      case 12:
        is_good &= add_free_pages(field.bytes, now);
        return;
      case 14:
        return add_pair(field.bytes, "Pressure stalls [ns]",
                        [](const Field& key) { return pressure_counter(key.value); });
      case 16:
        is_good &= add_idle_times(field.bytes, now);
        return;
      case 17:
        return sample(group("GPU"), fmt::format("frequency {} [MHz]", gpu++), value, now);
      case 18:
        is_good &= add_slab(field.bytes, now);
        return;
      default:
        if (field.number != kCollectionEnd)
          sink_.note(fmt::format("system statistics not shown: number {}", field.number),
                     now.offset);
    }
  });
  return is_good;
}

// Of a zone, which is called by its type; others of the same type by their own names as well.
bool SystemPackets::add_temperature(std::string_view message, const Now& now) {
  std::string name, type;
  uint64_t temperature = 0;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) name = field.bytes;
    if (field.number == 2) temperature = field.value;
    if (field.number == 3) type = field.bytes;
  });
  const auto [first, is_new] = zones_.try_emplace(type, name);
  const std::string shown = type.empty()            ? name
                            : first->second == name ? type
                                                    : fmt::format("{} ({})", type, name);
  sample(group("Temperatures"), shown, static_cast<double>(temperature), now);
  return is_good;
}

// Free blocks of a memory zone, by their size: 2^order pages.
bool SystemPackets::add_free_pages(std::string_view message, const Now& now) {
  std::string_view node, zone;
  uint32_t order = 0;
  bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) node = field.bytes;
    if (field.number == 2) zone = field.bytes;
  });
  const LaneId lane = lanes_.below(group("Free blocks"), fmt::format("{} {}", node, zone));
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number != 3) return;
    is_good &= for_each_number(field, [&](uint64_t count) {
      sample(lane, fmt::format("order {}", order++), static_cast<double>(count), now);
    });
  });
  return is_good;
}

bool SystemPackets::add_idle_times(std::string_view message, const Now& now) {
  uint32_t cpu = 0;
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& entry) {
    if (entry.number == 1) cpu = entry.uint32();
    if (entry.number != 2) return;
    std::string_view state;
    uint64_t us = 0;
    is_good &= for_each_field(entry.bytes, [&](const Field& field) {
      if (field.number == 1) state = field.bytes;
      if (field.number == 2) us = field.value;
    });
    sample(lanes_.cpu(cpu), fmt::format("idle in {} [us]", state), static_cast<double>(us), now);
  });
  return is_good;
}

bool SystemPackets::add_slab(std::string_view message, const Now& now) {
  std::string_view name;
  uint64_t pages = 0, slabs = 0;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) name = field.bytes;
    if (field.number == 2) pages = field.value;
    if (field.number == 3) slabs = field.value;
  });
  sample(group("Slabs [pages]"), name, static_cast<double>(pages) * static_cast<double>(slabs),
         now);
  return is_good;
}

bool SystemPackets::add_system_info(std::string_view message) {
  constexpr uint32_t kMachineName = 17, kRelease = 3, kArchitecture = 4;
  constexpr std::pair<uint32_t, std::string_view> kTexts[] = {
      {2, "android_build_fingerprint"}, {4, "tracing_service_version"},
      {9, "android_soc_model"},         {14, "android_manufacturer"},
      {kMachineName, "machine_name"},   {10, "android_hardware_revision"},
      {11, "android_storage_model"},    {12, "android_ram_model"},
  };
  constexpr std::pair<uint32_t, std::string_view> kNumbers[] = {
      {5, "android_sdk_version"},
      {6, "page_size"},
      {8, "cpus"},
      {16, "ram_bytes"},
  };
  constexpr std::string_view kNames[] = {"", "system", "system_version", "system_release",
                                         "machine"};
  const auto say = [&](std::string_view key, const std::string& value) {
    sink_.set_metadata(key_of_machine(key, machine_), value);
  };
  return for_each_field(message, [&](const Field& field) {
    if (field.number == 1) {
      for_each_field(field.bytes, [&](const Field& inner) {
        if (inner.number < std::size(kNames)) say(kNames[inner.number], valid_utf8(inner.bytes));
        if (inner.number == kRelease) kernel_.set_release(inner.bytes);
        if (inner.number == kArchitecture) kernel_.set_architecture(inner.bytes);
      });
    }
    const auto* const number =
        std::ranges::find(kNumbers, field.number, &std::pair<uint32_t, std::string_view>::first);
    if (number != std::end(kNumbers)) say(number->second, std::to_string(field.value));
    const bool is_name = field.number == kMachineName && machine_ != 0 && !field.bytes.empty();
    if (is_name)
      sink_.update_lane(lanes_.root(),
                        lane_of_machine(fmt::format("{} ({})", valid_utf8(field.bytes), machine_)));
    const auto* const text =
        std::ranges::find(kTexts, field.number, &std::pair<uint32_t, std::string_view>::first);
    if (text != std::end(kTexts)) say(text->second, valid_utf8(field.bytes));
  });
}

bool SystemPackets::add_uuid(std::string_view message) {
  uint64_t high = 0, low = 0;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) high = field.value;
    if (field.number == 2) low = field.value;
  });
  sink_.set_metadata("trace_uuid", fmt::format("{:016x}{:016x}", high, low));
  return is_good;
}

bool SystemPackets::add_log(std::string_view message, const Now& now) {
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) is_good &= add_log_event(field.bytes, now);
    if (field.number != 2) return;
    for_each_field(field.bytes, [&](const Field& inner) {
      if (inner.number == 2 && inner.value > 0)
        sink_.loss("log messages that could not be read", now.offset, inner.value);
    });
  });
  return is_good;
}

bool SystemPackets::add_log_event(std::string_view message, const Now& now) {
  int32_t pid = -1, tid = -1;
  uint64_t realtime = 0;
  std::string_view tag, text, priority;
  ArgsText args;
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 2) pid = field.int32();
    if (field.number == 3) tid = field.int32();
    if (field.number == 5) realtime = field.value;
    if (field.number == 6) tag = field.bytes;
    if (field.number == 7 && field.value < std::size(kLogPriorities))
      priority = kLogPriorities[field.value];
    if (field.number == 8) text = field.bytes;
    if (field.number == 9) is_good &= add_log_value(field.bytes, args);
  });
  const auto time = clocks_.time_of(0, Clocks::kRealtime, realtime);
  if (!time) {
    sink_.loss("time of an unknown clock", now.offset);
    return is_good;
  }
  if (!text.empty() || args.is_empty()) args.add("message", text);
  args.add("priority", priority);
  sink_.give(trace::PunctualEvent{.time = *time,
                                  .params = sink_.params(args.take()),
                                  .lane = tid >= 0 ? lanes_.task(tid, {}, pid) : group("Log"),
                                  .type = sink_.type(Category::kPunctual, valid_utf8(tag), "log")});
  return is_good;
}

// Frames are expected and actual, of the display and of surfaces; they begin and end by a cookie.
bool SystemPackets::add_frame(std::string_view message, const Now& now) {
  constexpr uint32_t kActualDisplay = 2, kExpectedSurface = 3, kActualSurface = 4, kEnd = 5;
  Field part;
  bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.is_bytes) part = field;
  });
  const bool is_surface = part.number == kExpectedSurface || part.number == kActualSurface;
  const bool is_actual = part.number == kActualDisplay || part.number == kActualSurface;
  uint64_t cookie = 0, jank = 0;
  int32_t pid = -1;
  ArgsText args;
  is_good &= for_each_field(part.bytes, [&](const Field& field) {
    if (field.number == 1) cookie = field.value;
    if (part.number == kEnd) return;
    if (field.number == 2) args.add("token", field.value);
    if (field.number == (is_surface ? 4U : 3U)) pid = field.int32();
    if (is_surface && field.number == 3) args.add("display_frame_token", field.value);
    if (is_surface && field.number == 5) args.add("layer", field.bytes);
    if (is_actual && field.number == (is_surface ? 9U : 7U)) jank = field.value;
    if (is_actual && field.number == (is_surface ? 7U : 5U)) args.add("on_time", field.value);
  });
  const bool is_janky = jank > kNoJank;
  if (is_janky) args.add("jank_type", jank_names(jank));
  Record record{.time = now.time,
                .stack = cookie | uint64_t{3} << 61,
                .offset = now.offset,
                .action = Action::kEnd};
  if (part.number != kEnd) {
    const std::string name = fmt::format("{} {} frame", is_actual ? "actual" : "expected",
                                         is_surface ? "surface" : "display");
    record.action = Action::kBegin;
    record.lane = lanes_.below(pid < 0 ? group("Frames") : lanes_.process(pid),
                               is_actual ? "actual frames" : "expected frames", LaneKind::kAsync);
    record.type = sink_.type(Category::kState, is_janky ? "late " + name : name, "frames");
    if (is_janky) sink_.set_type_color(record.type, 0xC0504D);
    record.args = timeline_.keep_args(args.take());
  }
  timeline_.add(record);
  return is_good;
}

// The last packet of this kind says all: the numbers only grow.
bool SystemPackets::add_trace_stats(std::string_view message) {
  constexpr std::pair<uint32_t, std::string_view> kLost[] = {
      {18, "chunks of data discarded by the recorder"},
      {19, "packets lost by writers whose buffer was full"},
      {6, "chunks of data that the recorder could not put together"},
      {9, "chunks of data that were not as agreed"},
      {3, "chunks of data overwritten in the ring buffer"},
  };
  std::map<std::string_view, uint64_t> lost;
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number != 1) return;
    is_good &= for_each_field(field.bytes, [&](const Field& inner) {
      const auto* const kind =
          std::ranges::find(kLost, inner.number, &std::pair<uint32_t, std::string_view>::first);
      if (kind != std::end(kLost) && inner.value > 0) lost[kind->second] += inner.value;
    });
  });
  lost_ = std::move(lost);
  return is_good;
}

// The kernel's counts never begin anew: what matters is what came to them during the trace.
bool SystemPackets::add_ftrace_stats(std::string_view message, const Now& now) {
  constexpr uint64_t kStart = 1;
  uint64_t phase = 0;
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) phase = field.value;
    if (field.number != 2) return;
    uint32_t cpu = 0;
    uint64_t count = 0;
    is_good &= for_each_field(field.bytes, [&](const Field& inner) {
      if (inner.number == 1) cpu = inner.uint32();
      if (inner.number == 3 || inner.number == 8) count += inner.value;
    });
    if (phase == kStart) {
      overwritten_[cpu] = count;
    } else if (count > overwritten_[cpu]) {
      sink_.loss("events overwritten in the kernel's buffer", {now.offset, lanes_.cpu(cpu)},
                 count - overwritten_[cpu]);
    }
  });
  return is_good;
}

bool SystemPackets::add_service_event(std::string_view message, const Now& now) {
  constexpr std::string_view kEvents[] = {"",
                                          "all data sources started",
                                          "tracing started",
                                          "all data sources flushed",
                                          "reading completed",
                                          "tracing disabled",
                                          "seized for bug report",
                                          "slow data sources",
                                          "slow data sources in flush",
                                          "flush started",
                                          "clone started",
                                          "buffer cloned"};
  return for_each_field(message, [&](const Field& field) {
    constexpr size_t kMostKept = 1 << 16;
    if (field.number >= std::size(kEvents)) return;
    if (recorded_.size() < kMostKept) {
      recorded_.emplace_back(now.time, kEvents[field.number]);
    } else {
      sink_.note("event of the recorder beyond the most that are kept", now.offset);
    }
  });
}

// A recorder whose buffers are rings begins long before what is left in them: what it did then
// would be most of the time shown.
void SystemPackets::tell_recorder() {
  const bool is_alone = told_.is_empty();
  for (const auto& [time, name] : recorded_) {
    if (!is_alone && !told_.holds(time)) {
      sink_.note(fmt::format("before or after all else: {}", name), trace::LossPlace::nowhere());
      continue;
    }
    sink_.give(trace::PunctualEvent{.time = time,
                                    .lane = counters_.group("Recorder", kBehindProcesses),
                                    .type = sink_.type(Category::kPunctual, name, "recorder")});
  }
}

void SystemPackets::finish() {
  tell_recorder();
  for (const auto& [kind, count] : lost_) {
    // A ring buffer is meant to overwrite what is old.
    const bool is_damage = kind.find("overwritten") == std::string_view::npos;
    sink_.loss(kind, trace::LossPlace::nowhere(), count, is_damage);
  }
}

}  // namespace weft::formats::perfetto

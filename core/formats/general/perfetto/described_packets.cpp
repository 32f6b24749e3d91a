#include "core/formats/general/perfetto/described_packets.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"
#include "core/formats/general/perfetto/packet_field.h"
#include "core/formats/general/perfetto/system_names.h"
#include "core/formats/general/perfetto/system_packets.h"
#include "core/formats/general/perfetto/typed_args.h"

namespace weft::formats::perfetto {
namespace {

constexpr uint32_t kProperties = 86;

// The variable whose values a property of Android has; empty: of none.
std::string variable_of_property(std::string_view name) {
  if (!take_prefix(name, "debug.tracing.")) return {};
  if (name == "screen_state") return "ScreenState";
  const bool is_variable = name.starts_with("battery_stats.") || name == "mcc" || name == "mnc";
  return is_variable ? valid_utf8(name) : std::string();
}

// Of a capture of views, whose they are.
void add_interned_names(const std::vector<Field>& fields, const MessageNames& names,
                        const Sequence& sequence, ArgsText& args) {
  if (&names != &names_of_message("ViewCapture")) return;
  for (const Field& field : fields) {
    if (field.number == 1) args.add("package", sequence.text(Interned::kViewPackage, field.value));
    if (field.number == 2) args.add("window", sequence.text(Interned::kViewWindow, field.value));
  }
}

}  // namespace

struct DescribedPackets::Kind {
  enum class Shows : uint8_t {
    kEvent,
    kEachEvent,  // every message in it is an event
    kMetadata,
    kPairs,  // of a key and a value, in the field `number`
  };
  uint32_t packet;
  std::string_view message;
  std::string_view group;  // where its events lie that are of no thread
  Shows shows = Shows::kEvent;
  uint32_t number = 0;
};

const DescribedPackets::Kind* DescribedPackets::find_kind(uint32_t packet) {
  constexpr Kind::Shows kEach = Kind::Shows::kEachEvent, kMetadata = Kind::Shows::kMetadata,
                        kPairs = Kind::Shows::kPairs;
  static constexpr Kind kKinds[] = {
      {5, "", "", kPairs, 2},  // chrome_events
      {33, "TraceConfig", "", kMetadata},
      {46, "Trigger", "Recorder"},
      {48, "ChromeBenchmark", "", kMetadata},
      {49, "Metatrace", "Recorder"},
      {51, "ChromeMetadata", "", kMetadata},
      {57, "GraphicsFrame", "Graphics buffers", kEach},
      {kVulkanMemory, "VulkanMemory", "GPU"},
      {63, "GpuLog", "GPU"},
      {kVulkanApi, "VulkanApi", "GPU", kEach},
      {67, "CpuInfo", "", kMetadata},
      {70, "DisplayState", "Display"},
      {78, "UiState", "", kMetadata},
      {80, "CameraFrame", "Camera"},
      {81, "CameraSession", "Camera"},
      {kGames, "Games", "", kMetadata},
      {kProperties, "Property", "System properties", kEach},
      {88, "NetworkPacket", "Network"},
      {90, "RangeOfInterest", "", kMetadata},
      {93, "Layers", "SurfaceFlinger"},
      {94, "Transactions", "SurfaceFlinger"},
      {97, "TransitionHandlers", "", kMetadata},
      {106, "Input", "Input", kEach},
      {109, "ChromeTrigger", "Recorder"},
      {112, "Winscope", "Windows", kEach},
      {113, "Trigger", "Recorder"},
      {114, "Bluetooth", "Bluetooth"},
      {121, "Evdev", "Input"},
      {123, "UserList", "", kMetadata},
      {124, "Provenance", "", kMetadata},
      {126, "", "", kPairs, 1},  // trace_attributes
      {127, "Aflags", "", kMetadata},
      {kGpuInfo, "GpuInfo", "", kMetadata},
      {130, "Interrupts", "", kMetadata},
      {131, "ArtProcess", "Processes"},
      {132, "Journal", "Log"},
      {134, "ConcurrentSession", "Recorder"},
  };
  const Kind* const kind = std::ranges::find(kKinds, packet, &Kind::packet);
  return kind == std::end(kKinds) ? nullptr : kind;
}

bool DescribedPackets::add(const Field& data, const Sequence& sequence, std::optional<Time> time,
                           uint64_t offset) {
  const Kind* const kind = find_kind(data.number);
  if (kind == nullptr) return false;
  const bool is_event = kind->shows <= Kind::Shows::kEachEvent;
  if (is_event && !time) {
    sink_.loss("packet without a time", offset);
    return true;
  }
  const bool is_good = is_event ? add_events(*kind, data.bytes, sequence, *time, offset)
                       : kind->shows == Kind::Shows::kMetadata
                           ? add_metadata(*kind, data.bytes)
                           : add_pairs(*kind, data.bytes, offset);
  if (!is_good) sink_.loss(fmt::format("{} damaged", packet_kind(data.number)), offset);
  return true;
}

bool DescribedPackets::add_events(const Kind& kind, std::string_view message,
                                  const Sequence& sequence, Time time, uint64_t offset) {
  const MessageNames& names = names_of_message(kind.message);
  if (kind.shows == Kind::Shows::kEvent)
    return add_event(kind, message, names, packet_kind(kind.packet), sequence, time, offset);
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    const FieldName* const name = names.find(field.number);
    if (kind.packet == kProperties && add_variable(kind, field.bytes, time)) return;
    if (name != nullptr && field.is_bytes)
      is_good &= add_event(kind, field.bytes, names_of_message(name->message), name->name, sequence,
                           time, offset);
  });
  return is_good;
}

// Returns false if the property is no variable's.
bool DescribedPackets::add_variable(const Kind& kind, std::string_view property, Time time) {
  std::string name;
  std::optional<double> value;
  for_each_field(property, [&](const Field& field) {
    if (field.number == 1) name = variable_of_property(field.bytes);
    if (field.number == 2) value = parse_number<double>(field.bytes);
  });
  if (name.empty() || !value) return false;
  counters_.sample(counters_.group(kind.group), name, *value, time);
  return true;
}

// A state where it says how long it took; on its thread's lane, or its process's, where it says
// whose it is.
bool DescribedPackets::add_event(const Kind& kind, std::string_view event,
                                 const MessageNames& names, std::string_view name,
                                 const Sequence& sequence, Time time, uint64_t offset) {
  std::vector<Field> fields;
  const bool is_good = for_each_field(event, [&](const Field& field) { fields.push_back(field); });
  std::string own_name, process_name;
  int32_t pid = -1, tid = -1;
  std::optional<Duration> duration;
  for (const Field& field : fields) {
    const FieldName* const known = names.find(field.number);
    if (known == nullptr) continue;
    if (known->names_event) own_name = plain_value(field, *known);
    if (known->name == "pid") pid = field.int32();
    if (known->name == "process_name") process_name = plain_value(field, *known);
    if (known->name == "tid") tid = field.int32();
    if (known->name == "duration_ns") duration = field.duration();
    if (known->name == "failed" && field.value > 0)
      sink_.loss("log messages that could not be read", offset, field.value);
  }
  if (pid > 0) lanes_.describe_process(pid, process_name);
  if (!names.shows_others)
    sink_.note(fmt::format("{} shown in part: \"{}\"", packet_kind(kind.packet), name), offset);
  ArgsText args;
  add_interned_names(fields, names, sequence, args);
  add_typed_arguments(fields, names, args);
  const std::string_view shown = own_name.empty() ? name : own_name;
  const LaneId lane = tid > 0   ? lanes_.task(tid, {}, pid)
                      : pid > 0 ? lanes_.process(pid)
                                : counters_.group(kind.group);
  const ParamsId params = sink_.params(args.take());
  if (duration) {
    sink_.give(trace::StateEvent{
        .begin = time,
        .duration = *duration,
        .params = params,
        .lane = lane,
        .type = sink_.type(trace::Category::kState, shown, packet_kind(kind.packet))});
  } else {
    sink_.give(trace::PunctualEvent{
        .time = time,
        .params = params,
        .lane = lane,
        .type = sink_.type(trace::Category::kPunctual, shown, packet_kind(kind.packet))});
  }
  return is_good;
}

bool DescribedPackets::add_metadata(const Kind& kind, std::string_view message) {
  const MessageNames& names = names_of_message(kind.message);
  std::map<uint32_t, std::vector<Field>> fields;
  const bool is_good =
      for_each_field(message, [&](const Field& field) { fields[field.number].push_back(field); });
  for (auto& [number, values] : fields) {
    const FieldName* const name = names.find(number);
    if (name == nullptr) continue;
    say(fmt::format("{}.{}", packet_kind(kind.packet), name->name),
        value_of_metadata(values, *name));
  }
  return is_good;
}

bool DescribedPackets::add_pairs(const Kind& kind, std::string_view message, uint64_t offset) {
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& pair) {
    if (pair.number != kind.number) {
      // Chrome's events, and logs of the system, as it wrote them before there were tracks.
      return sink_.note(
          fmt::format("{} not shown: number {}", packet_kind(kind.packet), pair.number), offset);
    }
    std::string key, value;
    is_good &= for_each_field(pair.bytes, [&](const Field& field) {
      (field.number == 1 ? key : value) = plain_value(field, {});
    });
    if (!key.empty()) say(fmt::format("{}.{}", packet_kind(kind.packet), key), value);
  });
  return is_good;
}

// Truncated to what a table of properties can show.
void DescribedPackets::say(std::string_view key, std::string_view value) {
  constexpr size_t kMostBytes = 4096;
  std::string shown(value.substr(0, kMostBytes));
  if (value.size() > kMostBytes) shown = valid_utf8(shown) + "…";
  sink_.set_metadata(key_of_machine(valid_utf8(key), machine_), shown);
}

}  // namespace weft::formats::perfetto

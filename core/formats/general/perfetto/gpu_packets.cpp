#include "core/formats/general/perfetto/gpu_packets.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "core/base/text.h"
#include "core/formats/general/perfetto/packet_field.h"
#include "core/formats/general/perfetto/system_names.h"

namespace weft::formats::perfetto {
namespace {

constexpr size_t kMostGpuNames = 1 << 16;

// By GpuCounterDescriptor.MeasureUnit.
constexpr std::string_view kUnits[] = {
    "",      "bit", "kbit", "Mbit",       "Gbit",      "Tbit",        "Pbit",
    "bytes", "kB",  "MB",   "GB",         "TB",        "PB",          "Hz",
    "kHz",   "MHz", "GHz",  "THz",        "PHz",       "ns",          "us",
    "ms",    "s",   "min",  "h",          "vertices",  "pixels",      "triangles",
    "mW",    "W",   "kW",   "J",          "V",         "A",           "°C",
    "°F",    "K",   "%",    "primitives", "fragments", "instructions"};

// A unit of several parts: "bytes/s", "pixels*bit/s/W".
class UnitText {
 public:
  void add(uint64_t unit, bool is_below) {
    constexpr size_t kMostBytes = 64;
    const bool is_known = unit < std::size(kUnits) && !kUnits[unit].empty();
    if (!is_known || text_.size() + below_.size() > kMostBytes) return;
    if (is_below) {
      below_ += fmt::format("/{}", kUnits[unit]);
    } else {
      text_ += fmt::format("{}{}", text_.empty() ? "" : "*", kUnits[unit]);
    }
  }
  // " [bytes/s]"; empty: nothing was said.
  std::string in_brackets() const {
    if (text_.empty() && below_.empty()) return {};
    return fmt::format(" [{}{}]", text_.empty() ? "1" : text_, below_);
  }

 private:
  std::string text_, below_;
};

}  // namespace

bool GpuPackets::add(const Field& data, const Sequence& sequence, std::optional<Time> time,
                     uint64_t offset) {
  if (data.number == kVulkanMemory) {
    const bool is_good = !time || add_vulkan_memory(data.bytes, *time);
    if (!is_good) sink_.loss(fmt::format("{} damaged", packet_kind(data.number)), offset);
    return false;
  }
  if (data.number != kGpuCounters && data.number != kGpuMemory) return false;
  // Descriptions of counters need none.
  bool has_values = data.number != kGpuCounters;
  for_each_field(data.bytes, [&](const Field& field) { has_values |= field.number == 2; });
  if (!time && has_values) {
    sink_.loss("packet without a time", offset);
    return true;
  }
  const Time now = time.value_or(Time{});
  const bool is_good = data.number == kGpuCounters
                           ? add_gpu_counters(data.bytes, sequence, now, offset)
                           : add_gpu_memory(data.bytes, now);
  if (!is_good) sink_.loss(fmt::format("{} damaged", packet_kind(data.number)), offset);
  return true;
}

bool GpuPackets::add_gpu_counters(std::string_view message, const Sequence& sequence, Time time,
                                  uint64_t offset) {
  std::optional<int32_t> gpu;
  std::string_view interned;
  bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 3) gpu = field.int32();
    if (field.number == 4) interned = sequence.text(Interned::kGpuCounters, field.value);
  });
  const auto add_value = [&](std::string_view counter) {
    uint32_t id = 0;
    double value = 0;
    is_good &= for_each_field(counter, [&](const Field& field) {
      if (field.number == 1) id = field.uint32();
      if (field.number == 2) value = static_cast<double>(field.integer());
      if (field.number == 3) value = field.real();
    });
    add_gpu_value({gpu.value_or(gpu_of(id)), id, sequence.id}, value, time, offset);
  };
  const auto add_specs = [&](std::string_view descriptor) {
    is_good &= for_each_field(descriptor, [&](const Field& field) {
      if (field.number == 1) is_good &= describe_counter(field.bytes, gpu.value_or(0), sequence.id);
    });
  };
  for_each_field(interned, [&](const Field& field) {
    if (field.number == 3) gpu = field.int32();
  });
  for_each_field(interned, [&](const Field& field) {
    if (field.number == 2) add_specs(field.bytes);
  });
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) add_specs(field.bytes);
    if (field.number == 2) add_value(field.bytes);
  });
  return is_good;
}

bool GpuPackets::describe_counter(std::string_view spec, int32_t gpu, uint32_t sequence) {
  constexpr uint64_t kForward = 2;
  uint32_t id = 0;
  std::string name;
  UnitText unit;
  bool is_forward = false, is_good = true;
  is_good &= for_each_field(spec, [&](const Field& field) {
    if (field.number == 1) id = field.uint32();
    if (field.number == 2) name = valid_utf8(field.bytes);
    if (field.number == 7 || field.number == 8)
      is_good &= for_each_number(field, [&](uint64_t n) { unit.add(n, field.number == 8); });
    if (field.number == 11) is_forward = field.value == kForward;
  });
  if (gpu_counters_.size() >= kMostGpuNames) return is_good;
  int32_t& first = gpu_of_counter_.try_emplace(id, gpu).first->second;
  first = std::min(first, gpu);
  GpuCounter& counter = gpu_counters_[{gpu, id, sequence}];
  counter.name = (name.empty() ? fmt::format("counter {}", id) : name) + unit.in_brackets();
  counter.is_forward = is_forward;
  return is_good;
}

// Counters of which only their description says of which GPU they are have numbers that no other
// has.
int32_t GpuPackets::gpu_of(uint32_t counter) const {
  const auto it = gpu_of_counter_.find(counter);
  return it == gpu_of_counter_.end() ? 0 : it->second;
}

// A writer's own counter, or the one that another describes for all. Returns null if there are too
// many.
GpuPackets::GpuCounter* GpuPackets::find_counter(const CounterId& id) {
  if (const auto own = gpu_counters_.find(id); own != gpu_counters_.end()) return &own->second;
  const auto& [gpu, number, sequence] = id;
  const auto others = gpu_counters_.lower_bound({gpu, number, 0});
  if (others != gpu_counters_.end()) {
    const auto& [its_gpu, its_number, its_sequence] = others->first;
    if (its_gpu == gpu && its_number == number) return &others->second;
  }
  if (gpu_counters_.size() >= kMostGpuNames) return nullptr;
  GpuCounter& counter = gpu_counters_[id];
  counter.name = fmt::format("counter {}", number);
  return &counter;
}

// Mostly a value is that of the time before it, since the counter was read last.
void GpuPackets::add_gpu_value(const CounterId& id, double value, Time time, uint64_t offset) {
  const LaneId parent = counters_.gpu(std::get<0>(id));
  GpuCounter* const counter = find_counter(id);
  if (counter == nullptr)
    return counters_.sample(parent, fmt::format("counter {}", std::get<1>(id)), value, time);
  if (counter->is_forward) return counters_.sample(parent, counter->name, value, time);
  if (counter->last) {
    counters_.sample(parent, counter->name, value, *counter->last);
  } else {
    const LaneId lane = lanes_.below(parent, counter->name, trace::LaneKind::kCounter);
    sink_.note("value of a GPU's counter before its first time", {offset, lane, time});
  }
  counter->last = time;
}

// Behind their last times nothing is known of counters: they end as they do in Perfetto.
void GpuPackets::finish() {
  for (const auto& [key, counter] : gpu_counters_)
    if (counter.last)
      counters_.sample(counters_.gpu(std::get<0>(key)), counter.name, 0, *counter.last);
}

// For a process or, if none is given, in total.
bool GpuPackets::add_gpu_memory(std::string_view message, Time time) {
  int32_t number = 0, pid = 0;
  double bytes = 0;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) number = field.int32();
    if (field.number == 2) pid = field.int32();
    if (field.number == 3) bytes = static_cast<double>(field.value);
  });
  counters_.sample(pid > 0 ? lanes_.process(pid) : counters_.gpu(number), "GPU memory [bytes]",
                   bytes, time);
  return is_good;
}

// The driver's memory by what it is for, that of devices by its type: allocated, and bound to
// buffers and images.
bool GpuPackets::add_vulkan_memory(std::string_view message, Time time) {
  enum Source : uint64_t { kDriver = 1, kDeviceMemory = 3, kBuffer = 4, kImage = 5 };
  enum Operation : uint64_t { kCreate = 1, kDestroy = 2, kBind = 3, kDestroyBound = 4 };
  constexpr std::string_view kScopes[] = {"",       "commands", "objects",
                                          "caches", "devices",  "instances"};
  uint64_t source = 0, operation = 0, bytes = 0, scope = 0, type = 0;
  int32_t pid = 0;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) source = field.value;
    if (field.number == 2) operation = field.value;
    if (field.number == 4) pid = field.int32();
    if (field.number == 6) bytes = field.value;
    if (field.number == 8) scope = field.value;
    if (field.number == 18) type = field.value;
  });
  const bool is_bound = source == kBuffer || source == kImage;
  const bool is_more = operation == (is_bound ? kBind : kCreate);
  if (!is_more && operation != (is_bound ? kDestroyBound : kDestroy)) return is_good;
  std::string name;
  if (source == kDriver && scope > 0 && scope < std::size(kScopes))
    name = fmt::format("Vulkan's driver, for {} [bytes]", kScopes[scope]);
  if (source == kDeviceMemory)
    name = fmt::format("Vulkan's memory type {}, allocated [bytes]", type);
  if (is_bound) name = fmt::format("Vulkan's memory type {}, bound [bytes]", type);
  if (name.empty()) return is_good;
  const bool has_room = vulkan_bytes_.size() < kMostGpuNames || vulkan_bytes_.contains({pid, name});
  if (!has_room) return is_good;
  double& total = vulkan_bytes_[{pid, name}];
  total += is_more ? static_cast<double>(bytes) : -static_cast<double>(bytes);
  counters_.sample(pid > 0 ? lanes_.process(pid) : counters_.gpu(0), name, total, time);
  return is_good;
}

}  // namespace weft::formats::perfetto

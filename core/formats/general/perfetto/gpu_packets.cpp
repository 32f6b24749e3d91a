#include "core/formats/general/perfetto/gpu_packets.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/formats/base/args_text.h"
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
    if (!is_known || text_.size() > kMostBytes) return;
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

// Something that a program says of its kernel: a name, and a value of any kind.
bool add_compute_argument(std::string_view message, const Sequence& sequence, ArgsText& args) {
  std::string_view name;
  std::optional<Field> value;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) name = sequence.text(Interned::kComputeArgument, field.value);
    if (field.number == 2) name = field.bytes;
    if (field.number >= 3 && field.number <= 7) value = field;
  });
  if (name.empty() || !value) return is_good;
  args.name(name);
  if (value->number == 3) args.number(value->integer());
  if (value->number == 4) args.number(value->value);
  if (value->number == 5) args.number(value->real());
  if (value->number == 6) args.text(value->bytes);
  if (value->number == 7) args.text(sequence.text(Interned::kAnnotationText, value->value));
  return is_good;
}

// What a kernel is, of those that were interned. Returns what it is called in its source.
std::string_view add_compute_kernel(std::string_view kernel, const Sequence& sequence,
                                    ArgsText& args) {
  constexpr std::string_view kNames[] = {"", "", "kernel", "kernel_demangled", "arch"};
  std::string_view name, demangled;
  for_each_field(kernel, [&](const Field& field) {
    if (field.number == 2) name = field.bytes;
    if (field.number == 3) demangled = field.bytes;
    if (field.number >= 2 && field.number < std::size(kNames))
      args.add(kNames[field.number], field.bytes);
    if (field.number == 5) add_compute_argument(field.bytes, sequence, args);
  });
  return demangled.empty() ? name : demangled;
}

// How many groups of how many workers a kernel was started with, as [x,y,z].
bool add_compute_launch(std::string_view launch, const Sequence& sequence, ArgsText& args) {
  bool is_good = true;
  is_good &= for_each_field(launch, [&](const Field& field) {
    if (field.number == 3) is_good &= add_compute_argument(field.bytes, sequence, args);
    if (field.number != 1 && field.number != 2) return;
    uint32_t sizes[] = {1, 1, 1};
    is_good &= for_each_field(field.bytes, [&](const Field& inner) {
      if (inner.number >= 1 && inner.number <= std::size(sizes))
        sizes[inner.number - 1] = inner.uint32();
    });
    args.name(field.number == 1 ? "grid_size" : "workgroup_size");
    args.begin('[');
    for (const uint32_t size : sizes) args.number(size);
    args.end(']');
  });
  return is_good;
}

}  // namespace

bool GpuPackets::add(const Field& data, const Sequence& sequence, std::optional<Time> time,
                     uint64_t offset) {
  constexpr uint32_t kKinds[] = {kGpuCounters, kGpuStage, kGpuMemory};
  if (std::ranges::find(kKinds, data.number) == std::end(kKinds)) return false;
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
                       : data.number == kGpuMemory ? add_gpu_memory(data.bytes, now)
                                                   : add_gpu_stage(data.bytes, sequence, now);
  if (!is_good) sink_.loss(fmt::format("{} damaged", packet_kind(data.number)), offset);
  return true;
}

LaneId GpuPackets::gpu(int32_t number) {
  return counters_.group(number == 0 ? "GPU" : fmt::format("GPU {}", number));
}

bool GpuPackets::add_gpu_counters(std::string_view message, const Sequence& sequence, Time time,
                                  uint64_t offset) {
  int32_t number = 0;
  std::string_view interned;
  bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 3) number = field.int32();
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
    add_gpu_value({number, id, sequence.id}, value, time, offset);
  };
  const auto add_specs = [&](std::string_view descriptor) {
    is_good &= for_each_field(descriptor, [&](const Field& field) {
      if (field.number == 1) is_good &= describe_counter(field.bytes, number, sequence.id);
    });
  };
  for_each_field(interned, [&](const Field& field) {
    if (field.number == 3) number = field.int32();
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
  GpuCounter& counter = gpu_counters_[{gpu, id, sequence}];
  counter.name = (name.empty() ? fmt::format("counter {}", id) : name) + unit.in_brackets();
  counter.is_forward = is_forward;
  return is_good;
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
  const LaneId parent = gpu(std::get<0>(id));
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
    if (counter.last) counters_.sample(gpu(std::get<0>(key)), counter.name, 0, *counter.last);
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
  counters_.sample(pid > 0 ? lanes_.process(pid) : gpu(number), "GPU memory [bytes]", bytes, time);
  return is_good;
}

// Queues and stages by number.
bool GpuPackets::add_specifications(std::string_view message) {
  bool is_good = true;
  uint64_t queues = 0, stages = 0;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number != 2 && field.number != 3) return;
    std::string name;
    is_good &= for_each_field(field.bytes, [&](const Field& inner) {
      if (inner.number == 1) name = valid_utf8(inner.bytes);
    });
    auto& names = field.number == 2 ? gpu_queues_ : gpu_stages_;
    if (names.size() < kMostGpuNames) names[field.number == 2 ? queues++ : stages++] = name;
  });
  return is_good;
}

struct GpuPackets::Stage {
  int32_t gpu = 0;
  uint64_t duration = 0;
  std::string queue, stage, name;
  std::string_view kernel;  // its interned message
  ArgsText args;
};

bool GpuPackets::take_stage_field(const Field& field, const Sequence& sequence, Stage& stage) {
  const auto known = [](const std::map<uint64_t, std::string>& names, uint64_t id,
                        std::string_view what) {
    const auto it = names.find(id);
    return it == names.end() ? fmt::format("{} {}", what, id) : it->second;
  };
  switch (field.number) {
    case 2:
      stage.duration = field.value;
      return true;
    case 3:
      stage.queue = known(gpu_queues_, field.value, "queue");
      return true;
    case 4:
      stage.stage = known(gpu_stages_, field.value, "stage");
      return true;
    case 6: {
      std::string_view member, value;
      const bool is_good = for_each_field(field.bytes, [&](const Field& inner) {
        if (inner.number == 1) member = inner.bytes;
        if (inner.number == 2) value = inner.bytes;
      });
      stage.args.add(member, value);
      return is_good;
    }
    case 7:
      return add_specifications(field.bytes);
    case 10:
      stage.args.add("submission", field.value);
      return true;
    case 11:
      stage.gpu = field.int32();
      return true;
    case 13:
      stage.queue = sequence.text(Interned::kGpuSpecification, field.value);
      return true;
    case 14:
      stage.stage = sequence.text(Interned::kGpuSpecification, field.value);
      return true;
    case 17:
      stage.name = field.bytes;
      return true;
    case 19:
      stage.kernel = sequence.text(Interned::kComputeKernel, field.value);
      return true;
    case 20:
      stage.name = sequence.text(Interned::kEventName, field.value);
      return true;
    case 21:
      return add_compute_launch(field.bytes, sequence, stage.args);
    default:
      return true;
  }
}

// A stage that a queue of the GPU worked on.
bool GpuPackets::add_gpu_stage(std::string_view message, const Sequence& sequence, Time time) {
  bool is_good = true;
  Stage stage;
  is_good &= for_each_field(
      message, [&](const Field& field) { is_good &= take_stage_field(field, sequence, stage); });
  const std::string_view kernel = add_compute_kernel(stage.kernel, sequence, stage.args);
  if (stage.name.empty()) stage.name = kernel;
  // One that has neither only describes.
  if (stage.queue.empty() && stage.stage.empty() && stage.name.empty()) return is_good;
  sink_.give(trace::StateEvent{
      .begin = time,
      .duration = {saturated(stage.duration)},
      .params = sink_.params(stage.args.take()),
      .lane = lanes_.below(gpu(stage.gpu), stage.queue.empty() ? "queue" : stage.queue,
                           trace::LaneKind::kQueue),
      .type = sink_.type(trace::Category::kState,
                         valid_utf8(stage.name.empty() ? stage.stage : stage.name), "gpu")});
  return is_good;
}

}  // namespace weft::formats::perfetto

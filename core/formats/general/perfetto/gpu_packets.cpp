#include "core/formats/general/perfetto/gpu_packets.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/general/perfetto/packet_field.h"
#include "core/formats/general/perfetto/system_names.h"

namespace weft::formats::perfetto {
namespace {

// The fields of TracePacket.
constexpr size_t kMostGpuNames = 1 << 16;

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
  const bool is_good = data.number == kGpuCounters ? add_gpu_counters(data.bytes, sequence, now)
                       : data.number == kGpuMemory ? add_gpu_memory(data.bytes, now)
                                                   : add_gpu_stage(data.bytes, sequence, now);
  if (!is_good) sink_.loss(fmt::format("{} damaged", packet_kind(data.number)), offset);
  return true;
}

LaneId GpuPackets::gpu(int32_t number) {
  return counters_.group(number == 0 ? "GPU" : fmt::format("GPU {}", number));
}

bool GpuPackets::add_gpu_counters(std::string_view message, const Sequence& sequence, Time time) {
  int32_t number = 0;
  std::string_view interned;
  bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 3) number = field.int32();
    if (field.number == 4) interned = sequence.text(Interned::kGpuCounters, field.value);
  });
  const auto add_spec = [&](std::string_view spec) {
    uint32_t id = 0;
    std::string name;
    is_good &= for_each_field(spec, [&](const Field& field) {
      if (field.number == 1) id = field.uint32();
      if (field.number == 2) name = valid_utf8(field.bytes);
    });
    if (gpu_counters_.size() < kMostGpuNames) gpu_counters_[{number, id}] = name;
  };
  const auto add_value = [&](std::string_view counter) {
    uint32_t id = 0;
    double value = 0;
    is_good &= for_each_field(counter, [&](const Field& field) {
      if (field.number == 1) id = field.uint32();
      if (field.number == 2) value = static_cast<double>(field.integer());
      if (field.number == 3) value = field.real();
    });
    const auto it = gpu_counters_.find({number, id});
    counters_.sample(gpu(number),
                     it == gpu_counters_.end() ? fmt::format("counter {}", id) : it->second, value,
                     time);
  };
  const auto add_specs = [&](std::string_view descriptor) {
    is_good &= for_each_field(descriptor, [&](const Field& field) {
      if (field.number == 1) add_spec(field.bytes);
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

// A stage that a queue of the GPU worked on.
bool GpuPackets::add_gpu_stage(std::string_view message, const Sequence& sequence, Time time) {
  bool is_good = true;
  int32_t number = 0;
  uint64_t duration = 0;
  std::string queue, stage, name;
  ArgsText args;
  const auto known = [](const std::map<uint64_t, std::string>& names, uint64_t id,
                        std::string_view what) {
    const auto it = names.find(id);
    return it == names.end() ? fmt::format("{} {}", what, id) : it->second;
  };
  is_good &= for_each_field(message, [&](const Field& field) {
    switch (field.number) {
      case 2:
        duration = field.value;
        break;
      case 3:
        queue = known(gpu_queues_, field.value, "queue");
        break;
      case 4:
        stage = known(gpu_stages_, field.value, "stage");
        break;
      case 6: {
        std::string_view member, value;
        is_good &= for_each_field(field.bytes, [&](const Field& inner) {
          if (inner.number == 1) member = inner.bytes;
          if (inner.number == 2) value = inner.bytes;
        });
        args.add(member, value);
        break;
      }
      case 7:
        is_good &= add_specifications(field.bytes);
        break;
      case 10:
        args.add("submission", field.value);
        break;
      case 11:
        number = field.int32();
        break;
      case 13:
        queue = sequence.text(Interned::kGpuSpecification, field.value);
        break;
      case 14:
        stage = sequence.text(Interned::kGpuSpecification, field.value);
        break;
      case 17:
        name = field.bytes;
        break;
      default:
        break;
    }
  });
  // One that has neither only describes.
  if (queue.empty() && stage.empty() && name.empty()) return is_good;
  const trace::StateEvent state{
      .begin = time,
      .duration = {static_cast<int64_t>(std::min<uint64_t>(duration, INT64_MAX))},
      .params = sink_.params(args.take()),
      .lane = lanes_.below(gpu(number), queue.empty() ? "queue" : queue, trace::LaneKind::kQueue),
      .type = sink_.type(trace::Category::kState, valid_utf8(name.empty() ? stage : name), "gpu")};
  sink_.states({&state, 1});
  return is_good;
}

}  // namespace weft::formats::perfetto

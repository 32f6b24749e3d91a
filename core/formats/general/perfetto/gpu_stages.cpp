#include "core/formats/general/perfetto/gpu_stages.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/formats/general/perfetto/packet_field.h"
#include "core/formats/general/perfetto/system_names.h"

namespace weft::formats::perfetto {
namespace {

constexpr size_t kMostStageNames = 1 << 16;

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

// The subpasses that a mask of 64 bits each names.
std::vector<uint64_t> subpasses_of(const std::vector<uint64_t>& masks) {
  constexpr uint64_t kBits = 64;
  std::vector<uint64_t> numbers;
  for (uint64_t i = 0; i < masks.size(); ++i) {
    for (uint64_t bit = 0; bit < kBits; ++bit)
      if ((masks[i] >> bit & 1) != 0) numbers.push_back(i * kBits + bit);
  }
  return numbers;
}

}  // namespace

bool GpuStages::add(const Field& data, const Sequence& sequence, std::optional<Time> time,
                    uint64_t offset) {
  if (data.number == kVulkanApi) {
    const bool is_good = !time || add_vulkan_call(data.bytes, *time, offset);
    if (!is_good) sink_.loss(fmt::format("{} damaged", packet_kind(data.number)), offset);
    return false;
  }
  if (data.number != kGpuStage) return false;
  if (!add_stage(data.bytes, sequence, time, offset))
    sink_.loss(fmt::format("{} damaged", packet_kind(data.number)), offset);
  return true;
}

// Queues and stages by number, and the program that has a context.
bool GpuStages::add_specifications(std::string_view message) {
  bool is_good = true;
  uint64_t queues = 0, stages = 0;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) {
      uint64_t context = 0;
      int32_t pid = 0;
      is_good &= for_each_field(field.bytes, [&](const Field& inner) {
        if (inner.number == 1) context = inner.value;
        if (inner.number == 2) pid = inner.int32();
      });
      if (programs_.size() < kMostStageNames) programs_[context] = pid;
    }
    if (field.number != 2 && field.number != 3) return;
    Description description;
    is_good &= for_each_field(field.bytes, [&](const Field& inner) {
      if (inner.number == 1) description.name = valid_utf8(inner.bytes);
      if (inner.number == 2) description.text = inner.bytes;
    });
    Descriptions& known = field.number == 2 ? queues_ : stages_;
    if (known.size() < kMostStageNames)
      known[field.number == 2 ? queues++ : stages++] = std::move(description);
  });
  return is_good;
}

struct GpuStages::Stage {
  int32_t gpu = 0, pid = 0;
  uint64_t duration = 0;
  std::optional<uint64_t> event, submission, context;
  std::array<uint64_t, 3> handles{};  // as in add_handles()
  Description queue, stage;
  std::string name;
  std::string_view kernel;  // its interned message
  std::vector<uint64_t> subpasses, waits_for;
  ArgsText args;
};

bool GpuStages::take_specification(const Field& field, const Sequence& sequence, Stage& stage) {
  constexpr std::string_view kCategories[] = {"other", "graphics", "compute"};
  const bool is_of_queue = field.number == 3 || field.number == 13;
  Description& taken = is_of_queue ? stage.queue : stage.stage;
  if (field.number == 3 || field.number == 4) {
    const Descriptions& known = is_of_queue ? queues_ : stages_;
    const auto it = known.find(field.value);
    if (it != known.end()) {
      taken = it->second;
    } else {
      taken.name = fmt::format("{} {}", is_of_queue ? "queue" : "stage", field.value);
    }
    return true;
  }
  return for_each_field(sequence.text(Interned::kGpuSpecification, field.value),
                        [&](const Field& inner) {
                          if (inner.number == 2) taken.name = inner.bytes;
                          if (inner.number == 3) taken.text = inner.bytes;
                          const bool is_category = inner.number == 4 && !is_of_queue;
                          if (is_category && inner.value < std::size(kCategories))
                            stage.args.add("category", kCategories[inner.value]);
                        });
}

bool GpuStages::take_field(const Field& field, const Sequence& sequence, Stage& stage) {
  constexpr size_t kMostMasks = 16;
  switch (field.number) {
    case 1:
      stage.event = field.value;
      return true;
    case 2:
      stage.duration = field.value;
      return true;
    case 3:
    case 4:
    case 13:
    case 14:
      return take_specification(field, sequence, stage);
    case 5:
      stage.context = field.value;
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
    case 8:
      stage.handles[0] = field.value;
      return true;
    case 9:
      stage.handles[1] = field.value;
      return true;
    case 10:
      stage.submission = field.value;
      return true;
    case 11:
      stage.gpu = field.int32();
      return true;
    case 12:
      stage.handles[2] = field.value;
      return true;
    case 15:
      return for_each_number(field, [&](uint64_t mask) {
        if (stage.subpasses.size() < kMostMasks) stage.subpasses.push_back(mask);
      });
    case 16:
      stage.args.add("render_pass_instance", field.value);
      return true;
    case 17:
      stage.name = field.bytes;
      return true;
    case 18:
      return for_each_number(field, [&](uint64_t event) { stage.waits_for.push_back(event); });
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

// The program that works with the GPU, and how.
void GpuStages::add_context(const Sequence& sequence, Stage& stage) const {
  constexpr std::string_view kInterfaces[] = {"", "OpenGL", "Vulkan", "OpenCL", "CUDA", "HIP"};
  if (!stage.context) return;
  uint64_t api = 0;
  for_each_field(sequence.text(Interned::kGraphicsContext, *stage.context),
                 [&](const Field& field) {
                   if (field.number == 2) stage.pid = field.int32();
                   if (field.number == 3) api = field.value;
                 });
  const auto known = programs_.find(*stage.context);
  if (stage.pid == 0 && known != programs_.end()) stage.pid = known->second;
  stage.args.add("context", *stage.context);
  if (stage.pid != 0) stage.args.add("pid", stage.pid);
  if (api != 0 && api < std::size(kInterfaces)) stage.args.add("api", kInterfaces[api]);
}

std::string_view GpuStages::name_of_object(uint64_t type, uint64_t handle, int32_t pid) const {
  auto it = objects_.find({type, handle, pid});
  if (it == objects_.end()) it = objects_.lower_bound({type, handle, INT32_MIN});
  const bool is_it = it != objects_.end() && std::get<0>(it->first) == type &&
                     std::get<1>(it->first) == handle &&
                     (pid == 0 || std::get<2>(it->first) == pid);
  return is_it ? std::string_view(it->second) : std::string_view();
}

void GpuStages::add_handles(Stage& stage) const {
  struct Kind {
    std::string_view handle, name;
    uint64_t type;  // VkObjectType
  };
  constexpr Kind kKinds[] = {{"render_target", "render_target_name", 24},
                             {"render_pass", "render_pass_name", 18},
                             {"command_buffer", "command_buffer_name", 6}};
  for (size_t i = 0; i < std::size(kKinds); ++i) {
    const uint64_t handle = stage.handles[i];
    if (handle == 0) continue;
    stage.args.add(kKinds[i].handle, handle);
    const std::string_view name = name_of_object(kKinds[i].type, handle, stage.pid);
    if (!name.empty()) stage.args.add(kKinds[i].name, name);
  }
  if (stage.subpasses.empty()) return;
  stage.args.name("subpasses");
  stage.args.begin('[');
  for (const uint64_t number : subpasses_of(stage.subpasses)) stage.args.number(number);
  stage.args.end(']');
}

// A stage that a queue of the GPU worked on.
bool GpuStages::add_stage(std::string_view message, const Sequence& sequence,
                          std::optional<Time> time, uint64_t offset) {
  bool is_good = true;
  Stage stage;
  is_good &= for_each_field(
      message, [&](const Field& field) { is_good &= take_field(field, sequence, stage); });
  const std::string_view kernel = add_compute_kernel(stage.kernel, sequence, stage.args);
  if (stage.name.empty()) stage.name = kernel;
  // One that has neither only describes.
  if (stage.queue.name.empty() && stage.stage.name.empty() && stage.name.empty()) return is_good;
  if (!time) {
    sink_.loss("packet without a time", offset);
    return is_good;
  }
  if (stage.event) stage.args.add("event", *stage.event);
  if (stage.submission) stage.args.add("submission", *stage.submission);
  add_context(sequence, stage);
  add_handles(stage);
  if (!stage.stage.text.empty()) stage.args.add("description", stage.stage.text);
  if (!stage.queue.text.empty()) stage.args.add("queue_description", stage.queue.text);
  const LaneId lane =
      lanes_.below(counters_.gpu(stage.gpu), stage.queue.name.empty() ? "queue" : stage.queue.name,
                   trace::LaneKind::kQueue);
  sink_.give(trace::StateEvent{
      .begin = *time,
      .duration = {saturated(stage.duration)},
      .params = sink_.params(stage.args.take()),
      .lane = lane,
      .type = sink_.type(trace::Category::kState,
                         valid_utf8(stage.name.empty() ? stage.stage.name : stage.name), "gpu")});
  link(stage, lane, *time, offset);
  return is_good;
}

void GpuStages::link(const Stage& stage, LaneId lane, Time time, uint64_t offset) {
  using enum GpuLinks::Numbers;
  using enum GpuLinks::Role;
  const Time end{saturating_add(time.ticks, saturated(stage.duration))};
  GpuLinks::Part part{.lane = lane, .begin = time, .end = end};
  if (stage.event) {
    part.number = *stage.event;
    links_.add(part, offset);
  }
  for (const uint64_t event : stage.waits_for) {
    part.role = kWaits;
    part.number = event;
    links_.add(part, offset);
  }
  if (!stage.submission) return;
  links_.add({.numbers = kSubmissions,
              .role = kStage,
              .lane = lane,
              .pid = stage.pid,
              .number = *stage.submission,
              .begin = time,
              .end = end},
             offset);
}

bool GpuStages::add_vulkan_call(std::string_view message, Time time, uint64_t offset) {
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) is_good &= name_object(field.bytes, offset);
    if (field.number == 2) is_good &= add_submission(field.bytes, time, offset);
  });
  return is_good;
}

bool GpuStages::name_object(std::string_view message, uint64_t offset) {
  int32_t pid = 0;
  uint64_t type = 0, handle = 0;
  std::string_view name;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) pid = field.int32();
    if (field.number == 3) type = field.value;
    if (field.number == 4) handle = field.value;
    if (field.number == 5) name = field.bytes;
  });
  if (objects_.size() < kMostStageNames) {
    objects_.insert_or_assign({type, handle, pid}, std::string(name));
  } else {
    sink_.loss("names of Vulkan's objects beyond the memory", offset);
  }
  return is_good;
}

// On the lane where the call is.
bool GpuStages::add_submission(std::string_view message, Time time, uint64_t offset) {
  int32_t pid = 0, tid = 0;
  std::optional<uint64_t> submission;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 2) pid = field.int32();
    if (field.number == 3) tid = field.int32();
    if (field.number == 6) submission = field.value;
  });
  if (!submission) return is_good;
  const LaneId lane = tid > 0   ? lanes_.task(tid, {}, pid)
                      : pid > 0 ? lanes_.process(pid)
                                : counters_.gpu(0);
  links_.add({.numbers = GpuLinks::Numbers::kSubmissions,
              .role = GpuLinks::Role::kSubmits,
              .lane = lane,
              .pid = pid,
              .number = *submission,
              .begin = time},
             offset);
  return is_good;
}

}  // namespace weft::formats::perfetto

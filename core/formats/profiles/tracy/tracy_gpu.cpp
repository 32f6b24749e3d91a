// Zones that ran on GPUs: states of what ran there, links from where the program asked for it.
#include <fmt/format.h>

#include "core/formats/base/args_text.h"
#include "core/formats/profiles/tracy/tracy_player.h"

namespace weft::formats::tracy {
namespace {

using trace::Category;

std::string_view kind_of_context(uint8_t number) {
  constexpr std::string_view kNames[] = {"GPU",         "OpenGL",      "Vulkan", "OpenCL",
                                         "Direct3D 12", "Direct3D 11", "Metal",  "Custom",
                                         "CUDA",        "Rocprof",     "WebGPU"};
  return number < std::size(kNames) ? kNames[number] : kNames[0];
}

}  // namespace

void Player::read_gpu() {
  in_.take<uint64_t>();  // zones, and what has children
  in_.take<uint64_t>();
  const uint64_t all = count();
  for (uint64_t i = 0; i < all && in_.go_on(); ++i) read_gpu_context(i);
}

void Player::read_gpu_context(uint64_t number) {
  GpuContext context;
  context.thread = in_.take<uint64_t>();
  in_.take<uint8_t>();   // calibrated, or how exact
  in_.take<uint64_t>();  // zones
  in_.take<float>();     // its clock's period: times are in ns already
  const std::string_view kind = kind_of_context(in_.take<uint8_t>());
  const std::string_view name = is_at_least(7, 6) ? texts_.of(in_.take_24()) : "";
  if (is_at_least(7, 9)) in_.take<uint64_t>();  // when its clock went round
  const bool has_notes = is_at_least(12, 4);
  if (has_notes) {
    constexpr size_t kMostNames = 4096;
    for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
      const auto key = in_.take<int64_t>();
      const uint32_t text = in_.take_24();
      if (context.note_names.size() < kMostNames) context.note_names.emplace(key, text);
    }
  }
  context.name = name.empty() ? fmt::format("{} context {}", kind, number)
                              : fmt::format("{} context {}: {}", kind, number, name);
  context.lane = lanes_.in_group("GPU", context.name);
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
    const auto tid = in_.take<uint64_t>(), zones = in_.take<uint64_t>();
    if (in_.is_ok()) read_gpu_zones(context, tid, zones);
  }
  if (has_notes) read_gpu_notes(context);
}

void Player::read_gpu_zones(GpuContext& context, uint64_t tid, uint64_t at_top) {
  // Contexts of one thread have their zones themselves; in others they are by thread.
  const LaneId lane =
      tid == 0 || tid == context.thread ? context.lane : lanes_.part_of(context.lane, tid);
  const bool has_query = is_at_least(12, 4);
  int64_t cpu = 0, gpu = 0;
  read_nested(
      open_gpu_, at_top,
      [&](OpenGpuZone& zone) {
        zone.cpu_begin = next(cpu);
        zone.gpu_begin = next(gpu);
        zone.place = in_.take<int16_t>();
        zone.callstack = in_.take_24();
        zone.thread = in_.take<uint16_t>();
        zone.children = in_.take<uint64_t>();
      },
      [&](const OpenGpuZone& zone, uint32_t depth) {
        const int64_t cpu_end = next(cpu), gpu_end = next(gpu);
        const uint16_t query = has_query ? in_.take<uint16_t>() : 0;
        if (!in_.is_ok()) return false;
        give_gpu_zone(context, lane, zone, cpu_end, gpu_end, depth);
        if (has_query) context.queries[query] = {lane, zone.gpu_begin};
        return true;
      },
      [&](const OpenGpuZone& zone, uint32_t depth) {
        give_gpu_zone(context, lane, zone, -1, -1, depth);
      });
}

void Player::give_gpu_zone(GpuContext& context, LaneId lane, const OpenGpuZone& zone,
                           int64_t cpu_end, int64_t gpu_end, uint32_t depth) {
  const ZoneKind& kind = kind_of(zone.place);
  if (zone.gpu_begin < 0)  // the GPU did not say when it ran
    return sink_.note("zone of a GPU without a time there", {in_.offset(), lane});
  const uint64_t tid = local_threads_.at(zone.thread);
  ArgsText params;
  if (!kind.params.empty()) params.continue_object(kind.params);
  if (tid != 0) params.add("thread", lanes_.thread_name(tid));
  if (zone.cpu_begin >= 0 && cpu_end >= zone.cpu_begin)
    params.add("cpu_ns", cpu_end - zone.cpu_begin);
  if (!state(lane, zone.gpu_begin, end_of(zone.gpu_begin, gpu_end, lane, "zone of a GPU"),
             kind.type, params.take(), zone.callstack, depth))
    return;
  if (tid == 0 || zone.cpu_begin < 0 || !is_time(zone.cpu_begin, lane)) return;
  sink_.give(trace::LinkEvent{.send = {zone.cpu_begin},
                              .receive = {zone.gpu_begin},
                              .source = lanes_.thread(tid),
                              .target = lane,
                              .type = sink_.type(Category::kLink, "submitted", context.name)});
}

// Reads measurements of zones, such as GPU counters.
void Player::read_gpu_notes(GpuContext& context) {
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
    const auto query = in_.take<uint16_t>();
    const auto it = context.queries.find(query);
    ArgsText params;
    uint64_t notes = count();
    bool is_empty = true;
    constexpr uint64_t kMostNotes = 4096;
    for (uint64_t i = 0; i < notes && in_.go_on(); ++i) {
      const auto id = in_.take<int64_t>();
      const auto value = in_.take<double>();
      if (!in_.is_ok()) break;
      if (i >= kMostNotes) {
        sink_.loss("note of a GPU's zone beyond 4096", in_.offset());
        continue;
      }
      const auto name = context.note_names.find(id);
      const std::string_view text = name == context.note_names.end() ? "" : texts_.of(name->second);
      params.name(text.empty() ? fmt::format("note {}", id) : std::string(text));
      params.number(value);
      is_empty = false;
    }
    if (it == context.queries.end()) {
      sink_.loss("notes of a GPU's zone that is not there", in_.offset());
    } else if (!is_empty) {
      punctual(it->second.first, it->second.second,
               sink_.type(Category::kPunctual, "notes", context.name), params.take(), 0);
    }
  }
}

}  // namespace weft::formats::tracy

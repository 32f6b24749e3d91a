#include "core/formats/ftrace/ftrace_lanes.h"

#include <fmt/format.h>

#include <string>

#include "core/base/text.h"

namespace weft::formats::ftrace {
namespace {

constexpr std::string_view kUnknown = "<...>";

}  // namespace

LaneId Lanes::group(LaneId& lane, std::string_view name, int32_t sort_index) {
  if (lane.is_none())
    lane = sink_.add_lane({.name = std::string(name), .parent = root_, .sort_index = sort_index});
  return lane;
}

LaneId Lanes::cpu(uint32_t cpu) {
  const auto [it, is_new] = cpu_.try_emplace(cpu, LaneId::none());
  if (is_new) {
    it->second = sink_.add_lane({.name = fmt::format("CPU {}", cpu),
                                 .parent = group(cpus_, "CPUs", -1),
                                 .kind = trace::LaneKind::kCpu,
                                 .sort_index = static_cast<int32_t>(cpu)});
  }
  return it->second;
}

LaneId Lanes::process(int32_t tgid) {
  const auto [it, is_new] = process_.try_emplace(tgid, LaneId::none());
  if (is_new) {
    const auto first = task_.find(tgid);
    const bool has_name = first != task_.end() && first->second.name != kUnknown;
    it->second = sink_.add_lane(
        {.name = has_name ? fmt::format("{} ({})", valid_utf8(first->second.name), tgid)
                          : fmt::format("process {}", tgid),
         .parent = root_,
         .kind = trace::LaneKind::kProcess,
         .sort_index = tgid});
    // Its first thread was of an unknown process until now.
    const bool is_elsewhere = first != task_.end() && !first->second.lane.is_none();
    if (is_elsewhere && first->second.parent == tasks_) task(tgid, {}, tgid);
  }
  return it->second;
}

LaneId Lanes::task(int32_t pid, std::string_view name, int32_t tgid) {
  const auto [it, is_new] =
      task_.try_emplace(pid, Task{LaneId::none(), std::string(kUnknown), LaneId::none()});
  Task& task = it->second;
  bool is_changed = is_new;
  if (name != kUnknown && !name.empty() && task.name != name) {
    task.name = name;
    is_changed = true;
    if (const auto own = process_.find(pid); own != process_.end()) {
      sink_.update_lane(own->second, {.name = fmt::format("{} ({})", valid_utf8(name), pid),
                                      .parent = root_,
                                      .kind = trace::LaneKind::kProcess,
                                      .sort_index = pid});
    }
  }
  if (tgid >= 0 && (task.parent.is_none() || task.parent == tasks_)) {
    task.parent = process(tgid);
    is_changed = true;
  }
  if (!is_changed) return task.lane;
  if (task.parent.is_none()) task.parent = group(tasks_, "Tasks", 0);
  const trace::Lane lane{.name = fmt::format("{}-{}", valid_utf8(task.name), pid),
                         .parent = task.parent,
                         .kind = trace::LaneKind::kThread,
                         .sort_index = pid};
  if (is_new) {
    task.lane = sink_.add_lane(lane);
  } else {
    sink_.update_lane(task.lane, lane);
  }
  return task.lane;
}

LaneId Lanes::below(LaneId parent, std::string_view name, trace::LaneKind kind) {
  const auto [it, is_new] = below_.try_emplace({parent.value(), std::string(name)}, LaneId::none());
  if (is_new)
    it->second = sink_.add_lane({.name = valid_utf8(name), .parent = parent, .kind = kind});
  return it->second;
}

}  // namespace weft::formats::ftrace

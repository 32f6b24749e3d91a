#include "core/formats/profiles/tracy/tracy_lanes.h"

#include <fmt/format.h>

namespace weft::formats::tracy {
namespace {

// Among the lanes of the program, those of its threads come behind its frames.
enum Order : int32_t { kFrames = -2, kThreads = 0, kFibers = 1, kBehind = 2 };

}  // namespace

LaneId Lanes::add(LaneId parent, std::string_view name, trace::LaneKind kind, int32_t sort_index) {
  return sink_.add_lane(
      {.name = std::string(name), .parent = parent, .kind = kind, .sort_index = sort_index});
}

LaneId Lanes::program() {
  if (program_.is_none()) {
    std::string name = program_name_.empty() ? "program" : program_name_;
    if (pid_ != 0) name += fmt::format(" ({})", pid_);
    program_ = add(LaneId::none(), name, trace::LaneKind::kProcess, -1);
  }
  return program_;
}

std::string Lanes::thread_name(uint64_t tid) const {
  std::string_view name = texts_.thread_name(tid);
  if (name.empty()) {
    const auto [of_program, of_thread] = texts_.outside(tid);
    name = of_thread.empty() || of_thread == "???" ? of_program : of_thread;
  }
  return name.empty() || name == "???" ? fmt::format("thread {}", tid) : std::string(name);
}

std::string_view Lanes::other_program(uint64_t tid) const {
  return texts_.thread_name(tid).empty() ? texts_.outside(tid).first : std::string_view();
}

LaneId Lanes::thread(uint64_t tid) {
  const auto [it, is_new] = threads_.try_emplace(tid, LaneId::none());
  if (!is_new) return it->second;
  const std::string_view other = other_program(tid);
  LaneId parent = LaneId::none();
  if (other.empty()) {
    parent = program();
  } else if (LaneId& lane = value_of(programs_, other, LaneId::none()); lane.is_none()) {
    parent = lane = add(LaneId::none(), other == "???" ? "unknown program" : other,
                        trace::LaneKind::kProcess, 1);
  } else {
    parent = lane;
  }
  return threads_[tid] = add(parent, thread_name(tid), trace::LaneKind::kThread, kThreads);
}

LaneId Lanes::own_thread(uint64_t tid, bool is_fiber, int32_t group_hint) {
  const LaneId lane = thread(tid);
  // Threads of a group stay together, as in Tracy; fibers come behind.
  if (!is_fiber && group_hint == 0) return lane;
  sink_.update_lane(lane, {.name = thread_name(tid),
                           .parent = program(),
                           .kind = is_fiber ? trace::LaneKind::kAsync : trace::LaneKind::kThread,
                           .sort_index = is_fiber ? kFibers : kThreads});
  return lane;
}

LaneId Lanes::below(LaneId parent, std::string_view name, trace::LaneKind kind) {
  const std::string key = fmt::format("{}/{}", parent.value(), name);
  LaneId& lane = value_of(groups_, key, LaneId::none());
  if (lane.is_none()) lane = add(parent, name, kind, 0);
  return lane;
}

LaneId Lanes::part_of(LaneId parent, uint64_t tid) {
  LaneId& lane = value_of(groups_, fmt::format("{}/#{}", parent.value(), tid), LaneId::none());
  if (lane.is_none()) lane = add(parent, thread_name(tid), trace::LaneKind::kGroup, 0);
  return lane;
}

LaneId Lanes::below_thread(uint64_t tid, std::string_view name) { return below(thread(tid), name); }

LaneId Lanes::group(std::string_view name) {
  LaneId& lane = value_of(groups_, name, LaneId::none());
  if (lane.is_none())
    lane = add(program(), name, trace::LaneKind::kGroup, name == "Frames" ? kFrames : kBehind);
  return lane;
}

LaneId Lanes::in_group(std::string_view in, std::string_view name, trace::LaneKind kind) {
  return below(group(in), name, kind);
}

LaneId Lanes::processor(uint32_t number) {
  const auto [it, is_new] = processor_.try_emplace(number, LaneId::none());
  if (!is_new) return it->second;
  if (processors_.is_none())
    processors_ = add(LaneId::none(), "Processors", trace::LaneKind::kMachine, 0);
  return processor_[number] = add(processors_, fmt::format("CPU {}", number), trace::LaneKind::kCpu,
                                  static_cast<int32_t>(number));
}

}  // namespace weft::formats::tracy

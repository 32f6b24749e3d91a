#include "core/formats/kernel/perf/perf_threads.h"

#include <fmt/core.h>

#include <string>

#include "core/base/text.h"

namespace weft::formats::perf {

LaneId idle_task(ftrace::Lanes& lanes, uint32_t cpu) {
  lanes.describe_process(0, "swapper");
  return lanes.below(lanes.process(0), fmt::format("swapper/{}", cpu), trace::LaneKind::kThread,
                     static_cast<int32_t>(cpu));
}

Thread& Threads::thread(int32_t process, int32_t thread, std::string_view command, int32_t cpu) {
  if (process < 0 && thread < 0) return nameless_thread(command);
  const bool is_idle = thread == 0 && cpu >= 0;
  const LaneId lane =
      is_idle ? idle_task(lanes_, static_cast<uint32_t>(cpu)) : lane_of(process, thread, command);
  Thread& found = threads_[lane.value()];
  if (found.samples) return found;
  found.lane = lane;
  found.samples.emplace(timeline_, lane, interval_);
  return found;
}

// A process is called as its first thread, or as the one that is seen before all others.
LaneId Threads::lane_of(int32_t process, int32_t thread, std::string_view command) {
  const bool is_first_seen = process >= 0 && processes_.insert(process).second;
  if (is_first_seen && process != thread) lanes_.describe_process(process, command);
  return lanes_.task(thread, command, process);
}

LaneId Threads::process(int32_t process, std::string_view command) {
  lanes_.describe_process(process, command);
  return lanes_.process(process);
}

Thread& Threads::nameless_thread(std::string_view command) {
  Thread& found = commands_[command];
  if (found.samples) return found;
  found.lane = sink_.add_lane({.name = command.empty() ? "samples" : valid_utf8(command),
                               .kind = trace::LaneKind::kThread});
  found.samples.emplace(timeline_, found.lane, interval_);
  return found;
}

EventTypeId Threads::frame(std::string_view symbol, std::string_view object) {
  EventTypeId& type = value_of(frames_[object], symbol, EventTypeId::none());
  if (type.is_none()) type = type_of_frame(symbol, object);
  return type;
}

EventTypeId Threads::type_of_frame(std::string_view symbol, std::string_view object) {
  constexpr std::string_view kUnknown = "[unknown]";
  const bool is_known = symbol != kUnknown && !symbol.empty();
  const bool has_object = !object.empty() && object != kUnknown;
  const std::string shown = object.starts_with('[') ? std::string(object)  // "[kernel.kallsyms]"
                                                    : fmt::format("[{}]", object);
  const std::string name = is_known     ? std::string(symbol)
                           : has_object ? shown
                                        : std::string(kUnknown);
  return sink_.type(trace::Category::kState, valid_utf8(name), valid_utf8(object));
}

void Threads::finish() {
  LargeVector<stacks::SampledStacks*> all;
  for (auto& [key, thread] : threads_) all.push_back(&*thread.samples);
  for (auto& each : commands_.entries()) all.push_back(&*each.second.samples);
  stacks::finish_all(all);
  timeline_.finish();
}

}  // namespace weft::formats::perf

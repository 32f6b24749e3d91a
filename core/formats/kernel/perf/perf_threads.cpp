#include "core/formats/kernel/perf/perf_threads.h"

#include <fmt/core.h>

#include <string>

#include "core/base/text.h"

namespace weft::formats::perf {

Thread& Threads::thread(int32_t process, int32_t thread, std::string_view command) {
  if (process < 0 && thread < 0) return nameless_thread(command);
  const auto [it, is_new] = threads_.try_emplace(std::pair(process, thread));
  Thread& found = it->second;
  if (!is_new) return found;
  const std::string name = valid_utf8(command);
  const LaneId parent = process >= 0 ? this->process(process, command) : LaneId::none();
  found.lane = sink_.add_lane(
      {.name = name.empty() ? fmt::format("thread {}", thread) : fmt::format("{}-{}", name, thread),
       .parent = parent,
       .kind = trace::LaneKind::kThread,
       .sort_index = thread});
  found.samples.emplace(timeline_, found.lane, interval_);
  return found;
}

LaneId Threads::process(int32_t process, std::string_view command) {
  const auto [known, is_new] = processes_.try_emplace(process, LaneId::none());
  if (is_new) {
    const std::string name = valid_utf8(command);
    known->second = sink_.add_lane({.name = name.empty() ? fmt::format("process {}", process)
                                                         : fmt::format("{} ({})", name, process),
                                    .kind = trace::LaneKind::kProcess,
                                    .sort_index = process});
  }
  return known->second;
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
  constexpr std::string_view kUnknown = "[unknown]";
  const bool is_known = symbol != kUnknown && !symbol.empty();
  const bool has_object = !object.empty() && object != kUnknown;
  const std::string name = is_known     ? std::string(symbol)
                           : has_object ? fmt::format("[{}]", object)
                                        : std::string(kUnknown);
  return sink_.type(trace::Category::kState, valid_utf8(name), valid_utf8(object));
}

void Threads::finish() {
  for (auto& [key, thread] : threads_) thread.samples->finish();
  for (const auto& each : commands_.entries()) each->second.samples->finish();
  timeline_.finish();
}

}  // namespace weft::formats::perf

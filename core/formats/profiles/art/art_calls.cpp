#include "core/formats/profiles/art/art_calls.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/base/text.h"

namespace weft::formats::art {

namespace {

constexpr std::string_view kGroup = "methods";
// Deeper than any stack of Java's: a megabyte of frames of 16 bytes.
constexpr size_t kMostDepth = 1 << 16;

}  // namespace

LaneId Calls::process() {
  if (process_.is_none())
    process_ = sink_.add_lane({.name = "process", .kind = trace::LaneKind::kProcess});
  return process_;
}

void Calls::begin(Time start, std::string_view cpu_name) {
  start_ = end_ = start;
  cpu_name_ = cpu_name;
  for (auto& [id, thread] : threads_) thread.last = start;
}

void Calls::name_process(int64_t pid) {
  pid_ = pid;
  sink_.update_lane(process(),
                    {.name = fmt::format("process {}", pid), .kind = trace::LaneKind::kProcess});
}

Calls::Thread& Calls::thread(uint32_t id) {
  if (last_thread_ != nullptr && last_thread_id_ == id) return *last_thread_;
  const auto [it, is_new] = threads_.try_emplace(id);
  if (is_new) {
    it->second.lane = sink_.add_lane({.name = fmt::format("thread {}", id),
                                      .parent = process(),
                                      .kind = trace::LaneKind::kThread,
                                      .sort_index = static_cast<int32_t>(id & 0x7FFFFFFF)});
    it->second.last = start_;
  }
  last_thread_id_ = id;
  return *(last_thread_ = &it->second);
}

// The main thread is the first, though others may have lower numbers.
void Calls::name_thread(uint32_t id, std::string_view name) {
  const bool is_main = name == "main";
  sink_.update_lane(thread(id).lane,
                    {.name = fmt::format("{} {}", valid_utf8(name), id),
                     .parent = process(),
                     .kind = trace::LaneKind::kThread,
                     .sort_index = is_main ? -1 : static_cast<int32_t>(id & 0x7FFFFFFF)});
}

void Calls::add_method(uint64_t id, std::string_view line) {
  Method method = method_from(line);
  const EventTypeId type = sink_.type(trace::Category::kState, method.name, kGroup);
  methods_.insert_or_assign(id, Known{.type = type, .params = std::move(method.params)});
}

void Calls::add(Thread& thread, const Record& record, uint64_t offset) {
  if (record.time < thread.last)
    sink_.note("time runs backwards on a thread", {offset, thread.lane, record.time});
  thread.last = std::max(thread.last, record.time);
  end_ = std::max(end_, record.time);
  switch (record.action) {
    case Action::kEnter:
      return enter(thread, record, offset);
    case Action::kExit:
    case Action::kUnwind:
      return exit(thread, record, offset);
    case Action::kNone:
      return sink_.loss("record that is neither enter nor exit",
                        {offset, thread.lane, record.time});
  }
}

void Calls::enter(Thread& thread, const Record& record, uint64_t offset) {
  if (thread.calls.size() == kMostDepth) {
    ++thread.too_deep;
    return sink_.loss("calls nested too deep", {offset, thread.lane, record.time});
  }
  thread.calls.push_back({record.method, record.time, record.cpu, offset});
}

void Calls::exit(Thread& thread, const Record& record, uint64_t offset) {
  if (thread.too_deep > 0) {
    --thread.too_deep;
    return;
  }
  const trace::LossPlace place(offset, thread.lane, record.time);
  if (thread.calls.empty()) {
    sink_.note("call that began before the trace", place);
    // Without a name there is nothing to show.
    if (record.method == kInnermost) return;
    return give({.method = record.method,
                 .begin = start_,
                 .end = std::max(record.time, start_),
                 .cpu = {},
                 .lane = thread.lane,
                 .nesting = 0,
                 .is_unwound = record.action == Action::kUnwind});
  }
  // Calls entered since, whose exits are missing, end with it. The search is bounded, since damage
  // may demand one per record.
  constexpr size_t kMostLookedAt = 4096;
  size_t missing = 0;
  if (record.method != kInnermost) {
    const size_t most = std::min(thread.calls.size(), kMostLookedAt);
    while (missing < most &&
           thread.calls.end()[-1 - static_cast<ptrdiff_t>(missing)].method != record.method)
      ++missing;
    if (missing == most) return sink_.loss("exit from a method that was not entered", place);
  }
  for (; missing > 0; --missing) {
    const Call& call = thread.calls.back();
    sink_.note("call without an exit", {call.offset, thread.lane, call.begin});
    end_innermost(thread, {.time = record.time, .cpu = record.cpu});
  }
  end_innermost(thread, record);
}

void Calls::end_innermost(Thread& thread, const Record& end) {
  const Call call = thread.calls.back();
  thread.calls.pop_back();
  State state{.method = call.method,
              .begin = call.begin,
              .end = std::max(end.time, call.begin),
              .cpu = {},
              .lane = thread.lane,
              .nesting = static_cast<uint32_t>(thread.calls.size()),
              .is_unwound = end.action == Action::kUnwind};
  if (call.cpu && end.cpu && *end.cpu >= *call.cpu) state.cpu = *end.cpu - *call.cpu;
  give(state);
}

void Calls::give(const State& state) {
  const auto it = methods_.find(state.method);
  if (it != methods_.end()) return give(state, it->second);
  waiting_.push_back(state);
  if (waiting_.size() * sizeof(State) > most_waiting_) give_waiting();
}

void Calls::give(const State& state, Known& method) {
  ParamsId params = method.alone;
  if (state.cpu || state.is_unwound) {
    json_ = '{';
    if (state.cpu) json_ += fmt::format("\"{}\":{}", cpu_name_, *state.cpu);
    if (state.is_unwound) json_ += json_.size() > 1 ? ",\"unwound\":true" : "\"unwound\":true";
    if (!method.params.empty()) json_ += ',' + method.params;
    params = sink_.params(json_ += '}');
  } else if (params.is_none() && !method.params.empty()) {
    params = method.alone = sink_.params('{' + method.params + '}');
  }
  sink_.give(trace::StateEvent{.begin = state.begin,
                               .duration = state.end - state.begin,
                               .params = params,
                               .lane = state.lane,
                               .type = method.type,
                               .nesting = state.nesting});
}

Calls::Known& Calls::unknown(uint64_t method) {
  const std::string name = fmt::format("method 0x{:x}", method);
  const auto it = methods_.try_emplace(method, Known{}).first;
  it->second.type = sink_.type(trace::Category::kState, name, kGroup);
  return it->second;
}

void Calls::give_waiting() {
  for (const State& state : waiting_) {
    const auto it = methods_.find(state.method);
    give(state, it != methods_.end() ? it->second : unknown(state.method));
  }
  waiting_.clear();
}

void Calls::finish(bool has_own_clocks) {
  for (auto& [id, thread] : threads_) {
    const Time end = has_own_clocks ? thread.last : end_;
    while (!thread.calls.empty()) {
      const Call& call = thread.calls.back();
      sink_.note("call without an exit", {call.offset, thread.lane, call.begin});
      end_innermost(thread, {.time = end});
    }
  }
  give_waiting();
}

}  // namespace weft::formats::art

#include "core/formats/profiles/nettrace/nettrace_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/profiles/nettrace/nettrace_runtime.h"
#include "core/formats/stacks/joined_params.h"

namespace weft::formats::nettrace {
namespace {

constexpr size_t kMostOpen = 1 << 18;  // states and messages whose ends are awaited

// In the order in which they stand below a process, before its threads.
constexpr auto kOrder =
    std::to_array<std::string_view>({"GC", "execution engine", "operations", "activities",
                                     "tiering", "thread pool", "counters", "rundown"});
constexpr int32_t kThreadsBegin = 16;

int32_t order_of(std::string_view path) {
  const std::string_view root = path.substr(0, path.find('/'));
  const auto it = std::ranges::find(kOrder, root);
  return root == kOrder.back() ? INT32_MAX : static_cast<int32_t>(it - kOrder.begin());
}

}  // namespace

void Player::set_pointer_bytes(uint32_t bytes) {
  pointer_bytes_ = bytes;
  held_.stacks().set_pointer_bytes(bytes);
}

LaneId Player::process(uint64_t number) {
  const auto [it, is_new] = processes_.try_emplace(number, LaneId::none());
  if (is_new) it->second = sink_.add_lane(process_lane(number, fmt::format("process {}", number)));
  return it->second;
}

trace::Lane Player::process_lane(uint64_t number, std::string name) {
  return {.name = std::move(name),
          .kind = trace::LaneKind::kProcess,
          .sort_index = static_cast<int32_t>(number & INT32_MAX)};
}

LaneId Player::thread(const Event& event) {
  const auto [it, is_new] =
      threads_.try_emplace({event.process, event.thread, event.thread_name}, LaneId::none());
  if (is_new) {
    const std::string name = event.thread_name.empty()
                                 ? fmt::format("thread {}", event.thread)
                                 : fmt::format("{} ({})", event.thread_name, event.thread);
    it->second = sink_.add_lane({.name = name,
                                 .parent = process(event.process),
                                 .kind = trace::LaneKind::kThread,
                                 .sort_index = kThreadsBegin});
  }
  return it->second;
}

LaneId Player::of_process(uint64_t number, std::string_view path) {
  const auto [it, is_new] = of_processes_.try_emplace({number, std::string(path)}, LaneId::none());
  if (is_new) {
    const size_t slash = path.find('/');
    const bool is_inner = slash != std::string_view::npos;
    const LaneId parent = is_inner ? of_process(number, path.substr(0, slash)) : process(number);
    it->second = sink_.add_lane({.name = valid_utf8(is_inner ? path.substr(slash + 1) : path),
                                 .parent = parent,
                                 .kind = trace::LaneKind::kGroup,
                                 .sort_index = is_inner ? 0 : order_of(path)});
  }
  return it->second;
}

LaneId Player::samples_of(LaneId thread) {
  const auto [it, is_new] = samples_.try_emplace(thread.value(), LaneId::none());
  if (is_new) it->second = sink_.add_lane({.name = "samples", .parent = thread});
  return it->second;
}

void Player::add(const Event& event) {
  last_ = std::max(last_, event.time);
  const Values values(event.of->kind.fields, event.payload, pointer_bytes_);
  if (values.is_cut()) sink_.loss("values beyond the most of an event", event.offset);
  if (event.of->is_method) held_.methods().add_method(event.process, values);
  add_by_role(event, values);
  if (!event.of->link.empty()) add_link(event, values);
}

void Player::add_by_role(const Event& event, const Values& values) {
  switch (event.of->role) {
    case Role::kInstant:
      return add_instant(
          event, values,
          event.of->is_rundown ? of_process(event.process, "rundown") : thread(event));
    case Role::kBegin:
    case Role::kEnd:
      return add_pair(event, values);
    case Role::kCollectionBegin:
    case Role::kCollectionEnd:
      return add_collection(event, values);
    case Role::kSuspendBegin:
    case Role::kSuspendEnd:
    case Role::kRestartBegin:
    case Role::kRestartEnd:
      return add_suspension(event, values);
    case Role::kHeapStatistics:
      return add_statistics(event, values, "GC/heap");
    case Role::kPoolThreads:
      add_statistics(event, values, "thread pool");
      return add_instant(event, values, thread(event));
    case Role::kSample:
    case Role::kSystemSample:
      return add_sample(event, values);
    case Role::kSystemSwitch:
      return add_switch(event, values);
    case Role::kMapping:
      held_.methods().add_mapping(values);
      return add_instant(event, values, of_process(event.process, "rundown"));
    case Role::kSymbol:
      held_.methods().add_symbol(values);
      return add_instant(event, values, of_process(event.process, "rundown"));
    case Role::kProcessName:
      sink_.update_lane(
          process(event.process),
          process_lane(event.process, fmt::format("{} ({})", values.text("Name"), event.process)));
      return add_instant(event, values, of_process(event.process, "rundown"));
    case Role::kCounter:
      return add_counter(event, values);
    case Role::kMeter:
      return add_meter(event, values);
    case Role::kAbout:
      add_about(event, values);
      return add_instant(event, values, of_process(event.process, "rundown"));
  }
}

std::string Player::params_of(const Event& event, const Values& values) const {
  ArgsText json;
  for (const Value& value : values.all()) add_value(json, value);
  if (event.processor != UINT32_MAX) json.add("processor", event.processor);
  if (!event.activity.empty()) json.add("activity", event.activity);
  if (!event.related.empty()) json.add("related activity", event.related);
  for (const auto& [name, text] : event.labels) json.add(name, text);
  constexpr size_t kPadding = 4, kMostShown = 256;  // version 3 fills up to four bytes
  const std::string_view rest = values.rest();
  if (rest.size() >= kPadding || (!rest.empty() && values.all().empty())) {
    json.add("undescribed bytes", rest.size());
    json.add("undescribed", hexadecimal(std::as_bytes(std::span(rest.substr(0, kMostShown)))));
  }
  if (!event.of->kind.message.empty()) json.add("message", event.of->kind.message);
  return json.take();
}

void Player::add_instant(const Event& event, const Values& values, LaneId lane) {
  held_.add({.begin = event.time,
             .duration = {},
             .lane = lane,
             .type = sink_.type(trace::Category::kPunctual, valid_utf8(event.of->kind.name),
                                valid_utf8(event.of->kind.provider)),
             .json = params_of(event, values),
             .process = event.process,
             .stack = event.of->is_rundown ? kNoStack : event.stack});
}

void Player::begin(const std::string& key, const Event& event, LaneId lane, EventTypeId type,
                   std::string json) {
  Open open{.begin = event.time,
            .lane = lane,
            .type = type,
            .json = std::move(json),
            .stack = event.stack,
            .process = event.process,
            .offset = event.offset};
  if (open_count_ == kMostOpen)
    return sink_.loss("state beyond the most that are open", {open.offset, open.lane, open.begin});
  ++open_count_;
  open_[key].push_back(std::move(open));
}

bool Player::end(const std::string& key, Time time, LaneId lane, std::string_view json) {
  const auto it = open_.find(key);
  if (it == open_.end()) return false;
  Open open = std::move(it->second.back());
  it->second.pop_back();
  const auto nesting = static_cast<uint32_t>(it->second.size());
  if (it->second.empty()) open_.erase(it);
  --open_count_;
  if (!lane.is_none()) open.lane = lane;
  open.json = stacks::joined_params(open.json, json);
  give(std::move(open), time, nesting);
  return true;
}

void Player::give(Open&& state, Time end, uint32_t nesting) {
  held_.add({.begin = state.begin,
             .duration = std::max(end - state.begin, Duration{}),
             .is_state = true,
             .lane = state.lane,
             .type = state.type,
             .nesting = nesting,
             .json = std::move(state.json),
             .process = state.process,
             .stack = state.stack});
}

// An end whose begin is not there is an instant.
void Player::add_pair(const Event& event, const Values& values) {
  const Shown& of = *event.of;
  const bool is_async = of.has_activity && !event.activity.empty();
  std::string key = fmt::format("{} {} {}", event.process, of.kind.provider, of.state);
  key += is_async           ? fmt::format(" of {}", event.activity)
         : !of.lane.empty() ? std::string()
                            : fmt::format(" on {}", event.thread);
  if (!of.key.empty()) key += fmt::format(" by {}", values.integer(of.key));
  const LaneId lane =
      !of.lane.empty() ? of_process(event.process, of.lane)
      : is_async       ? of_process(event.process, fmt::format("activities/{}", of.kind.provider))
                       : thread(event);
  std::string json = params_of(event, values);
  if (of.role == Role::kEnd) {
    if (!end(key, event.time, lane, json)) add_instant(event, values, thread(event));
    return;
  }
  begin(key, event, lane,
        sink_.type(trace::Category::kState, valid_utf8(of.state), valid_utf8(of.kind.provider)),
        std::move(json));
}

// A background collection lasts while those of younger generations begin and end.
void Player::add_collection(const Event& event, const Values& values) {
  const std::string key = fmt::format("{} collection {}", event.process, values.integer("Count"));
  const LaneId lane = of_process(event.process, "GC");
  std::string json = params_of(event, values);
  if (event.of->role == Role::kCollectionEnd) {
    if (!end(key, event.time, lane, json)) add_instant(event, values, lane);
    return;
  }
  const std::string_view type = collection_type(values.integer("Type")),
                         reason = collection_reason(values.integer("Reason"));
  ArgsText more;
  if (!json.empty()) more.continue_object(json);
  if (!type.empty()) more.add("type", type);
  if (!reason.empty()) more.add("reason", reason);
  if (values.find("Type") != nullptr) json = more.take();
  const std::string name = fmt::format("GC of generation {}{}{}", values.integer("Depth"),
                                       type.empty() ? "" : ", ", type);
  begin(key, event, lane, sink_.type(trace::Category::kState, name, kRuntimeProvider),
        std::move(json));
}

// Suspended from the begin of suspending until restarting ends.
void Player::add_suspension(const Event& event, const Values& values) {
  const LaneId lane = of_process(event.process, "execution engine");
  const std::string key = fmt::format("{} suspension on {} ", event.process, event.thread);
  std::string json = params_of(event, values);
  const auto begin_of = [&](std::string_view part, std::string_view name, std::string text) {
    begin(key + std::string(part), event, lane,
          sink_.type(trace::Category::kState, name, kRuntimeProvider), std::move(text));
  };
  bool has_begun = true;
  if (event.of->role == Role::kSuspendBegin) {
    const std::string_view reason = suspension_reason(values.integer("Reason"));
    begin_of("whole", reason.empty() ? "suspended" : fmt::format("suspended for {}", reason), json);
    begin_of("first", "suspending", {});
  } else if (event.of->role == Role::kSuspendEnd) {
    has_begun = end(key + "first", event.time, lane, json);
  } else if (event.of->role == Role::kRestartBegin) {
    begin_of("last", "restarting", json);
  } else {
    has_begun = end(key + "last", event.time, lane, json);
    end(key + "whole", event.time, lane, {});
  }
  if (!has_begun) add_instant(event, values, lane);
}

void Player::add_sample(const Event& event, const Values& values) {
  constexpr uint64_t kUnmanaged = 1;
  constexpr Duration kInterval{10'000'000};  // of the runtime's own sampler
  stacks::HeldSample sample{.time = event.time,
                            .interval = event.of->role == Role::kSample ? kInterval : Duration{},
                            .lane = samples_of(thread(event)),
                            .process = event.process,
                            .stack = event.stack};
  if (event.of->role == Role::kSystemSample && event.of->kind.name != "cpu") {
    add_instant(event, values, thread(event));
  }
  if (event.of->role == Role::kSample && values.integer("Type") == kUnmanaged)
    sample.innermost = sink_.type(trace::Category::kState, "(unmanaged code)", "method");
  if (sample.stack == kNoStack && sample.innermost.is_none())
    return add_instant(event, values, thread(event));
  held_.add_sample(sample);
}

// The thread that comes, and how long it was away.
void Player::add_switch(const Event& event, const Values& values) {
  const auto rate = static_cast<uint64_t>(std::max<int64_t>(ticks_per_second_, 1));
  const Duration duration{saturating_scale(values.integer("Value"), kNsPerSecond, rate)};
  held_.add(
      {.begin = event.time - duration,
       .duration = duration,
       .is_state = true,
       .lane = thread(event),
       .type = sink_.type(trace::Category::kState, "off CPU", valid_utf8(event.of->kind.provider)),
       .json = params_of(event, values),
       .process = event.process,
       .stack = event.stack});
}

void Player::finish() {
  for (auto& [key, open] : open_) {
    for (size_t depth = open.size(); depth-- > 0;) {
      Open& state = open[depth];
      sink_.note("begin without an end", {state.offset, state.lane, state.begin});
      give(std::move(state), last_, static_cast<uint32_t>(depth));
    }
  }
  open_.clear();
  held_.finish();
}

}  // namespace weft::formats::nettrace

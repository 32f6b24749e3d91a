#include "core/formats/general/chrome_json/async_tracker.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "core/base/text_hash.h"
#include "core/formats/base/json_text.h"

namespace weft::formats::chrome_json {
namespace {

bool is_object(char phase) { return phase == 'N' || phase == 'O' || phase == 'D'; }

bool is_older(char phase) { return phase == 'S' || phase == 'T' || phase == 'p' || phase == 'F'; }

// The key by which events match. The older S/T/p/F also match by name.
std::string key_of(const KeyedEvent& event, LaneId process) {
  const char family = is_object(event.phase) ? 'N' : is_older(event.phase) ? 'S' : 'b';
  const std::string_view name = is_older(event.phase) ? event.name : std::string_view();
  std::string key = fmt::format("{}{}\n{}\n{}", family, name, event.category, event.id);
  if (event.is_local_id) key += fmt::format("\n{}", process.value());
  return key;
}

std::string_view thread_in(std::string_view padded_object) {
  std::string_view thread;
  json::for_each_member(padded_object,
                        [&](const json::RawString& name, const json::RawValue& value) {
                          if (name.text == "tid") thread = value.text;
                        });
  return thread;
}

// "load:parsed": the step is named by an argument.
std::string name_of_step(std::string_view state, std::string_view json) {
  std::string name(state);
  const std::string padded = std::string(json) + std::string(json::kTextPadding, '\0');
  json::for_each_member(padded, [&](const json::RawString& member, const json::RawValue& value) {
    if (member.text == "step") name += ':' + json::decode_string(value.inner()).text;
  });
  return name;
}

// Arguments of an end win over those of its begin. A thread is not an argument: another one is
// called "end.tid".
std::string with_own_thread(std::string_view begin, std::string_view end) {
  constexpr std::string_view kName = "\"tid\":", kOfEnd = "\"end.tid\":";
  std::string out(end);
  if (begin == end || !begin.contains(kName) || !end.contains(kName)) return out;
  const std::string padding(json::kTextPadding, '\0');
  const std::string padded = out + padding, padded_begin = std::string(begin) + padding;
  const std::string_view thread = thread_in(padded), other = thread_in(padded_begin);
  if (thread.empty() || other.empty() || thread == other) return out;
  const auto at = static_cast<size_t>(thread.data() - padded.data());
  return out.replace(out.rfind(kName, at), kName.size(), kOfEnd);
}

}  // namespace

void AsyncTracker::add(const KeyedEvent& event, LaneId process, EventTypeId type,
                       std::string_view json) {
  std::string key = key_of(event, process);
  Event copy{event.time,
             static_cast<uint32_t>(TextHash()(key) % kWindowLanes),
             event.phase,
             process,
             type,
             event.offset,
             std::move(key),
             std::string(event.name),
             std::string(event.category),
             std::string(json)};
  if (waiting_memory_.is_full()) give_held();
  waiting_memory_.hold(bytes_of(copy));
  window_.add(copy.lane, copy.time, take()) = std::move(copy);
}

void AsyncTracker::give_held() { window_.give_all(take()); }

uint64_t AsyncTracker::bytes_of(const Event& event) {
  return sizeof event + heap_bytes(event.key) + heap_bytes(event.name) +
         heap_bytes(event.category) + heap_bytes(event.json);
}

void AsyncTracker::take(Event& event) {
  waiting_memory_.release(bytes_of(event));
  const uint64_t hash = TextHash()(event.key);
  const LastEnd& last = last_ends_[hash % kLastEnds];
  if (last.key == hash && event.time < last.time) {
    output_.sink.note(stacks::kRanBackwards, {event.offset, event.process, event.time});
  }
  switch (event.phase) {
    case 'b':
    case 'S':
    case 'N':
      return begin(event);
    case 'e':
    case 'F':
    case 'D':
      return end(event);
    case 'T':
    case 'p':
      return step(event);
    default:
      return mark(event);
  }
}

AsyncTracker::Open* AsyncTracker::innermost(const Event& event) {
  const auto it = stacks_.find(event.key);
  if (it == stacks_.end() || it->second.empty()) return nullptr;
  Open& open = it->second.back();
  return open.process == event.process ? &open : nullptr;
}

uint64_t AsyncTracker::bytes_of(const Step& step) { return sizeof step + heap_bytes(step.json); }

uint64_t AsyncTracker::bytes_of(const std::string& key, const Open& open) {
  constexpr uint64_t kNode = sizeof(std::pair<const std::string, Stack>) + 64;  // of the table
  return kNode + sizeof(Open) + heap_bytes(key) + heap_bytes(open.name) + heap_bytes(open.json);
}

void AsyncTracker::begin(Event& event) {
  if (waiting_memory_.is_full()) {
    return output_.sink.loss("asynchronous state beyond the memory for open ones",
                             {event.offset, event.process, event.time});
  }
  const Open* const outer = innermost(event);
  const LaneId lane =
      outer != nullptr ? outer->lane : lanes_.async(event.process, event.category, event.name);
  Stack& stack = stacks_[event.key];
  stack.push_back({event.time, event.process, lane, event.type, event.offset, std::move(event.name),
                   std::move(event.json), is_object(event.phase), event.time});
  waiting_memory_.hold(bytes_of(event.key, stack.back()));
}

void AsyncTracker::end(Event& event) {
  if (close(event.key, event.process, event.name, event.time, event.offset, event.json)) return;
  if (event.phase == 'D') {
    // The object was there before the trace began; its end is still something that happened.
    mark(event);
    return output_.sink.note("object deleted that was not created",
                             {event.offset, event.process, event.time});
  }
  if (waiting_memory_.is_full()) {
    return output_.sink.loss("asynchronous end without a begin",
                             {event.offset, event.process, event.time});
  }
  late_ends_.push_back({event.time, event.process, event.offset, std::move(event.key),
                        std::move(event.name), std::move(event.json)});
  const LateEnd& late = late_ends_.back();
  waiting_memory_.hold(2 * sizeof(LateEnd) + heap_bytes(late.key) + heap_bytes(late.name) +
                       heap_bytes(late.json));
}

void AsyncTracker::step(const Event& event) {
  Open* const open = innermost(event);
  if (open == nullptr || event.time < open->last_step) return mark(event);
  const EventTypeId type = output_.sink.type(trace::Category::kState,
                                             name_of_step(event.name, event.json), event.category);
  const size_t depth = stacks_.at(event.key).size() - 1;
  end_step(*open, event.time, depth);
  Step next{type, event.json};
  if (event.phase == 'p') {
    give(next, *open, event.time, depth);
  } else {
    waiting_memory_.hold(bytes_of(next));
    open->step = std::make_unique<Step>(std::move(next));
  }
  open->last_step = event.time;
}

void AsyncTracker::end_step(Open& open, Time end, size_t depth) {
  if (!open.step) return;
  give(*open.step, open, std::max(end, open.last_step), depth);
  waiting_memory_.release(bytes_of(*open.step));
  open.step.reset();
}

// `depth`: of the state.
void AsyncTracker::give(const Step& step, const Open& open, Time end, size_t depth) {
  output_.states.push_back({.begin = open.last_step,
                            .duration = end - open.last_step,
                            .params = output_.sink.params(step.json),
                            .lane = open.lane,
                            .type = step.type,
                            .nesting = static_cast<uint32_t>(depth + 1)});
}

void AsyncTracker::mark(const Event& event) {
  const Open* const open = innermost(event);
  const LaneId lane =
      open != nullptr ? open->lane : lanes_.async(event.process, event.category, event.name);
  const EventTypeId type = !event.type.is_none() ? event.type
                                                 : output_.sink.type(trace::Category::kPunctual,
                                                                     event.name, event.category);
  output_.punctuals.push_back({event.time, output_.sink.params(event.json), lane, type});
}

bool AsyncTracker::close(const std::string& key, LaneId process, std::string_view name, Time time,
                         uint64_t offset, std::string_view json) {
  const auto it = stacks_.find(key);
  if (it == stacks_.end()) return false;
  Stack& stack = it->second;
  // The innermost of the same name in the same process; then the same name; then any.
  size_t best = stack.size();
  int best_rank = 0;
  for (size_t i = stack.size(); i-- > 0 && best_rank < 3;) {
    if (stack[i].begin > time) continue;
    const bool is_same_process = stack[i].process == process;
    const bool is_same_name = name.empty() || stack[i].name == name;
    const int rank = is_same_name ? (is_same_process ? 3 : 2) : (is_same_process ? 1 : 0);
    if (rank > best_rank) {
      best_rank = rank;
      best = i;
    }
    if (stack.size() - i > kMostSearched) break;
  }
  if (best == stack.size()) return false;
  if (best_rank == 1) {
    output_.sink.note("end with another name than its begin", {offset, stack[best].lane, time});
  }
  end_step(stack[best], time, best);
  emit(stack[best], time, json, best);
  waiting_memory_.release(bytes_of(key, stack[best]));
  stack.erase(stack.begin() + static_cast<ptrdiff_t>(best));
  if (stack.empty()) stacks_.erase(it);
  const uint64_t hash = TextHash()(key);
  LastEnd& last = last_ends_[hash % kLastEnds];
  last = {hash, last.key == hash ? std::max(last.time, time) : time};
  return true;
}

void AsyncTracker::emit(const Open& open, Time end, std::string_view json, size_t depth) {
  output_.states.push_back(
      {.begin = open.begin,
       .duration = end - open.begin,
       .params = output_.sink.params(join_params(open.json, with_own_thread(open.json, json))),
       .lane = open.lane,
       .type = open.type,
       .nesting = static_cast<uint32_t>(depth)});
  output_.flush_full();
}

void AsyncTracker::finish(Time end) {
  give_held();
  std::ranges::stable_sort(late_ends_, {}, &LateEnd::time);
  for (const LateEnd& late : late_ends_) {
    if (!close(late.key, late.process, late.name, late.time, late.offset, late.json)) {
      output_.sink.loss("asynchronous end without a begin", {late.offset, late.process, late.time});
    }
  }
  struct Left {
    Open* open;
    size_t depth;
  };
  std::vector<Left> left;
  for (auto& [key, stack] : stacks_) {
    for (size_t i = 0; i < stack.size(); ++i) left.push_back({&stack[i], i});
  }
  std::ranges::sort(left, {}, [](const Left& l) { return l.open->offset; });
  for (const Left& l : left) {
    end_step(*l.open, end, l.depth);
    emit(*l.open, std::max(end, l.open->begin), {}, l.depth);
    // Objects that outlive the trace are nothing unusual.
    if (!l.open->is_object) {
      output_.sink.note("asynchronous begin without an end",
                        {l.open->offset, l.open->lane, l.open->begin});
    }
  }
}

}  // namespace weft::formats::chrome_json

#include "core/formats/profiles/tracy/tracy_stacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/formats/base/args_text.h"

namespace weft::formats::tracy {
namespace {

using trace::Category;

// Frames are called by an index, or by their address, of which two bits are folded away.
uint64_t address_of(uint64_t id) {
  constexpr uint64_t kBits = (uint64_t{1} << 62) - 1, kHigh = uint64_t{3} << 60;
  return (id & kBits) | (id & kHigh) << 2;
}

}  // namespace

void Stacks::give(Event event, std::string_view params, uint32_t callstack) {
  if (waits(callstack)) {
    waiting_.push_back({event, callstack, waiting_texts_.add(params)});
  } else {
    give_now(event, params, callstack);
  }
}

void Stacks::give_now(Event& event, std::string_view params, uint32_t callstack) {
  std::visit(
      [&](auto& each) {
        each.params = params_of(params, callstack);
        sink_.give(each);
      },
      event);
}

void Stacks::sample(uint64_t tid, int64_t time, uint32_t callstack, bool is_at_switch) {
  if (waits(callstack)) {
    samples_.push_back({tid, time, samples_.size(), callstack, is_at_switch});
    return;
  }
  sink_.give(trace::PunctualEvent{
      .time = {time},
      .params = params_of({}, callstack),
      .lane = lanes_.below_thread(tid, "call stacks"),
      .type =
          sink_.type(Category::kPunctual, is_at_switch ? "context switch" : "sample", "samples")});
}

void Stacks::read(Blocks& in) {
  for (auto left = in.take<uint64_t>(); left > 0 && in.go_on(); --left) {
    const auto size = in.take<uint16_t>();
    for (uint32_t i = 0; i < size && in.is_ok(); ++i) addresses_.push_back(in.take<uint64_t>());
    if (in.is_ok()) ends_.push_back(addresses_.size());
  }
  read_frames(in);
  finish();
}

void Stacks::read_frames(Blocks& in) {
  for (auto left = in.take<uint64_t>(); left > 0 && in.go_on(); --left) {
    const auto id = in.take<uint64_t>();
    const auto count = in.take<uint8_t>();
    const uint32_t image = in.take_24();
    const auto first = static_cast<uint32_t>(frames_.size());
    for (uint32_t i = 0; i < count && in.is_ok(); ++i) {
      Frame frame{.name = in.take_24(), .file = in.take_24(), .line = 0, .image = image};
      frame.line = in.take<uint32_t>();
      in.take<uint64_t>();  // the address of the symbol
      frames_.push_back(frame);
    }
    if (in.is_ok()) by_id_.try_emplace(id, first, count);
  }
}

template <class With>
void Stacks::for_each_frame(uint32_t callstack, With with) const {
  if (callstack == 0 || callstack > ends_.size()) return;
  const uint64_t begin = callstack == 1 ? 0 : ends_[callstack - 2];
  constexpr uint32_t kMost = 1024;  // Tracy's own stacks have 62 addresses
  uint32_t given = 0;
  for (uint64_t i = begin; i < ends_[callstack - 1] && given < kMost; ++i) {
    const auto it = by_id_.find(addresses_[i]);
    const bool is_named = it != by_id_.end() && it->second.count > 0;
    const uint32_t count = is_named ? it->second.count : 1;
    for (uint32_t j = 0; j < count && given < kMost; ++j, ++given)
      with(addresses_[i], is_named ? &frames_[it->second.first + j] : nullptr);
  }
}

std::string Stacks::name_of(uint64_t id, const Frame* frame) const {
  const std::string_view name = frame == nullptr ? "" : texts_.of(frame->name);
  return name.empty() ? fmt::format("0x{:x}", address_of(id)) : std::string(name);
}

std::string Stacks::text_of(uint32_t callstack) const {
  ArgsText text;
  text.begin('[');
  constexpr size_t kMostBytes = 256 << 10;
  bool is_empty = true;
  size_t bytes = 0;
  for_each_frame(callstack, [&](uint64_t id, const Frame* frame) {
    if (bytes > kMostBytes) return;
    is_empty = false;
    const std::string name = name_of(id, frame);
    const std::string_view file = frame == nullptr ? "" : texts_.of(frame->file);
    const bool has_place = !file.empty() && frame->line != 0;
    bytes += name.size() + file.size();
    text.text(has_place ? fmt::format("{} ({}:{})", name, file, frame->line) : name);
  });
  text.end(']');
  return is_empty ? std::string() : text.take_value();
}

ParamsId Stacks::params_of(std::string_view params, uint32_t callstack) {
  if (callstack == 0) return sink_.params(params);
  ArgsText text;
  if (!params.empty()) text.continue_object(params);
  if (const std::string stack = text_of(callstack); !stack.empty()) {
    text.name("stack");
    text.json(stack);
  } else {
    text.add("callstack", callstack);
  }
  return sink_.params(text.take());
}

// Samples are punctual events, and together states of the functions that were seen; where a thread
// was when it left its processor is not a measure of time, so those are not states.
void Stacks::give_samples() {
  struct Known {
    ParamsId params;
    std::vector<EventTypeId> frames;
  };
  constexpr size_t kMostFrames = size_t{1} << 22;  // of those that are kept: 16 MiB
  std::unordered_map<uint32_t, Known> known;
  size_t frames_known = 0;
  struct OfThread {
    stacks::SampledStacks states;
    std::optional<int64_t> last = {};
  };
  std::map<uint64_t, OfThread> timelines;
  std::ranges::sort(samples_, {},
                    [](const Sample& sample) { return std::pair(sample.time, sample.number); });
  for (const Sample& each : samples_) {
    const LaneId lane = lanes_.below_thread(each.tid, "call stacks");
    if (frames_known > kMostFrames) {
      known.clear();
      frames_known = 0;
    }
    const auto [it, is_new] = known.try_emplace(each.callstack);
    Known& stack = it->second;
    if (is_new) {
      stack.params = params_of({}, each.callstack);
      for_each_frame(each.callstack, [&](uint64_t id, const Frame* frame) {
        stack.frames.push_back(sink_.type(Category::kState, name_of(id, frame),
                                          frame == nullptr ? "" : texts_.of(frame->image)));
      });
      std::ranges::reverse(stack.frames);
      frames_known += stack.frames.size();
    }
    sink_.give(trace::PunctualEvent{
        .time = {each.time},
        .params = stack.params,
        .lane = lane,
        .type = sink_.type(Category::kPunctual, each.is_at_switch ? "context switch" : "sample",
                           "samples")});
    if (each.is_at_switch) continue;
    OfThread& thread =
        timelines.try_emplace(each.tid, stacks::SampledStacks(timeline_, lane, period_))
            .first->second;
    // Without kernel times all samples have the same time, and no duration.
    if (thread.last < each.time) thread.states.add({each.time}, stack.frames);
    thread.last = each.time;
  }
  for (auto& [tid, thread] : timelines) thread.states.finish();
  timeline_.finish();
}

void Stacks::finish() {
  if (is_known_) return;
  is_known_ = true;
  for (Waiting& waiting : waiting_) {
    if (!sink_.keep_going()) break;
    give_now(waiting.event, waiting.params, waiting.callstack);
  }
  waiting_ = {};
  waiting_texts_.clear();
  give_samples();
  samples_ = {};
}

}  // namespace weft::formats::tracy

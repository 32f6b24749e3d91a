#include "core/formats/stacks/held_stacks.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/stacks/sampled_stacks.h"

namespace weft::formats::stacks {
namespace {

constexpr size_t kMostKept = 1 << 12;  // texts and frames of stacks, at a time

}  // namespace

void HeldStacks::make_room(uint64_t bytes) {
  if (bytes_ + bytes > most_bytes_) {
    sink_.note("stacks shown without the names that the trace gives later (--memory)",
               trace::LossPlace::nowhere(), events_.empty() ? samples_.size() : events_.size());
    events_.empty() ? release_samples() : release_events();
  }
  bytes_ += bytes;
}

void HeldStacks::add(HeldEvent event) {
  if (event.stack == kNoStack) return give(event);
  make_room(sizeof(HeldEvent) + event.json.capacity());
  events_.push_back(std::move(event));
}

void HeldStacks::add_sample(const HeldSample& sample) {
  make_room(sizeof(HeldSample));
  samples_.push_back(sample);
}

const std::string& HeldStacks::text_of(const Key& key) {
  constexpr size_t kMostShown = 64;
  if (texts_.size() > kMostKept) texts_.clear();
  const auto [it, is_new] = texts_.try_emplace(key);
  std::string& text = it->second;
  if (!is_new) return text;
  const std::vector<std::string> names = names_.names_of(key.first, key.second);
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += " < ";
    text += i == kMostShown ? "…" : names[i];
    if (i == kMostShown) break;
  }
  return text;
}

const std::vector<EventTypeId>& HeldStacks::frames_of(const Key& key) {
  if (frames_.size() > kMostKept) frames_.clear();
  const auto [it, is_new] = frames_.try_emplace(key);
  if (!is_new) return it->second;
  for (const std::string& name : names_.names_of(key.first, key.second))
    it->second.push_back(sink_.type(trace::Category::kState, valid_utf8(name), "method"));
  std::ranges::reverse(it->second);
  return it->second;
}

void HeldStacks::give(const HeldEvent& event) {
  ParamsId params = ParamsId::none();
  if (event.stack != kNoStack) {
    ArgsText json;
    if (!event.json.empty()) json.continue_object(event.json);
    json.add("stack", text_of({event.process, event.stack}));
    params = sink_.params(json.take());
  } else if (!event.json.empty()) {
    params = sink_.params(event.json);
  }
  if (event.is_state) {
    return sink_.give(trace::StateEvent{.begin = event.begin,
                                        .duration = event.duration,
                                        .params = params,
                                        .lane = event.lane,
                                        .type = event.type,
                                        .nesting = event.nesting});
  }
  sink_.give(trace::PunctualEvent{
      .time = event.begin, .params = params, .lane = event.lane, .type = event.type});
}

void HeldStacks::release_events() {
  for (const HeldEvent& event : events_) {
    if (!sink_.keep_going()) break;
    give(event);
  }
  events_.clear();
  texts_.clear();
  bytes_ = samples_.size() * sizeof(HeldSample);
}

void HeldStacks::release_samples() {
  std::ranges::stable_sort(samples_, {}, &HeldSample::time);
  std::map<uint32_t, SampledStacks> sampled;
  std::vector<EventTypeId> frames;
  for (const HeldSample& sample : samples_) {
    if (!sink_.keep_going()) break;
    frames.clear();
    if (sample.stack != kNoStack) frames = frames_of({sample.process, sample.stack});
    if (!sample.innermost.is_none()) frames.push_back(sample.innermost);
    sampled.try_emplace(sample.lane.value(), timeline_, sample.lane, sample.interval)
        .first->second.add(sample.time, frames);
  }
  for (auto& [lane, stacks] : sampled) stacks.finish();
  samples_.clear();
  frames_.clear();
  bytes_ = 0;
}

void HeldStacks::finish() {
  release_events();
  release_samples();
  timeline_.finish();
}

}  // namespace weft::formats::stacks

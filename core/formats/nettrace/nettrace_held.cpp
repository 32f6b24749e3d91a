#include "core/formats/nettrace/nettrace_held.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/formats/perfetto/args_text.h"

namespace weft::formats::nettrace {

uint32_t Held::stack_of(std::string_view bytes, uint64_t offset) {
  bool is_full = false;
  const uint32_t stack = stacks_.add(bytes, is_full);
  if (is_full) sink_.loss("stack beyond the reader's memory (--memory)", offset);
  return stack;
}

// Samples are less than the others, and worth more.
void Held::make_room(uint64_t bytes) {
  if (bytes_ + bytes > most_bytes_) {
    sink_.loss("stacks shown without the methods that the trace describes later (--memory)",
               trace::LossPlace::nowhere(), given_.empty() ? samples_.size() : given_.size(),
               false);
    given_.empty() ? release_samples() : release_given();
  }
  bytes_ += bytes;
}

void Held::add(Given given) {
  if (given.stack == kNoStack) return give(given);
  make_room(sizeof(Given) + given.json.capacity());
  given_.push_back(std::move(given));
}

void Held::add_sample(const Sample& sample) {
  make_room(sizeof(Sample));
  samples_.push_back(sample);
}

EventTypeId Held::frame(uint64_t process, uint64_t address) {
  const auto [it, is_new] = frames_.try_emplace({process, address}, EventTypeId::none());
  if (is_new) {
    it->second = sink_.type(trace::Category::kState, valid_utf8(methods_.name_of(process, address)),
                            "method");
  }
  return it->second;
}

// The innermost first.
const std::string& Held::stack_text(uint64_t process, uint32_t stack) {
  constexpr size_t kMostShown = 64, kMostKept = 1 << 12;
  if (texts_.size() > kMostKept) texts_.clear();
  const auto [it, is_new] = texts_.try_emplace({process, stack});
  std::string& text = it->second;
  if (!is_new) return text;
  const std::vector<uint64_t> addresses = stacks_.addresses(stack);
  for (size_t i = 0; i < addresses.size(); ++i) {
    if (i > 0) text += " < ";
    text += i == kMostShown ? "…" : methods_.name_of(process, addresses[i]);
    if (i == kMostShown) break;
  }
  return text;
}

void Held::give(const Given& given) {
  ParamsId params = ParamsId::none();
  if (given.stack != kNoStack) {
    perfetto::ArgsText json;
    if (!given.json.empty()) json.continue_object(given.json);
    json.add("stack", stack_text(given.process, given.stack));
    params = sink_.params(json.take());
  } else if (!given.json.empty()) {
    params = sink_.params(given.json);
  }
  if (given.is_state) {
    const trace::StateEvent state{.begin = given.begin,
                                  .duration = given.duration,
                                  .params = params,
                                  .lane = given.lane,
                                  .type = given.type,
                                  .nesting = given.nesting};
    return sink_.states({&state, 1});
  }
  const trace::PunctualEvent instant{
      .time = given.begin, .params = params, .lane = given.lane, .type = given.type};
  sink_.punctuals({&instant, 1});
}

void Held::release_given() {
  for (const Given& given : given_) {
    if (!sink_.keep_going()) break;
    give(given);
  }
  given_.clear();
  texts_.clear();
  bytes_ = samples_.size() * sizeof(Sample);
}

void Held::release_samples() {
  std::ranges::stable_sort(samples_, {}, &Sample::time);
  std::map<uint32_t, stacks::SampledStacks> sampled;
  std::vector<EventTypeId> frames;
  for (const Sample& sample : samples_) {
    if (!sink_.keep_going()) break;
    frames.clear();
    for (const uint64_t address : stacks_.addresses(sample.stack))
      frames.push_back(frame(sample.process, address));
    std::ranges::reverse(frames);
    if (!sample.innermost.is_none()) frames.push_back(sample.innermost);
    sampled.try_emplace(sample.lane.value(), timeline_, sample.lane, sample.interval)
        .first->second.add(sample.time, frames);
  }
  for (auto& [lane, stacks] : sampled) stacks.finish();
  samples_.clear();
  frames_.clear();
  bytes_ = 0;
}

void Held::finish() {
  release_given();
  release_samples();
  timeline_.finish();
}

}  // namespace weft::formats::nettrace

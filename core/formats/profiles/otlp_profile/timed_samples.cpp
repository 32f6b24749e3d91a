#include "core/formats/profiles/otlp_profile/timed_samples.h"

#include <algorithm>

namespace weft::formats::otlp_profile {

using trace::LaneKind;

void TimedSamples::add(const Place& place, Duration interval, std::span<const Sample> samples) {
  std::vector<Sample>& waiting = lane_of(place, interval).waiting;
  waiting.insert(waiting.end(), samples.begin(), samples.end());
  Process& process = processes_[place.process];
  if (process.resources.empty()) return;
  Time& first = process.resources.back().first;
  for (const Sample& each : samples) first = std::min(first, each.time);
}

void TimedSamples::describe(const std::string& process, std::string_view params) {
  Process& described = processes_[process];
  if (described.resource == params) return;
  described.resource = params;
  described.resources.push_back({sink_.params(params), Time::max()});
}

TimedSamples::Lane& TimedSamples::lane_of(const Place& place, Duration interval) {
  const auto known = lanes_.find(place);
  if (known != lanes_.end()) return known->second;
  const LaneId lane = sink_.add_lane({.name = place.type, .parent = thread_of(place)});
  return lanes_
      .emplace(place, Lane{lane, stacks::SampledStacks(timeline_, lane, interval), Time::min(), {}})
      .first->second;
}

LaneId TimedSamples::thread_of(const Place& place) {
  Process& process = processes_[place.process];
  if (process.lane.is_none())
    process.lane = sink_.add_lane({.name = place.process, .kind = LaneKind::kProcess});
  if (place.thread.empty()) return process.lane;
  LaneId& thread = process.threads.try_emplace(place.thread, LaneId::none()).first->second;
  if (thread.is_none())
    thread =
        sink_.add_lane({.name = place.thread, .parent = process.lane, .kind = LaneKind::kThread});
  return thread;
}

// Samples come by stack.
void TimedSamples::give() {
  for (auto& [name, process] : processes_) {
    for (const Resource& each : process.resources) {
      if (!each.params.is_none() && each.first < Time::max())
        add_punctual(each.first, process.lane, "resource", each.params);
    }
    process.resources.clear();
  }
  for (auto& [place, lane] : lanes_) {
    std::ranges::stable_sort(lane.waiting, {}, &Sample::time);
    for (const Sample& each : lane.waiting) give(lane, each);
    lane.waiting = {};
  }
}

void TimedSamples::give(Lane& lane, const Sample& sample) {
  std::span<const EventTypeId> frames(*sample.stack);
  if (frames.empty() && none_.is_none())
    none_ = sink_.type(trace::Category::kState, "(no stack)", {});
  if (frames.empty()) frames = {&none_, 1};
  if (!sample.lasted) {
    lane.sampled.add(sample.time, frames);
  } else {
    // Where the threads of a process are not known, they share a lane.
    const Time begin = sample.time - *sample.lasted, shown = std::max(begin, lane.last_end);
    if (begin < shown)
      sink_.note("time of a sample within that of another",
                 trace::LossPlace::on_time_line(lane.lane, begin));
    timeline_.add(lane.lane, frames, shown, sample.time);
    lane.last_end = std::max(lane.last_end, sample.time);
  }
  if (!sample.labels.is_none()) add_punctual(sample.time, lane.lane, "labels", sample.labels);
}

void TimedSamples::add_punctual(Time time, LaneId lane, std::string_view type, ParamsId params) {
  sink_.give(trace::PunctualEvent{.time = time,
                                  .params = params,
                                  .lane = lane,
                                  .type = sink_.type(trace::Category::kPunctual, type, {})});
}

void TimedSamples::finish() {
  for (auto& [place, lane] : lanes_) lane.sampled.finish();
}

}  // namespace weft::formats::otlp_profile

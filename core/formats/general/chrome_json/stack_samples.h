// Sampled stacks ("P", and the array "samples", with "sf") as states on a lane below the thread's,
// one per name of samples. Held until the end, since frames usually follow.
#pragma once

#include <algorithm>
#include <map>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/percentiles.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/trace/event_sink.h"

namespace weft::formats::chrome_json {

class StackSamples {
 public:
  // Memory of a sample; `frame` is the id of its innermost frame.
  static size_t bytes_of(std::string_view frame) { return sizeof(Sample) + frame.size(); }
  void add(LaneId thread, std::string_view name, Time time, std::string_view frame) {
    lanes_[{thread.value(), std::string(name)}].push_back({time, std::string(frame)});
  }

  // `stack_of(frame)` returns names, innermost first; empty: unknown frame.
  template <class StackOf>
  void give(trace::EventSink& sink, const StackOf& stack_of) {
    stacks::StackTimeline timeline(sink);
    std::vector<EventTypeId> types;
    std::map<std::string_view, Duration> intervals;
    for (auto& samples : lanes_ | std::views::values)
      std::ranges::stable_sort(samples, {}, &Sample::time);
    for (const auto& [key, samples] : lanes_) {
      const LaneId lane = sink.add_lane({.name = key.second, .parent = LaneId(key.first)});
      const auto [interval, is_new] = intervals.try_emplace(key.second);
      if (is_new) interval->second = interval_of(key.second);
      stacks::SampledStacks stacks(timeline, lane, interval->second);
      for (const Sample& sample : samples) {
        types.clear();
        for (const std::string_view name : stack_of(sample.frame))
          types.push_back(sink.type(trace::Category::kState, name));
        std::ranges::reverse(types);
        stacks.add(sample.time, types);
      }
      stacks.finish();
    }
    timeline.finish();
    lanes_.clear();
  }

 private:
  struct Sample {
    Time time;
    std::string frame;
  };
  // The typical gap between two samples of this name, where most of them are: a thread that rarely
  // runs has few samples, far apart.
  Duration interval_of(std::string_view name) const {
    const std::vector<Sample>* most = nullptr;
    for (const auto& [key, samples] : lanes_) {
      if (key.second == name && (most == nullptr || samples.size() > most->size())) most = &samples;
    }
    std::vector<Duration> gaps;
    for (size_t i = 1; most != nullptr && i < most->size(); ++i)
      gaps.push_back((*most)[i].time - (*most)[i - 1].time);
    return median_of(std::move(gaps));
  }

  std::map<std::pair<uint32_t, std::string>, std::vector<Sample>> lanes_;  // by thread and name
};

}  // namespace weft::formats::chrome_json

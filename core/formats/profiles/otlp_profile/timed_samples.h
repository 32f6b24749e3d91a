// Samples that say when they were taken, on lanes of their process, thread and type of value:
//
//   shop (4711)/worker-1 (4712)/off_cpu (nanoseconds)
//
// A value that is a time ends at the sample's; others last until the next sample.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/trace/event_sink.h"

namespace weft::formats::otlp_profile {

class TimedSamples {
 public:
  TimedSamples(trace::EventSink& sink, stacks::StackTimeline& timeline)
      : sink_(sink), timeline_(timeline) {}

  struct Sample {
    Time time;
    std::optional<Duration> lasted = {};
    const std::vector<EventTypeId>* stack = nullptr;  // from the outermost frame
    ParamsId labels = ParamsId::none();
  };
  struct Place {
    std::string process, thread, type;  // no thread: it is not known
    auto operator<=>(const Place&) const = default;
  };
  // `interval` is that of the samples; 0: not known.
  void add(const Place& place, Duration interval, std::span<const Sample> samples);
  // What else is said of the process of the samples that follow; shown at the first of them.
  void describe(const std::string& process, std::string_view params);
  // Gives what was added: the stacks need not live longer.
  void give();
  void finish();

 private:
  struct Lane {
    LaneId lane;
    stacks::SampledStacks sampled;
    Time last_end;
    std::vector<Sample> waiting;
  };
  struct Resource {
    ParamsId params;
    Time first;  // of its samples
  };
  struct Process {
    LaneId lane = LaneId::none();
    std::string resource;             // the last
    std::vector<Resource> resources;  // not given yet
    std::map<std::string, LaneId, std::less<>> threads;
  };

  Lane& lane_of(const Place& place, Duration interval);
  LaneId thread_of(const Place& place);
  void give(Lane& lane, const Sample& sample);
  void add_punctual(Time time, LaneId lane, std::string_view type, ParamsId params);

  trace::EventSink& sink_;
  stacks::StackTimeline& timeline_;
  EventTypeId none_ = EventTypeId::none();  // of samples without a stack
  std::map<Place, Lane> lanes_;
  std::map<std::string, Process, std::less<>> processes_;
};

}  // namespace weft::formats::otlp_profile

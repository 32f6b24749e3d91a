// Turns Java Flight Recorder events into states and instants of threads, or of what the event is
// about; sampled stacks; measurements; and who waited for whom.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/lane_paths.h"
#include "core/formats/profiles/jfr/jfr_values.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/trace/event_sink.h"

namespace weft::formats::jfr {

// Ticks of a chunk as nanoseconds since 1970.
struct Clock {
  int64_t begin_ns = 0, begin_ticks = 0, ticks_per_second = 1'000'000'000;

  int64_t nanoseconds(int64_t ticks) const;
  Time time(int64_t ticks) const;
};

class Player {
 public:
  explicit Player(trace::EventSink& sink) : sink_(sink), timeline_(sink), lanes_(sink) {}

  void begin_chunk(const Clock& clock) { clock_ = clock; }
  // `event`: an object of the class.
  void add(Values& values, const Class& of, const Value& event, uint64_t offset);
  // Samples are known to be in order by the end of their chunk only.
  void end_chunk();
  void finish() { timeline_.finish(); }

 private:
  struct Sample {
    Time time;
    LaneId lane;
    std::vector<EventTypeId> frames;  // the outermost first
  };

  LaneId thread(Values& values, const Value& value);
  LaneId samples_of(LaneId thread);
  void add_sample(Values& values, const Value& event, Time time, uint64_t offset);
  void add_measures(Values& values, const Class& of, const Value& event, Time time);
  void add_numbers(const std::string& prefix, const Value& object, std::string_view group,
                   LaneId lane, Time time);
  void add_links(Values& values, const Class& of, const Value& event, LaneId lane, Time end);
  void add_metadata(Values& values, const Class& of, const Value& event);
  std::string params_of(Values& values, const Class& of, const Value& event);
  void add_link(std::string_view name, LaneId from, LaneId to, Time time);

  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  LanePaths lanes_;
  Clock clock_;
  std::map<std::string, LaneId> threads_;         // by number and name
  std::map<uint32_t, LaneId> samples_by_thread_;  // lanes
  std::vector<Sample> samples_;                   // of the chunk
  std::map<uint32_t, stacks::SampledStacks> sampled_;
};

}  // namespace weft::formats::jfr

// Reads the counts of `perf stat record`: after each interval the counts of each event so far, by
// processor and thread, then a record that ends the interval. They become what the text of `perf
// stat -I` becomes: intervals are states, and the counts of each are variables at its begin.
//
// Source: Linux, tools/lib/perf/include/perf/event.h, tools/perf/builtin-stat.c.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/trace/event_sink.h"

namespace weft::formats::perf {

class Counts {
 public:
  explicit Counts(trace::EventSink& sink) : sink_(sink) {}

  // Bodies of records. Of what they are summed up for, unless each processor or thread is wanted.
  void configure(std::string_view body);
  // Returns the event id of a count: its first number.
  static uint64_t id_of(std::string_view body);
  void add(std::string_view body, const std::string& event, uint64_t offset);
  void end_interval(std::string_view body, uint64_t offset);

 private:
  struct Count {
    uint64_t value = 0, enabled = 0, running = 0;  // so far
  };
  struct Sum {
    double value = 0, enabled = 0, running = 0;  // of the interval
  };
  // Empty if counts are summed up.
  std::string group_of(uint32_t cpu, uint32_t thread) const;
  void give(LaneId lane, const std::string& event, const Sum& sum);

  trace::EventSink& sink_;
  uint64_t aggregation_ = 1;
  std::map<std::tuple<uint64_t, uint32_t, uint32_t>, Count> counts_;  // by event, CPU and thread
  std::map<std::pair<std::string, std::string>, Sum> sums_;           // by group and event
  std::map<std::string, LaneId> lanes_;                               // of groups
  LaneId intervals_ = LaneId::none();
  Time begin_;
};

}  // namespace weft::formats::perf

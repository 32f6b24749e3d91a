// Memory use: graphs of Java heaps become one state for each class that has instances (its
// instances' own bytes as nanoseconds, as in heap profiles); Chrome's memory dumps and what
// processes have mapped become variables of each process.
//
// A graph spans several packets of one writer. It is shown when the trace is over, since source
// names of classes are given behind it. Memory: the classes of all graphs, and a number for each.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/formats/general/perfetto/counter_lanes.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/sequence.h"
#include "core/formats/general/perfetto/symbols.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class MemoryGraphs {
 public:
  MemoryGraphs(trace::EventSink& sink, ftrace::Lanes& lanes, CounterLanes& counters,
               const Symbols& symbols)
      : sink_(sink), lanes_(lanes), counters_(counters), symbols_(symbols) {}

  // Takes the content of a packet; returns false if it is of another kind.
  bool add(const Field& data, const Sequence& sequence, std::optional<Time> time, uint64_t offset);
  void finish();

 private:
  struct Class {
    std::string name;
    uint64_t location = 0;      // of its program, a number of `paths`
    uint64_t object_bytes = 0;  // of an instance that does not say its own
    uint64_t objects = 0, sized_objects = 0, bytes = 0;
  };
  struct Graph {
    int32_t pid = 0;
    std::optional<Time> time;
    std::unordered_map<uint64_t, Class> classes;
    std::unordered_map<uint64_t, std::string> paths;
    std::optional<uint64_t> index;
    uint64_t offset = 0;  // of its last packet
  };

  bool add_graph(std::string_view message, const Sequence& sequence, std::optional<Time> time,
                 uint64_t offset);
  static bool add_class(std::string_view message, Graph& graph);
  static bool add_object(std::string_view message, Graph& graph);
  static bool add_path(std::string_view message, Graph& graph);
  void keep(Graph graph);
  void show(const Graph& graph);
  bool add_dump(std::string_view message, Time time, uint64_t offset);
  bool add_memory_map(std::string_view message, Time time);
  bool add_node(std::string_view message, LaneId process, Time time, uint64_t offset);

  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  CounterLanes& counters_;
  const Symbols& symbols_;
  std::map<uint32_t, Graph> graphs_;  // that go on, by sequence
  std::vector<Graph> whole_;          // that are not shown yet
  size_t kept_things_ = 0;            // of these: classes, paths, and they themselves
  std::map<int32_t, Time> ends_;      // of what is drawn, by process
};

}  // namespace weft::formats::perfetto

// The lanes of a Paraver trace: applications, their tasks, and their threads, as records name them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/large_vector.h"
#include "core/formats/hpc/paraver/paraver_labels.h"
#include "core/trace/event_sink.h"

namespace weft::formats::paraver {

struct ThreadId {
  int64_t application = 0, task = 0, thread = 0;  // from 1; 0: none
  auto operator<=>(const ThreadId&) const = default;
};

class Lanes {
 public:
  Lanes(trace::EventSink& sink, const Labels& labels) : sink_(sink), labels_(labels) {}

  // "2:8(1:1,1:2,…),1(3:1),14": how many tasks and threads there are, so that the names of the .row
  // file, which are only counted, find their lanes. Ends at what it does not understand.
  void set_applications(std::string_view list);

  // Returns the thread's lane, created at first mention.
  LaneId thread(const ThreadId& id);
  // A lane below it, for events of a type that last.
  LaneId of_events(const ThreadId& id, int64_t type, const std::string& name);

 private:
  LaneId application(int64_t number);
  LaneId task(const ThreadId& id);
  // Returns the name from the .row file, else "LEVEL 1.2".
  std::string name_of(const std::string& level, size_t index, const std::string& number) const;

  trace::EventSink& sink_;
  const Labels& labels_;
  // By application: the number of threads of each task.
  std::vector<std::vector<int64_t>> threads_of_task_;
  LargePool memory_;
  std::pmr::map<int64_t, LaneId> applications_{&memory_};
  std::pmr::map<std::pair<int64_t, int64_t>, LaneId> tasks_{&memory_};
  std::pmr::map<ThreadId, LaneId> threads_{&memory_};
  std::pmr::map<std::pair<ThreadId, int64_t>, LaneId> events_{&memory_};
};

}  // namespace weft::formats::paraver

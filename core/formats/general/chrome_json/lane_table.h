// The lanes of a Chrome trace: processes; in them threads, counters and asynchronous work.
//
// Lanes are made at their first mention and renamed when the trace says their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/formats/general/chrome_json/event_parser.h"
#include "core/trace/event_sink.h"

namespace weft::formats::chrome_json {

class LaneTable {
 public:
  explicit LaneTable(trace::EventSink& sink) : sink_(sink) {}

  LaneId global();
  LaneId process(const Ident& pid);
  LaneId thread(const Ident& pid, const Ident& tid);
  // Of a sample that says no process: the only thread of that number; where there is none, or there
  // are several, one of no process.
  LaneId sampled_thread(const Ident& tid);
  LaneId counter(const Ident& pid, std::string_view name);
  // Asynchronous work of one name and category in a process. A process with more than
  // kMostAsyncLanes of them gets one lane for each category instead.
  LaneId async(LaneId process, std::string_view category, std::string_view name);

  // A thread that is this lane, as what Weftscope exports says: below the lane of another thread of
  // that process, or, without one, in the process's own place. No other name changes it.
  void place(const Ident& pid, const Ident& tid, trace::Lane lane, std::optional<Ident> parent);

  // Processes and threads whose ids are numbers.
  struct Task {
    int64_t pid = 0, tid = 0;
    LaneId lane;
    bool is_process = false;
  };
  const std::vector<Task>& tasks() const { return tasks_; }

  void set_name(LaneId id, std::string_view name);
  // As another part of the trace calls a process, or a thread of one: the trace's own name stays.
  void suggest_process_name(uint64_t pid, std::string_view name);
  void suggest_thread_name(uint64_t pid, uint64_t tid, std::string_view name);
  void set_labels(LaneId id, std::string_view labels);  // shown behind a process's name
  void set_sort_index(LaneId id, int32_t index);
  // Processes, and threads of one process, that have the same name get their ids behind it: a
  // pool's workers; asynchronous work that is called as something else of its process is gets its
  // category. After all names are known.
  void tell_apart();

  // "Process 12": for what the trace says about a lane.
  const std::string& name(LaneId id) const { return entries_.at(id.value()).lane.name; }

 private:
  static constexpr uint32_t kMostAsyncLanes = 1000;

  struct Entry {
    trace::Lane lane;
    std::string own_name;  // without labels
    std::string labels;
    std::string apart;  // what tells it from its namesakes: its id, its category
    uint32_t async_lanes = 0;
    bool is_named = false;   // by the trace
    bool is_placed = false;  // it is what it is said to be
  };
  LaneId find_or_add(const std::string& key, LaneId parent, trace::LaneKind kind, std::string name,
                     std::string apart = {});
  void suggest_name(const std::string& key, std::string_view name);
  void update(LaneId id);

  trace::EventSink& sink_;
  std::unordered_map<std::string, LaneId> ids_;
  std::unordered_map<uint32_t, Entry> entries_;
  std::vector<Task> tasks_;
};

}  // namespace weft::formats::chrome_json

// The lanes of a Chrome trace: processes; in them threads, counters and asynchronous work.
//
// Lanes are made at their first mention and renamed when the trace says their names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/large_vector.h"
#include "core/base/text_numbers.h"
#include "core/formats/general/chrome_json/event_parser.h"
#include "core/trace/event_sink.h"

namespace weft::formats::chrome_json {

class LaneTable {
 public:
  explicit LaneTable(trace::EventSink& sink) : sink_(sink) {}

  LaneId global();
  LaneId process(const Ident& pid);
  LaneId thread(const Ident& pid, const Ident& tid);
  // The lane of a sample without a process: the only thread of that number or, if there are none or
  // several, one without a process.
  LaneId sampled_thread(const Ident& tid);
  LaneId scheduler(const Ident& pid, const Ident& tid);  // below the thread's
  LaneId counter(const Ident& pid, std::string_view name);
  // The lane of asynchronous work of one name and category in a process. A process with more than
  // kMostAsyncLanes of them gets one per category instead.
  LaneId async(LaneId process, std::string_view category, std::string_view name);

  // Places a thread at a given lane, as Weftscope's own exports specify: below the lane of another
  // thread of the process or, without one, in the process's own place. No other name changes it.
  void place(const Ident& pid, const Ident& tid, trace::Lane lane, std::optional<Ident> parent);

  // Processes and threads whose ids are numbers.
  struct Task {
    int64_t pid = 0, tid = 0;
    LaneId lane;
    bool is_process = false;
  };
  std::span<const Task> tasks() const { return tasks_; }

  void set_name(LaneId id, std::string_view name);
  // Suggests names from another part of the trace: the trace's own names take precedence.
  void suggest_process_name(uint64_t pid, std::string_view name);
  void suggest_thread_name(uint64_t pid, uint64_t tid, std::string_view name);
  void set_labels(LaneId id, std::string_view labels);  // shown behind a process's name
  void set_sort_index(LaneId id, int32_t index);
  // Call after all names are known: appends ids to processes, and threads of one process, that
  // share a name (a pool's workers); asynchronous work named like something else in its process
  // gets its category.
  void tell_apart();

  // The lane's name, such as "Process 12", for messages.
  const std::string& name(LaneId id) const { return entries_.at(id.value()).lane.name; }

 private:
  static constexpr uint32_t kMostAsyncLanes = 1000;

  struct Entry {
    trace::Lane lane;
    std::string own_name;  // without labels
    std::string labels;
    std::string apart;  // its id or category, if needed to tell namesakes apart
    uint32_t async_lanes = 0;
    bool is_named = false;   // by the trace
    bool is_placed = false;  // placed explicitly
  };
  std::optional<LaneId> find(std::string_view key) const;
  void remember(std::string_view key, LaneId id);
  LaneId find_or_add(std::string_view key, LaneId parent, trace::LaneKind kind, std::string name,
                     std::string apart = {});
  void suggest_name(std::string_view key, std::string_view name);
  void update(LaneId id);

  trace::EventSink& sink_;
  TextNumbers keys_;         // of lanes
  LargeVector<LaneId> ids_;  // by the numbers of their keys
  LargePool memory_;
  std::pmr::unordered_map<uint32_t, Entry> entries_{&memory_};  // by lane
  LargeVector<Task> tasks_;
};

}  // namespace weft::formats::chrome_json

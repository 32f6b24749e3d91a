// The lanes of an ftrace: CPUs, and tasks below their processes where the trace says which.
//
//   CPUs              the process (or Tasks, in the end)
//     CPU 0             bash-3907             what the scheduler did
//       interrupts        system calls, marks, functions
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/large_vector.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ftrace {

// Base of the sort indices of a process's lanes other than threads.
inline constexpr int32_t kBehindThreads = 1 << 30;

class Lanes {
 public:
  // The content of a task's own lane: the scheduler's states, with marks on a lane below; or marks,
  // as if threads report themselves, with the scheduler below.
  enum class OnTasks : uint8_t { kScheduler, kMarks };

  // Lanes are created below `root`, a machine's lane; none(): at the root.
  explicit Lanes(trace::EventSink& sink, LaneId root = LaneId::none(),
                 OnTasks on_tasks = OnTasks::kScheduler)
      : sink_(sink), root_(root), on_tasks_(on_tasks), homeless_(root) {}

  LaneId root() const { return root_; }
  // Other kernels number tasks and processes with 64 bits. What is no number of 32 bits is known by
  // one from the top of these down, and shown as it was said.
  int32_t id_of(int64_t number);
  int64_t number_of(int32_t id) const;
  LaneId cpu(uint32_t cpu);
  bool is_of_cpu(LaneId lane, uint32_t cpu) const {
    const auto it = cpu_.find(cpu);
    return it != cpu_.end() && it->second == lane;
  }
  // Called as its first thread, where it has no name of its own.
  LaneId process(int32_t tgid);
  // The name is the one heard last; "<...>" is none. `tgid` -1: unknown. Processes may number their
  // threads for themselves: the same number in another process is another task.
  LaneId task(int32_t pid, std::string_view name, int32_t tgid);
  // The task itself where its process is not known (yet).
  LaneId process_of_task(int32_t pid);
  // The name as far as known, otherwise the number.
  std::string name_of_task(int32_t pid) const;
  // Empty: it is not known.
  std::string_view known_name_of_task(int32_t pid) const;
  // Describes tasks and processes that may never act: they get lanes when they do. A process keeps
  // this name, whatever its first thread is called.
  void describe_process(int32_t tgid, std::string_view name);
  void describe_task(int32_t pid, std::string_view name, int32_t tgid);
  // Lanes that something else made and names: a process, or a thread of one, keeps its lane as it
  // is.
  void adopt_process(int32_t tgid, LaneId lane);
  void adopt_task(int32_t pid, int32_t tgid, LaneId lane);
  // Lets a process or task that has no lane yet have this one, which was made before it was known
  // whose it is. False: it has another.
  bool show_process_on(int32_t tgid, LaneId lane);
  bool show_task_on(int32_t pid, int32_t tgid, LaneId lane);
  // The number is another's from now on.
  void forget_process(int32_t tgid);
  void forget_task(int32_t pid, int32_t tgid);
  // That of a task and of a process, unless something else made their lanes.
  void forget_number(int32_t pid);
  // Below a task; see OnTasks.
  LaneId scheduler(LaneId task);
  LaneId marks(LaneId task);
  // Below another lane, by name.
  LaneId below(LaneId parent, std::string_view name, trace::LaneKind kind = trace::LaneKind::kGroup,
               int32_t sort_index = 0);
  std::optional<LaneId> known_below(LaneId parent, std::string_view name) const;
  // Tasks whose process nobody named become a group, which there is for them only.
  void finish();

 private:
  struct Task {
    LaneId lane = LaneId::none();
    std::string name = "<...>";
    int32_t tgid = -1;
    bool is_adopted = false;
  };
  struct Process {
    LaneId lane = LaneId::none();
    std::string own_name;  // empty: that of its first thread
    bool is_adopted = false;
  };
  int32_t sort_index_of(int32_t id) const;
  Task& find_task(int32_t pid, int32_t tgid);
  const Task* first_task_of(int32_t tgid) const;  // null: it is not known
  void show_process(int32_t tgid, Process& process);
  void show_task(int32_t pid, Task& task);
  void show(LaneId& id, const trace::Lane& lane);
  // Whether it told anything new.
  bool learn(int32_t pid, Task& task, std::string_view name, int32_t tgid);

  trace::EventSink& sink_;
  const LaneId root_;
  const OnTasks on_tasks_;
  LaneId cpus_ = LaneId::none();
  LaneId homeless_;  // where tasks lie of which no process is known (yet)
  LargePool memory_;
  std::map<uint32_t, LaneId> cpu_;
  std::pmr::unordered_map<int32_t, Task> task_{&memory_};
  // Whose number another has, too.
  std::pmr::map<std::pair<int32_t, int32_t>, Task> task_of_process_{&memory_};
  std::pmr::unordered_map<int32_t, Process> process_{&memory_};
  std::pmr::map<std::pair<uint32_t, std::string>, LaneId> below_{&memory_};
  std::pmr::unordered_map<int64_t, int32_t> ids_{&memory_};  // of long numbers
  LargeVector<int64_t> long_numbers_;  // by how far their ids lie below the top
};

}  // namespace weft::formats::ftrace

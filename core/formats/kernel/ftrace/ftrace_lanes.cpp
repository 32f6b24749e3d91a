#include "core/formats/kernel/ftrace/ftrace_lanes.h"

#include <fmt/core.h>

#include <cstdint>
#include <string>

#include "core/base/text.h"

namespace weft::formats::ftrace {
namespace {

constexpr std::string_view kUnknown = "<...>";
constexpr int64_t kFirstId = INT32_MAX;        // of a long number; further ones lie below it
constexpr size_t kMostLongNumbers = 1U << 30;  // further ones are as the last

}  // namespace

int32_t Lanes::id_of(int64_t number) {
  if (std::in_range<int32_t>(number)) return static_cast<int32_t>(number);
  const auto [it, is_new] = ids_.try_emplace(number, 0);
  if (is_new && long_numbers_.size() < kMostLongNumbers) long_numbers_.push_back(number);
  if (is_new)
    it->second = static_cast<int32_t>(kFirstId + 1 - static_cast<int64_t>(long_numbers_.size()));
  return it->second;
}

int64_t Lanes::number_of(int32_t id) const {
  const auto place = static_cast<size_t>(kFirstId - id);
  return place < long_numbers_.size() ? long_numbers_[place] : id;
}

// Tasks with long numbers lie behind the others, in their order, and before what is no task.
int32_t Lanes::sort_index_of(int32_t id) const {
  return number_of(id) == id ? id : kBehindThreads - 1;
}

LaneId Lanes::cpu(uint32_t cpu) {
  const auto [it, is_new] = cpu_.try_emplace(cpu, LaneId::none());
  if (is_new) {
    if (cpus_.is_none())
      cpus_ = sink_.add_lane({.name = "CPUs", .parent = root_, .sort_index = -2});
    it->second = sink_.add_lane({.name = fmt::format("CPU {}", cpu),
                                 .parent = cpus_,
                                 .kind = trace::LaneKind::kCpu,
                                 .sort_index = static_cast<int32_t>(cpu)});
  }
  return it->second;
}

LaneId Lanes::process(int32_t tgid) {
  Process& process = process_[tgid];
  if (!process.lane.is_none()) return process.lane;
  show_process(tgid, process);
  // Its first thread was of an unknown process until now.
  const auto first = task_.find(tgid);
  const bool is_elsewhere =
      first != task_.end() && !first->second.lane.is_none() && first->second.tgid < 0;
  if (is_elsewhere) task(tgid, {}, tgid);
  return process.lane;
}

LaneId Lanes::task(int32_t pid, std::string_view name, int32_t tgid) {
  Task& task = find_task(pid, tgid);
  const bool is_changed = learn(pid, task, name, tgid);
  if (is_changed || task.lane.is_none()) show_task(pid, task);
  return task.lane;
}

void Lanes::describe_process(int32_t tgid, std::string_view name) {
  Process& process = process_[tgid];
  if (name.empty() || process.own_name == name) return;
  process.own_name = name;
  if (!process.lane.is_none()) show_process(tgid, process);
}

void Lanes::describe_task(int32_t pid, std::string_view name, int32_t tgid) {
  Task& task = find_task(pid, tgid);
  const bool is_changed = learn(pid, task, name, tgid);
  if (is_changed && !task.lane.is_none()) show_task(pid, task);
}

void Lanes::adopt_process(int32_t tgid, LaneId lane) {
  process_[tgid] = {.lane = lane, .own_name = {}, .is_adopted = true};
}

void Lanes::adopt_task(int32_t pid, int32_t tgid, LaneId lane) {
  find_task(pid, tgid) = {.lane = lane, .name = {}, .tgid = tgid, .is_adopted = true};
}

bool Lanes::show_process_on(int32_t tgid, LaneId lane) {
  Process& process = process_[tgid];
  if (process.lane.is_none()) process.lane = lane;
  if (process.lane == lane) show_process(tgid, process);
  return process.lane == lane;
}

bool Lanes::show_task_on(int32_t pid, int32_t tgid, LaneId lane) {
  Task& task = find_task(pid, tgid);
  if (task.lane.is_none()) task.lane = lane;
  if (tgid >= 0 && task.tgid < 0) task.tgid = tgid;
  if (task.lane == lane) show_task(pid, task);
  return task.lane == lane;
}

void Lanes::forget_process(int32_t tgid) {
  process_.erase(tgid);
  std::erase_if(task_, [&](const auto& task) { return task.second.tgid == tgid; });
  std::erase_if(task_of_process_, [&](const auto& task) { return task.first.first == tgid; });
}

void Lanes::forget_task(int32_t pid, int32_t tgid) {
  const auto it = task_.find(pid);
  if (it != task_.end() && it->second.tgid == tgid) task_.erase(it);
  task_of_process_.erase({tgid, pid});
}

void Lanes::forget_number(int32_t pid) {
  const auto task = task_.find(pid);
  if (task != task_.end() && !task->second.is_adopted) task_.erase(task);
  const auto process = process_.find(pid);
  if (process != process_.end() && !process->second.is_adopted) process_.erase(process);
}

Lanes::Task& Lanes::find_task(int32_t pid, int32_t tgid) {
  Task& task = task_[pid];
  const bool is_other = tgid >= 0 && task.tgid >= 0 && task.tgid != tgid;
  return is_other ? task_of_process_[{tgid, pid}] : task;
}

const Lanes::Task* Lanes::first_task_of(int32_t tgid) const {
  const auto task = task_.find(tgid);
  const bool is_its = task != task_.end() && (task->second.tgid < 0 || task->second.tgid == tgid);
  if (is_its) return &task->second;
  const auto other = task_of_process_.find({tgid, tgid});
  return other == task_of_process_.end() ? nullptr : &other->second;
}

bool Lanes::learn(int32_t pid, Task& task, std::string_view name, int32_t tgid) {
  bool is_changed = false;
  if (name != kUnknown && !name.empty() && task.name != name) {
    task.name = name;
    is_changed = true;
    const auto own = process_.find(pid);
    if (own != process_.end() && own->second.own_name.empty() && !own->second.lane.is_none())
      show_process(pid, own->second);
  }
  if (tgid >= 0 && task.tgid < 0) {
    task.tgid = tgid;
    is_changed = true;
  }
  return is_changed;
}

void Lanes::show_process(int32_t tgid, Process& process) {
  if (process.is_adopted) return;
  std::string_view name = process.own_name;
  const Task* const first = first_task_of(tgid);
  if (name.empty() && first != nullptr && first->name != kUnknown) name = first->name;
  show(process.lane,
       {.name = name.empty() ? fmt::format("process {}", number_of(tgid))
                             : fmt::format("{} ({})", valid_utf8(name), number_of(tgid)),
        .parent = root_,
        .kind = trace::LaneKind::kProcess,
        .sort_index = sort_index_of(tgid)});
}

void Lanes::finish() {
  for (auto& [pid, task] : task_) {
    if (task.lane.is_none() || task.tgid >= 0) continue;
    if (homeless_ == root_) homeless_ = sink_.add_lane({.name = "Tasks", .parent = root_});
    show_task(pid, task);
  }
}

LaneId Lanes::process_of_task(int32_t pid) {
  const auto it = task_.find(pid);
  return it != task_.end() && it->second.tgid >= 0 ? process(it->second.tgid) : task(pid, {}, -1);
}

std::string Lanes::name_of_task(int32_t pid) const {
  const std::string_view name = known_name_of_task(pid);
  return name.empty() ? fmt::format("thread {}", number_of(pid)) : std::string(name);
}

std::string_view Lanes::known_name_of_task(int32_t pid) const {
  const auto it = task_.find(pid);
  const bool is_known = it != task_.end() && it->second.name != kUnknown;
  return is_known ? std::string_view(it->second.name) : std::string_view();
}

void Lanes::show_task(int32_t pid, Task& task) {
  if (task.is_adopted) return;
  const LaneId parent = task.tgid >= 0 ? process(task.tgid) : homeless_;
  show(task.lane,
       {.name = task.name == kUnknown ? fmt::format("thread {}", number_of(pid))
                                      : fmt::format("{}-{}", valid_utf8(task.name), number_of(pid)),
        .parent = parent,
        .kind = trace::LaneKind::kThread,
        .sort_index = sort_index_of(pid)});
}

void Lanes::show(LaneId& id, const trace::Lane& lane) {
  if (!id.is_none()) return sink_.update_lane(id, lane);
  id = sink_.add_lane(lane);
}

LaneId Lanes::scheduler(LaneId task) {
  return on_tasks_ == OnTasks::kScheduler ? task : below(task, "scheduler");
}

LaneId Lanes::marks(LaneId task) {
  return on_tasks_ == OnTasks::kMarks ? task : below(task, "marks");
}

LaneId Lanes::below(LaneId parent, std::string_view name, trace::LaneKind kind,
                    int32_t sort_index) {
  const auto [it, is_new] = below_.try_emplace({parent.value(), std::string(name)}, LaneId::none());
  if (is_new) {
    it->second = sink_.add_lane(
        {.name = valid_utf8(name), .parent = parent, .kind = kind, .sort_index = sort_index});
  }
  return it->second;
}

std::optional<LaneId> Lanes::known_below(LaneId parent, std::string_view name) const {
  const auto it = below_.find({parent.value(), std::string(name)});
  return it == below_.end() ? std::nullopt : std::optional(it->second);
}

}  // namespace weft::formats::ftrace

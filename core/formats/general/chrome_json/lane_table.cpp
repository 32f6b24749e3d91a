#include "core/formats/general/chrome_json/lane_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/formats/base/json_text.h"

namespace weft::formats::chrome_json {
namespace {

std::string key_of(const Ident& ident) {
  return ident.text.empty() ? std::to_string(ident.number) : fmt::format("\"{}\"", ident.text);
}

// "Process 7"; an id that is a text already is its own name.
std::string name_of(const char* what, const Ident& ident) {
  if (!ident.text.empty()) return json::decode_string(ident.text).text;
  return fmt::format("{} {}", what, ident.number);
}

std::string task_of(const Ident& ident) {
  return ident.text.empty() ? std::to_string(ident.number) : json::decode_string(ident.text).text;
}

// Behind the threads of a process, in this order, whatever was mentioned first.
int32_t sort_index_of(trace::LaneKind kind) {
  constexpr int32_t kBehindThreads = 1 << 30;
  switch (kind) {
    case trace::LaneKind::kCounter:
      return kBehindThreads;
    case trace::LaneKind::kAsync:
      return kBehindThreads + 1;
    default:
      return 0;
  }
}

}  // namespace

std::optional<LaneId> LaneTable::find(std::string_view key) const {
  const auto number = keys_.find(key);
  return number ? std::optional(ids_[*number]) : std::nullopt;
}

// A key keeps its first lane.
void LaneTable::remember(std::string_view key, LaneId id) {
  if (keys_.add(key).second) ids_.push_back(id);
}

LaneId LaneTable::find_or_add(std::string_view key, LaneId parent, trace::LaneKind kind,
                              std::string name, std::string apart) {
  if (const auto known = find(key)) return *known;
  Entry entry;
  entry.own_name = name;
  entry.apart = std::move(apart);
  entry.lane = {std::move(name), parent, kind, sort_index_of(kind)};
  const LaneId id = sink_.add_lane(entry.lane);
  remember(key, id);
  entries_.emplace(id.value(), std::move(entry));
  return id;
}

LaneId LaneTable::global() {
  return find_or_add("g", LaneId::none(), trace::LaneKind::kGroup, "Global");
}

void LaneTable::place(const Ident& pid, const Ident& tid, trace::Lane lane,
                      std::optional<Ident> parent) {
  const auto key_in = [&](const Ident& of) {
    return fmt::format("t{}\n{}", key_of(pid), key_of(of));
  };
  if (find(key_in(tid))) return;
  if (parent) {
    const auto known = find(key_in(*parent));
    lane.parent = known ? *known : process(pid);
  }
  const LaneId id = sink_.add_lane(lane);
  remember(key_in(tid), id);
  if (!parent) remember(fmt::format("p{}", key_of(pid)), id);
  Entry entry;
  entry.own_name = lane.name;
  entry.lane = std::move(lane);
  entry.is_named = entry.is_placed = true;
  entries_.emplace(id.value(), std::move(entry));
}

LaneId LaneTable::process(const Ident& pid) {
  const size_t known = entries_.size();
  const LaneId id = find_or_add(fmt::format("p{}", key_of(pid)), LaneId::none(),
                                trace::LaneKind::kProcess, name_of("Process", pid), task_of(pid));
  if (entries_.size() > known && pid.text.empty()) tasks_.push_back({pid.number, 0, id, true});
  return id;
}

LaneId LaneTable::thread(const Ident& pid, const Ident& tid) {
  const LaneId parent = process(pid);
  const size_t known = entries_.size();
  const LaneId id = find_or_add(fmt::format("t{}\n{}", key_of(pid), key_of(tid)), parent,
                                trace::LaneKind::kThread, name_of("Thread", tid), task_of(tid));
  const bool are_numbers = pid.text.empty() && tid.text.empty();
  if (entries_.size() > known && are_numbers) tasks_.push_back({pid.number, tid.number, id, false});
  return id;
}

LaneId LaneTable::sampled_thread(const Ident& tid) {
  const std::string key = fmt::format("s{}", key_of(tid));
  if (const auto known = find(key)) return *known;
  const auto is_it = [&](const Task& task) {
    return !task.is_process && tid.text.empty() && task.tid == tid.number;
  };
  const auto first = std::ranges::find_if(tasks_, is_it);
  if (first != tasks_.end() && std::find_if(first + 1, tasks_.end(), is_it) == tasks_.end()) {
    remember(key, first->lane);
    return first->lane;
  }
  const LaneId samples = find_or_add("s", LaneId::none(), trace::LaneKind::kGroup, "Samples");
  return find_or_add(key, samples, trace::LaneKind::kThread, name_of("Thread", tid), task_of(tid));
}

LaneId LaneTable::scheduler(const Ident& pid, const Ident& tid) {
  const LaneId parent = thread(pid, tid);
  return find_or_add(fmt::format("w{}", parent.value()), parent, trace::LaneKind::kGroup,
                     "scheduler");
}

LaneId LaneTable::counter(const Ident& pid, std::string_view name) {
  const LaneId parent = process(pid);
  return find_or_add(fmt::format("c{}\n{}", key_of(pid), name), parent, trace::LaneKind::kCounter,
                     std::string(name));
}

LaneId LaneTable::async(LaneId process, std::string_view category, std::string_view name) {
  const std::string prefix = fmt::format("a{}\n{}", process.value(), category);
  const std::string key = fmt::format("{}\n{}", prefix, name);
  if (const auto known = find(key)) return *known;
  if (entries_.at(process.value()).async_lanes >= kMostAsyncLanes) {
    const std::string shared = category.empty() ? "Asynchronous" : std::string(category);
    return find_or_add(prefix, process, trace::LaneKind::kAsync, shared, "asynchronous");
  }
  ++entries_.at(process.value()).async_lanes;
  const std::string apart = category.empty() ? "asynchronous" : std::string(category);
  return find_or_add(key, process, trace::LaneKind::kAsync, std::string(name), apart);
}

void LaneTable::update(LaneId id) {
  Entry& entry = entries_.at(id.value());
  entry.lane.name = entry.own_name;
  if (!entry.labels.empty()) entry.lane.name += fmt::format(" ({})", entry.labels);
  sink_.update_lane(id, entry.lane);
}

void LaneTable::set_name(LaneId id, std::string_view name) {
  Entry& entry = entries_.at(id.value());
  if (entry.is_placed) return;
  entry.own_name = name;
  entry.is_named = true;
  update(id);
}

void LaneTable::suggest_process_name(uint64_t pid, std::string_view name) {
  suggest_name(fmt::format("p{}", pid), name);
}

void LaneTable::suggest_thread_name(uint64_t pid, uint64_t tid, std::string_view name) {
  suggest_name(fmt::format("t{}\n{}", pid, tid), name);
}

void LaneTable::suggest_name(std::string_view key, std::string_view name) {
  const auto known = find(key);
  if (!known || name.empty() || entries_.at(known->value()).is_named) return;
  set_name(*known, name);
}

void LaneTable::set_labels(LaneId id, std::string_view labels) {
  entries_.at(id.value()).labels = labels;
  update(id);
}

void LaneTable::set_sort_index(LaneId id, int32_t index) {
  entries_.at(id.value()).lane.sort_index = index;
  update(id);
}

void LaneTable::tell_apart() {
  struct Namesakes {
    int tasks = 0, all = 0;
  };
  LargePool memory;
  std::pmr::map<std::pair<uint32_t, std::string>, Namesakes> found{&memory};
  const auto is_async = [](const Entry& entry) {
    return entry.lane.kind == trace::LaneKind::kAsync;
  };
  const auto namesakes = [&](const Entry& entry) -> Namesakes& {
    return found[{entry.lane.parent.value(), entry.lane.name}];
  };
  for (const auto& [id, entry] : entries_) {
    ++namesakes(entry).all;
    if (!entry.apart.empty() && !is_async(entry)) ++namesakes(entry).tasks;
  }
  LargeVector<uint32_t> unclear;
  for (const auto& [id, entry] : entries_) {
    const Namesakes& others = namesakes(entry);
    if (!entry.apart.empty() && (is_async(entry) ? others.all : others.tasks) > 1)
      unclear.push_back(id);
  }
  for (const uint32_t id : unclear) {
    Entry& entry = entries_.at(id);
    entry.labels += entry.labels.empty() ? entry.apart : ", " + entry.apart;
    update(LaneId(id));
  }
}

}  // namespace weft::formats::chrome_json

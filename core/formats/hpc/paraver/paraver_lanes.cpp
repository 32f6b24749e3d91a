#include "core/formats/hpc/paraver/paraver_lanes.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/formats/base/text.h"

namespace weft::formats::paraver {
namespace {

constexpr size_t kNowhere = SIZE_MAX;

std::optional<int64_t> take_count(std::string_view& text) {
  const auto count = take_number<int64_t>(text);
  return count && *count >= 0 ? count : std::nullopt;
}

}  // namespace

void Lanes::set_applications(std::string_view list) {
  if (!take_count(list)) return;
  while (take_prefix(list, ":") || take_prefix(list, ",")) {
    if (!take_count(list) || !take_prefix(list, "(")) return;
    std::vector<int64_t> threads;
    do {
      const auto count = take_count(list);
      if (!count || !take_prefix(list, ":") || !take_count(list)) break;
      threads.push_back(*count);
    } while (take_prefix(list, ","));
    threads_of_task_.push_back(std::move(threads));
    if (!take_prefix(list, ")")) return;
  }
}

LaneId Lanes::application(int64_t number) {
  const bool is_only_one = threads_of_task_.size() == 1;
  if (is_only_one) return LaneId::none();
  const auto [it, is_new] = applications_.try_emplace(number, LaneId::none());
  if (is_new) {
    it->second = sink_.add_lane(
        {.name = name_of("APPL", static_cast<size_t>(number - 1), std::to_string(number)),
         .sort_index = static_cast<int32_t>(number)});
  }
  return it->second;
}

LaneId Lanes::task(const ThreadId& id) {
  const auto [it, is_new] = tasks_.try_emplace({id.application, id.task}, LaneId::none());
  if (is_new) {
    size_t index = static_cast<size_t>(id.task - 1);
    for (int64_t a = 1; a < id.application; ++a) {
      const auto at = static_cast<size_t>(a - 1);
      index = at < threads_of_task_.size() ? index + threads_of_task_[at].size() : kNowhere;
      if (index == kNowhere) break;
    }
    it->second = sink_.add_lane(
        {.name = name_of("TASK", index, fmt::format("{}.{}", id.application, id.task)),
         .parent = application(id.application),
         .kind = trace::LaneKind::kProcess,
         .sort_index = static_cast<int32_t>(id.task)});
  }
  return it->second;
}

LaneId Lanes::thread(const ThreadId& id) {
  const auto [it, is_new] = threads_.try_emplace(id, LaneId::none());
  if (is_new) {
    size_t index = static_cast<size_t>(id.thread - 1);
    const auto count = static_cast<int64_t>(threads_of_task_.size());
    for (int64_t a = 0; a < id.application && a < count; ++a) {
      const std::vector<int64_t>& tasks = threads_of_task_[static_cast<size_t>(a)];
      const bool is_own = a + 1 == id.application;
      const auto before =
          is_own ? std::min<int64_t>(id.task - 1, std::ssize(tasks)) : std::ssize(tasks);
      for (int64_t t = 0; t < before; ++t)
        index += static_cast<size_t>(tasks[static_cast<size_t>(t)]);
    }
    it->second = sink_.add_lane(
        {.name =
             name_of("THREAD", index, fmt::format("{}.{}.{}", id.application, id.task, id.thread)),
         .parent = task(id),
         .kind = trace::LaneKind::kThread,
         .sort_index = static_cast<int32_t>(id.thread)});
  }
  return it->second;
}

LaneId Lanes::of_events(const ThreadId& id, int64_t type, const std::string& name) {
  const auto [it, is_new] = events_.try_emplace({id, type}, LaneId::none());
  if (is_new) it->second = sink_.add_lane({.name = name, .parent = thread(id)});
  return it->second;
}

std::string Lanes::name_of(const std::string& level, size_t index,
                           const std::string& number) const {
  const std::string name = labels_.row(level, index);
  return name.empty() ? level + ' ' + number : name;
}

}  // namespace weft::formats::paraver

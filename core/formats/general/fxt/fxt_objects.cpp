#include "core/formats/general/fxt/fxt_objects.h"

#include <fmt/core.h>

namespace weft::formats::fxt {

void Objects::describe(uint64_t id, uint64_t type, std::string_view name, uint64_t process) {
  constexpr size_t kNodeBytes = 96;
  if (!name.empty()) {
    const auto [it, is_new] = names_.try_emplace(id);
    bytes_ += name.size() + (is_new ? kNodeBytes : 0);
    bytes_ -= it->second.size();
    it->second = name;
  }
  if (type == kProcess) lanes_.describe_process(number_of(id), name);
  if (type == kThread)
    lanes_.describe_task(number_of(id), name, process == 0 ? -1 : number_of(process));
}

std::string_view Objects::name_of(uint64_t id) const {
  const auto it = names_.find(id);
  return it == names_.end() ? std::string_view() : std::string_view(it->second);
}

int32_t Objects::number_of(uint64_t id) {
  constexpr uint64_t kMost = 1 << 30;
  if (id < kMost) return static_cast<int32_t>(id);
  const auto [it, is_new] = numbers_.try_emplace(id, 0);
  if (!is_new) return it->second;
  it->second = static_cast<int32_t>(kMost + numbers_.size());
  bytes_ += sizeof(*it) * 3;
  // Called by its own number until it is said to have a name.
  if (!names_.contains(id)) lanes_.describe_task(it->second, fmt::format("{:#x}", id), -1);
  return it->second;
}

}  // namespace weft::formats::fxt

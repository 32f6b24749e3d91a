#include "core/formats/profiles/callgrind/cycles.h"

#include <algorithm>

namespace weft::formats::callgrind {

std::vector<uint32_t> cycles_of(const CallGraph& graph,
                                const std::vector<std::vector<uint32_t>>& calls_of_function) {
  constexpr uint32_t kUnseen = 0;
  const size_t size = graph.functions.size();
  std::vector<uint32_t> group(size), seen(size, kUnseen), lowest(size);
  std::vector<bool> is_open(size);
  std::vector<uint32_t> open;  // seen, and in no group yet
  struct Visit {
    uint32_t function;
    size_t next_call;
  };
  std::vector<Visit> path;
  uint32_t count = 0, groups = 0;
  const auto enter = [&](uint32_t function) {
    seen[function] = lowest[function] = ++count;
    open.push_back(function);
    is_open[function] = true;
    path.push_back({function, 0});
  };
  for (uint32_t root = 0; root < size; ++root) {
    if (seen[root] == kUnseen) enter(root);
    while (!path.empty()) {
      Visit& visit = path.back();
      const uint32_t function = visit.function;
      const std::vector<uint32_t>& calls = calls_of_function[function];
      if (visit.next_call < calls.size()) {
        const uint32_t callee = graph.calls[calls[visit.next_call++]].callee;
        if (seen[callee] == kUnseen) {
          enter(callee);
        } else if (is_open[callee]) {
          lowest[function] = std::min(lowest[function], seen[callee]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) {
        uint32_t& of_caller = lowest[path.back().function];
        of_caller = std::min(of_caller, lowest[function]);
      }
      if (lowest[function] != seen[function]) continue;
      for (uint32_t member = function + 1; member != function;) {
        member = open.back();
        open.pop_back();
        is_open[member] = false;
        group[member] = groups;
      }
      ++groups;
    }
  }
  return group;
}

}  // namespace weft::formats::callgrind

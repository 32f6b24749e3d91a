// The content of a part of a callgrind file: functions with their self cost, their source lines,
// and calls with their cost.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/base/time.h"
#include "core/formats/base/by_name.h"

namespace weft::formats::callgrind {

// By the index of the event; what lies behind the end is 0.
using Costs = std::vector<int64_t>;

inline void add_costs(Costs& sum, const Costs& more) {
  if (sum.size() < more.size()) sum.resize(more.size());
  for (size_t i = 0; i < more.size(); ++i) sum[i] = saturating_add(sum[i], more[i]);
}
inline int64_t cost_at(const Costs& costs, size_t event) {
  return event < costs.size() ? costs[event] : 0;
}

struct Function {
  std::string name, file, object;
  Costs self;
  int64_t called = 0;
};

// A line of source in a function, which may be another file's: that of an inlined function.
struct SourceLine {
  Costs self;
  int64_t calls = 0;
  Costs of_calls;                   // what those cost
  int64_t jumps = 0, branches = 0;  // jumps that were made, conditional ones that were met
};

struct Call {
  uint32_t caller = 0, callee = 0;
  int64_t count = 0;
  Costs inclusive;
};

class CallGraph {
 public:
  // Function, file (a name of files), line.
  using LineKey = std::tuple<uint32_t, uint32_t, int64_t>;

  bool has_function(std::string_view object, std::string_view file, std::string_view name) {
    return index_of_.find(key_of(object, file, name)) != nullptr;
  }
  // The one of these names.
  uint32_t function_of(std::string_view object, std::string_view file, std::string_view name) {
    const auto [entry, is_new] =
        index_of_.try_emplace(key_of(object, file, name), static_cast<uint32_t>(functions.size()));
    if (is_new)
      functions.push_back({std::string(name), std::string(file), std::string(object), {}, 0});
    return entry->second;
  }
  uint32_t file_of(std::string_view name) {
    const auto [entry, is_new] = files_.try_emplace(name, static_cast<uint32_t>(files_.size()));
    return entry->second;
  }
  std::string_view file_name(uint32_t file) const { return files_.entries()[file]->first; }

  bool has_call(uint32_t caller, uint32_t callee) const {
    return call_index_.contains(key_of(caller, callee));
  }
  Call& call_of(uint32_t caller, uint32_t callee) {
    const auto [it, is_new] =
        call_index_.try_emplace(key_of(caller, callee), static_cast<uint32_t>(calls.size()));
    if (is_new) calls.push_back({caller, callee, 0, {}});
    return calls[it->second];
  }
  bool is_empty() const { return functions.empty(); }

  // Whether what calls cost was measured by itself, so that more than what is known below is true.
  bool are_calls_measured = false;
  std::vector<Function> functions;
  std::vector<Call> calls;
  std::map<LineKey, SourceLine> lines;

 private:
  static uint64_t key_of(uint32_t caller, uint32_t callee) {
    return static_cast<uint64_t>(caller) << 32 | callee;
  }
  std::string_view key_of(std::string_view object, std::string_view file, std::string_view name) {
    return key_.assign(object).append(1, '\0').append(file).append(1, '\0').append(name);
  }

  ByName<uint32_t> index_of_, files_;
  std::unordered_map<uint64_t, uint32_t> call_index_;
  std::string key_;  // kept for its memory
};

}  // namespace weft::formats::callgrind

// The content of a part of a callgrind file: functions with their self cost, their source lines,
// and calls with their cost.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/flat_index.h"
#include "core/formats/base/by_name.h"
#include "core/formats/profiles/callgrind/source_lines.h"

namespace weft::formats::callgrind {

struct Function {
  std::string name, file, object;
  Costs self;
  int64_t called = 0;
};

struct Call {
  uint32_t caller = 0, callee = 0;
  int64_t count = 0;
  Costs inclusive;
};

class CallGraph {
 public:
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
  std::string_view file_name(uint32_t file) const { return files_.entries()[file].first; }

  // Null: there is none yet.
  Call* known_call(uint32_t caller, uint32_t callee) {
    const size_t* const index = call_index_.find(key_of(caller, callee));
    return index != nullptr ? &calls[*index] : nullptr;
  }
  Call& call_of(uint32_t caller, uint32_t callee) {
    const size_t index = call_index_.insert(key_of(caller, callee), calls.size());
    if (index == calls.size()) calls.push_back({caller, callee, 0, {}});
    return calls[index];
  }
  bool is_empty() const { return functions.empty(); }

  // Whether what calls cost was measured by itself, so that more than what is known below is true.
  bool are_calls_measured = false;
  std::vector<Function> functions;
  std::vector<Call> calls;
  SourceLines lines;  // their files are names of files

 private:
  static uint64_t key_of(uint32_t caller, uint32_t callee) {
    return static_cast<uint64_t>(caller) << 32 | callee;
  }
  std::string_view key_of(std::string_view object, std::string_view file, std::string_view name) {
    return key_.assign(object).append(1, '\0').append(file).append(1, '\0').append(name);
  }

  ByName<uint32_t> index_of_, files_;
  FlatIndex<uint64_t, NumberHash> call_index_;
  std::string key_;  // kept for its memory
};

}  // namespace weft::formats::callgrind

// The kernel objects of a Fuchsia trace: names of processes, threads and others, and the lanes of
// those that do something.
//
// Objects have numbers of 64 bits; lanes of tasks (ftrace/ftrace_lanes.h) have 31. Numbers beyond,
// as of threads that a program made up, get others.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/formats/general/fxt/fxt_provider.h"
#include "core/formats/kernel/ftrace/ftrace_lanes.h"

namespace weft::formats::fxt {

class Objects {
 public:
  explicit Objects(ftrace::Lanes& lanes) : lanes_(lanes) {}

  static constexpr uint64_t kProcess = 1, kThread = 2;  // ZX_OBJ_TYPE_…
  // `process`: of a thread, where it is said.
  void describe(uint64_t id, uint64_t type, std::string_view name, uint64_t process);
  // Returns an empty text if it has none.
  std::string_view name_of(uint64_t id) const;
  // An upper bound, roughly.
  size_t bytes() const { return bytes_; }

  LaneId process(uint64_t id) { return lanes_.process(number_of(id)); }
  LaneId thread(const ThreadId& id) {
    return lanes_.task(number_of(id.thread), {}, number_of(id.process));
  }
  int32_t number_of(uint64_t id);

 private:
  ftrace::Lanes& lanes_;
  std::unordered_map<uint64_t, std::string> names_;
  std::unordered_map<uint64_t, int32_t> numbers_;  // of those beyond 31 bits
  size_t bytes_ = 0;
};

}  // namespace weft::formats::fxt

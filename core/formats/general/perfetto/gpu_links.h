// Stages of GPUs, who submitted them and who waited for them → links. They name each other by
// numbers, in any order, so they are put together when the trace is over.
//
// Memory: 40 bytes for each of them, in a large array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/large_vector.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class GpuLinks {
 public:
  GpuLinks(trace::EventSink& sink, uint64_t memory_bytes)
      : sink_(sink), most_parts_(memory_bytes / sizeof(Part)) {}

  enum class Numbers : uint8_t { kStages, kSubmissions };
  enum class Role : uint8_t { kStage, kSubmits, kWaits };
  struct Part {
    Numbers numbers = Numbers::kStages;
    Role role = Role::kStage;
    LaneId lane;
    int32_t pid = 0;  // whose number of a submission it is; 0: not known
    uint64_t number = 0;
    Time begin{}, end{};  // the end matters of stages only
  };
  void add(const Part& part, uint64_t offset);
  void finish();

 private:
  void link_all(std::span<const Part> of_number);
  void link(const Part& stage, const Part& other);

  trace::EventSink& sink_;
  const size_t most_parts_;
  LargeVector<Part> parts_;
  uint64_t most_links_ = 0;  // that may be left, of numbers that many stages and others share
};

}  // namespace weft::formats::perfetto

// The records of perf.data, in order of time → states of stacks and of the scheduler, punctual
// events for samples.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/formats/base/by_name.h"
#include "core/formats/kernel/ftrace/kernel.h"
#include "core/formats/kernel/perf/perf_formats.h"
#include "core/formats/kernel/perf/perf_record.h"
#include "core/formats/stacks/address_map.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perf {

class Player {
 public:
  Player(trace::EventSink& sink, uint64_t memory_bytes)
      : sink_(sink),
        kernel_(sink, LaneId::none(), ftrace::Lanes::OnTasks::kMarks),
        timeline_(sink),
        most_mappings_(memory_bytes / kBytesPerMapping) {}

  // As in `uname -m` and `uname -r`.
  void set_architecture(std::string_view name) { kernel_.set_architecture(name); }
  void set_release(std::string_view release) { kernel_.set_release(release); }
  // See TracepointFormats.
  bool add_formats(std::string_view tracing_data) { return formats_.add(tracing_data); }
  // `attributes`: of the record's event.
  void play(const Record& record, const Attributes& attributes);
  void finish();

 private:
  static constexpr uint64_t kBytesPerMapping = 160;

  void add_sample(const Record& record, const Attributes& attributes);
  // Returns false if it is none that is understood.
  bool add_tracepoint(const Sampled& sample, const Attributes& attributes, const ftrace::At& at);
  bool add_scheduling(const Sampled& sample, std::string_view name, const ftrace::At& at);
  bool add_interrupt(const Sampled& sample, std::string_view name, const ftrace::At& at);
  bool add_system_call(const Sampled& sample, std::string_view name, const ftrace::At& at);
  bool add_paired(const Sampled& sample, std::string_view name, const ftrace::At& at);
  LaneId lane_of(const Sampled& sample);
  // What the processor says of the sample, and of what it accessed.
  static std::string details_of(const Sampled& sample);
  void add_stack(const Sampled& sample, const Record& record, const Attributes& attributes,
                 LaneId lane);
  void add_mapping(const Record& record);
  void forget_mappings(int32_t pid);
  void add_name(const Record& record);
  void fork(const Record& record);
  void exit(const Record& record);
  void switch_tasks(const Record& record, const Attributes& attributes);
  void add_instant(const Record& record, int32_t pid, int32_t tid, std::string_view name,
                   std::string_view params);
  void lose(const Record& record, std::string_view what);
  std::string_view object_of(int32_t pid, uint64_t address, bool is_kernel) const;

  trace::EventSink& sink_;
  ftrace::Kernel kernel_;
  TracepointFormats formats_;
  stacks::StackTimeline timeline_;
  std::map<uint32_t, stacks::SampledStacks> stacks_;  // by lane
  Duration interval_{};                               // the shortest that events with stacks say
  std::unordered_map<int32_t, stacks::AddressMap> mappings_;  // by process
  stacks::AddressMap kernel_mappings_;
  const size_t most_mappings_;
  size_t mappings_count_ = 0;        // the parts of all maps
  std::vector<EventTypeId> frames_;  // kept for its memory
};

}  // namespace weft::formats::perf

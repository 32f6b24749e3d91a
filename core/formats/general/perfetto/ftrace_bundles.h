// The kernel's events in a Perfetto trace: each bundle holds those of one CPU, in order; bundles of
// different CPUs overlap. They are put in order of time and told to the Kernel.
//
// Memory: the bundles that have events which wait.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/formats/base/args_text.h"
#include "core/formats/general/perfetto/clocks.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/ftrace_names.h"
#include "core/formats/general/perfetto/sequence.h"
#include "core/formats/kernel/ftrace/kernel.h"
#include "core/formats/stacks/time_order.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class FtraceBundles {
 public:
  FtraceBundles(trace::EventSink& sink, ftrace::Kernel& kernel, Clocks& clocks,
                uint64_t memory_bytes);

  void add(std::string_view bundle, Sequence& sequence, uint64_t offset);
  void finish();

 private:
  using Bytes = std::shared_ptr<const std::string>;
  struct Record {
    enum class Kind : uint8_t { kEvent, kSwitch, kWaking };
    Time time{};
    uint64_t offset = 0;
    Bytes bundle{};              // that `bytes` lies in
    std::string_view bytes{};    // the event's message; the task's name
    uint32_t tracepoint = 0;     // kEvent
    uint32_t symbol = 0;         // kEvent: the function that it names, of symbols_; 0: none
    int32_t pid = 0;             // kEvent: who ran; kSwitch: who runs; kWaking: who is woken
    int64_t previous_state = 0;  // kSwitch
    uint32_t cpu = 0;
    Kind kind = Kind::kEvent;
  };
  // The columns of events that are written together.
  struct Columns {
    std::vector<std::string_view> names;
    std::vector<int64_t> switch_times, switch_states, switch_pids, switch_names;
    std::vector<int64_t> waking_times, waking_pids, waking_names;
  };
  // The task that a CPU runs, as far as was said.
  struct Running {
    int32_t pid = 0;
    std::string name;
  };
  struct Tracepoint {
    std::string name;
    std::vector<std::string> fields;             // from 1 on
    const ftrace::ValueEvent* values = nullptr;  // none: it says no values
  };

  void count_lost_events(uint32_t cpu, uint64_t offset);
  void read_clock(std::string_view bundle, const Sequence& sequence);
  uint32_t symbol_in(const Record& record);
  bool add_event(std::string_view message, const Bytes& bundle, Record record);
  bool add_columns(std::string_view message, const Bytes& bundle, const Record& like);
  void add_record(Record record, int64_t ticks);
  bool add_descriptor(std::string_view message);

  void play(const Record& record);
  void play_switch(const Record& record, const ftrace::At& at);
  void play_event(const Record& record, const ftrace::At& at);
  // Each returns false if the event is of another kind.
  bool play_scheduler(const Record& record, const ftrace::At& at);
  bool play_interrupt(const Record& record, const ftrace::At& at);
  bool play_call(const Record& record, const ftrace::At& at);
  bool play_power(const Record& record, const ftrace::At& at);
  bool play_mark(const Record& record, const ftrace::At& at);
  bool play_transaction(const Record& record, const ftrace::At& at);
  bool play_paired(const Record& record, const ftrace::At& at);
  bool play_driver_mark(const Record& record, const ftrace::At& at);
  bool play_gpu_batch(const Record& record, const ftrace::At& at);
  bool play_value(const Record& record, const ftrace::At& at);
  bool play_process_memory(const Record& record, const ftrace::At& at);
  void learn_task(const Record& record, const ftrace::At& at);
  void learn_process(const Record& record, std::string_view mark);
  void play_punctual(const Record& record, const ftrace::At& at);
  bool play_generic(const Record& record, const ftrace::At& at);

  LaneId lane_of(const Record& record);
  std::string_view name_of(uint32_t tracepoint);
  const std::vector<std::string>* field_names(uint32_t tracepoint);
  std::string text_of(const Record& record);  // of a JSON object, or empty
  void add_value(const Field& field);
  // The fields of the event being played, by number.
  int64_t number(uint32_t field) const;
  std::string_view text(uint32_t field) const;

  trace::EventSink& sink_;
  ftrace::Kernel& kernel_;
  Clocks& clocks_;
  const uint64_t most_bytes_;
  uint64_t live_bytes_ = 0;             // of bundles
  stacks::TimeOrder<Record> order_;     // after what its bundles count down
  uint32_t clock_ = 0;                  // of the bundle being read
  const Sequence* sequence_ = nullptr;  // of the bundle being read
  uint64_t unknown_clock_ = 0;
  std::optional<TimeRange> bundle_;                    // from its first event to its last
  std::unordered_map<uint32_t, Time> last_times_;      // of bundles, by CPU
  std::unordered_map<uint32_t, Running> running_;      // by CPU
  std::unordered_map<int64_t, int32_t> space_owners_;  // tasks, by their address spaces
  // What Adreno GPUs work on: who handed it in, by context, and when a GPU's clock stood where, by
  // context and batch.
  struct GpuClock {
    Time time;
    int64_t ticks;
  };
  std::unordered_map<int64_t, int32_t> gpu_contexts_;
  std::map<std::pair<int64_t, int64_t>, GpuClock> gpu_clocks_;
  std::unordered_map<uint32_t, Tracepoint> described_;
  // Names of the kernel's functions, by the numbers of records.
  std::vector<std::string> symbols_ = {""};
  std::unordered_map<std::string, uint32_t> symbol_numbers_;
  std::vector<Field> fields_;  // of the event being played
  ArgsText args_;
};

}  // namespace weft::formats::perfetto

// The scheduling records of a Fuchsia trace, in order of time → ftrace::Kernel. The kernel writes
// a buffer for each CPU, which stand one after the other in a trace.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/formats/general/fxt/fxt_arguments.h"
#include "core/formats/general/fxt/fxt_objects.h"
#include "core/formats/general/fxt/fxt_provider.h"
#include "core/formats/kernel/ftrace/kernel.h"
#include "core/formats/stacks/time_order.h"

namespace weft::formats::fxt {

// The name of a thread state (ZX_THREAD_STATE_…) other than running.
std::string_view name_of_thread_state(int64_t state);

class Scheduling {
 public:
  Scheduling(trace::EventSink& sink, ftrace::Kernel& kernel, Objects& objects,
             uint64_t memory_bytes)
      : sink_(sink), kernel_(kernel), objects_(objects), order_(memory_bytes) {}

  // Returns false if the record does not fit its own length.
  bool add(uint64_t header, Words record, const Provider& provider, uint64_t offset);
  void finish();

 private:
  // 0: the CPU is idle.
  struct Record {
    Time time{};
    uint64_t offset = 0;
    uint64_t incoming = 0;  // of a wake-up: who is woken
    uint64_t outgoing = 0;  // of a wake-up: by whom
    uint32_t cpu = 0;
    uint8_t outgoing_state = 0;
    bool is_wake = false;
  };
  bool take_legacy(uint64_t header, Words& record, const Provider& provider, Record& out);
  bool take_switch(uint64_t header, Words& record, const Provider& provider, Record& out);
  bool take_wake(uint64_t header, Words& record, const Provider& provider, Record& out);
  void play(const Record& record);
  int32_t task(uint64_t thread) { return thread == 0 ? 0 : objects_.number_of(thread); }

  trace::EventSink& sink_;
  ftrace::Kernel& kernel_;
  Objects& objects_;
  stacks::TimeOrder<Record> order_;
};

}  // namespace weft::formats::fxt

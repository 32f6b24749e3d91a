// Interprets Linux kernel events traced by LTTng or perf: events named as in lttng-modules, or as
// in the kernel (by `perf data convert --to-ctf`), are passed to the same Kernel as ftrace's.
//
// Source: lttng-modules, include/instrumentation/events; linux, tools/perf/util/data-convert-bt.c.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/formats/kernel/ctf/event.h"
#include "core/formats/kernel/ftrace/kernel.h"

namespace weft::formats::ctf {

class KernelEvents {
 public:
  // Writes the fields of the event as a JSON object, which is there until the next; asked for only
  // where they are kept.
  using Params = std::function<std::string_view(const Event&)>;
  KernelEvents(ftrace::Kernel& kernel, Params params)
      : kernel_(kernel), params_(std::move(params)) {}

  // False where it stays an event of its own.
  using Handler = bool (KernelEvents::*)(const Event&);
  // Returns null if the name means nothing in particular.
  static Handler handler_of(std::string_view name);
  bool add(Handler handler, const Event& event) { return (this->*handler)(event); }

  // The lane of an event: the task that its CPU runs, or the CPU.
  LaneId lane_of(const Event& event);

 private:
  bool add_switch(const Event& event);
  bool add_wakeup(const Event& event);
  bool add_fork(const Event& event);
  bool add_process_state(const Event& event);
  bool add_dump(const Event& event);
  LaneId lane_of_dump(const Event& event);
  bool begin_interrupt(const Event& event);
  bool end_interrupt(const Event& event);
  bool end_irq(const Event& event);
  bool begin_system_call(const Event& event);
  bool end_system_call(const Event& event);
  bool add_idle(const Event& event);
  bool add_frequency(const Event& event);
  bool add_paired(const Event& event);

  ftrace::Kernel& kernel_;
  Params params_;
  std::unordered_map<uint32_t, int32_t> running_;  // the task of each CPU; 0 is the idle one
  std::unordered_map<int64_t, int32_t> process_of_files_;  // by the address of its table of files
};

}  // namespace weft::formats::ctf

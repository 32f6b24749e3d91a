// Interprets the records of a trace.dat by the same Kernel as ftrace's text.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "core/formats/kernel/ftrace/kernel.h"
#include "core/formats/kernel/trace_dat/libtracecmd.h"
#include "core/formats/kernel/trace_dat/printed_names.h"
#include "core/formats/kernel/trace_dat/record.h"
#include "core/trace/event_sink.h"

namespace weft::formats::trace_dat {

class Records {
 public:
  explicit Records(trace::EventSink& sink) : sink_(sink), kernel_(sink) {}

  void set_architecture(std::string_view name) { kernel_.set_architecture(name); }
  void set_release(std::string_view release) { kernel_.set_release(release); }
  // Call in order of time.
  void add(tep_handle& tep, tep_record& record);
  void finish() { kernel_.finish(); }

 private:
  struct Event {
    const Record& record;
    ftrace::At at;
    LaneId lane;  // the task, or the CPU that was idle
  };
  // Each returns false if the event stays an event of its own.
  using Handler = bool (Records::*)(const Event&);
  struct Kind {
    Handler handler = nullptr;
    PrintedNames names;
  };
  Kind& kind_of(const tep_event& event);
  Handler handler_of(const tep_event& event);
  bool add_switch(const Event& event);
  bool add_wakeup(const Event& event);
  bool send_transaction(const Event& event);
  bool receive_transaction(const Event& event);
  bool begin_interrupt(const Event& event);
  bool end_interrupt(const Event& event);
  bool begin_soft_interrupt(const Event& event);
  bool end_soft_interrupt(const Event& event);
  bool begin_system_call(const Event& event);
  bool end_system_call(const Event& event);
  bool begin_function(const Event& event);
  bool end_function(const Event& event);
  bool add_function(const Event& event);
  bool add_idle(const Event& event);
  bool add_frequency(const Event& event);
  bool add_suspend(const Event& event);
  bool add_noise(const Event& event);
  // These add a sample; the record with its fields is left to be shown.
  bool add_timer_latency(const Event& event);
  bool add_sum_of_noise(const Event& event);
  bool add_hardware_latency(const Event& event);
  bool add_mark(const Event& event);
  bool add_driver_mark(const Event& event);
  bool add_message(const Event& event);
  bool add_paired(const Event& event);
  bool add_values(const Event& event);
  // The text of a JSON object, until the next.
  std::string_view text_of(const Record& record);

  trace::EventSink& sink_;
  ftrace::Kernel kernel_;
  std::unordered_map<const tep_event*, Kind> kinds_;
  std::string json_;  // kept for its memory
};

}  // namespace weft::formats::trace_dat

// Reads the lines of an ftrace in order and says what each means to the Kernel; what nobody
// understands is a punctual event with its fields.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/formats/base/args_text.h"
#include "core/formats/kernel/ftrace/ftrace_line.h"
#include "core/formats/kernel/ftrace/kernel.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ftrace {

class Player {
 public:
  Player(trace::EventSink& sink, Lanes::OnTasks on_tasks)
      : sink_(sink), kernel_(sink, LaneId::none(), on_tasks) {}

  Kernel& kernel() { return kernel_; }
  void add(const Line& line);
  // Returns false if nobody understands it: nothing is shown then.
  bool play(const Line& line);
  void lose(uint64_t events, uint32_t cpu, uint64_t offset) { kernel_.lose(events, cpu, offset); }
  void finish() { kernel_.finish(); }

 private:
  // Each returns false if the line is of another kind.
  bool add_switch(const Line& line);
  bool add_numbered_switch(const Line& line);
  bool add_wakeup(const Line& line);
  bool add_interrupt(const Line& line);
  bool add_system_call(const Line& line);
  bool add_function(const Line& line);
  bool add_call(const Line& line);
  bool add_power(const Line& line);
  bool add_value(const Line& line);
  bool add_noise(const Line& line);
  bool add_latency(const Line& line);
  bool add_mark(const Line& line);
  bool add_paired(const Line& line);
  bool add_transaction(const Line& line);

  // The lane of a line's event: the task, or the CPU if it was idle.
  LaneId lane_of(const Line& line);
  // The text of a JSON object, until the next.
  std::string_view text_of(std::string_view args, bool is_message = false);
  std::string_view whole_text_of(std::string_view args);
  std::string_view text_of(std::span<const NamedValue> fields);

  trace::EventSink& sink_;
  Kernel kernel_;
  bool is_first_ = true;
  ArgsText params_;  // kept for its memory
};

}  // namespace weft::formats::ftrace

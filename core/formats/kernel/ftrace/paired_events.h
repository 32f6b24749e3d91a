// Tracepoints that come in pairs and tell of nothing but that something begins or ends:
// "local_timer_entry" and "local_timer_exit" of a CPU, "workqueue_execute_start" and
// "workqueue_execute_end" of a task. Those whose fields mean more are told to the Kernel one by
// one.
#pragma once

#include <optional>
#include <string_view>

namespace weft::formats::ftrace {

struct PairedEvent {
  std::string_view name;   // of the state, where its begin says none
  std::string_view group;  // of its type
  bool is_begin = false;
  bool is_interrupt = false;    // of the CPU; else of the task
  bool names_function = false;  // the begin says which function runs, or why: its name then
};

// By the tracepoint's name without its system. Cost: a search among a few dozen names.
std::optional<PairedEvent> paired_event(std::string_view event);

}  // namespace weft::formats::ftrace

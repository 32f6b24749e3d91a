// The states of threads in a trace of a kernel's scheduler: of group "scheduler" on the thread's
// lane, one behind the other. A thread that is neither "running" nor "runnable" sleeps.
#pragma once

#include <optional>
#include <string_view>

#include "core/query/element.h"

namespace weft::query {

inline constexpr std::string_view kRunning = "running", kRunnable = "runnable";

bool is_thread_state(const trace::Dictionary& dictionary, const Element& element);
bool is_thread_state(const trace::Dictionary& dictionary, const Element& element,
                     std::string_view name);

// Returns the state "running" with which a wait ends: a sleep and the time until a CPU is free are
// one. nullopt: it is no state of a thread that waits, or the thread is not seen to run again.
// O(rows); call from workers.
std::optional<Element> run_after(const Elements& elements, const Element& wait);

}  // namespace weft::query

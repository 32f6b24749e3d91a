// Lines that are no calls. What stands before the first call of a trace or behind its last is what
// somebody wrote around it (the command in a shell, a comment), and no damage; nor is what stands
// between calls and has nothing that calls have.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/kernel/strace/strace_line.h"
#include "core/trace/event_sink.h"

namespace weft::formats::strace {

// Whether a line that is no call is not one that is damaged or cut off.
inline bool may_stand_around(const Line& line, std::string_view text, bool is_open) {
  const bool is_cut = is_open && (line.pid >= 0 || !text.contains(' '));
  return !line.is_torn && line.clock == Clock::kNone && !is_cut;
}

// Whether it has signs that calls have, so that it may be what is left of one.
inline bool may_be_of_call(std::string_view text) {
  return text.find_first_of("()[]{}=\"<>\\") != std::string_view::npos;
}

class TextAround {
 public:
  explicit TextAround(trace::EventSink& sink) : sink_(sink) {}

  void add(uint64_t line, bool may_be_of_call) {
    constexpr size_t kMostLines = 1 << 12;
    if (lines_.size() == kMostLines) give(true);
    lines_.emplace_back(line, may_be_of_call);
  }
  void lose(uint64_t line) { sink_.loss(kDamage, line); }
  // A line is a call.
  void call() {
    if (!lines_.empty()) give(has_calls_);
    has_calls_ = true;
  }
  // The trace is over; another may follow.
  void end() {
    give(!has_calls_);
    has_calls_ = false;
  }

 private:
  static constexpr std::string_view kDamage = "line that is not a system call";

  void give(bool is_between) {
    for (const auto& [line, may_be_of_call] : lines_) {
      if (is_between && may_be_of_call) {
        lose(line);
      } else {
        sink_.note(is_between ? "text between calls" : "text around the trace", line);
      }
    }
    lines_.clear();
  }

  trace::EventSink& sink_;
  std::vector<std::pair<uint64_t, bool>> lines_;  // and whether it may be of a call
  bool has_calls_ = false;
};

}  // namespace weft::formats::strace

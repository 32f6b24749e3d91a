// Lines that are no calls. What stands before the first call of a trace or behind its last is what
// somebody wrote around it (the command in a shell, a comment), and no damage.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/formats/kernel/strace/strace_line.h"
#include "core/trace/event_sink.h"

namespace weft::formats::strace {

// Whether a line that is no call is not one that is damaged or cut off.
inline bool may_stand_around(const Line& line, std::string_view text, bool is_open) {
  const bool is_cut = is_open && (line.pid >= 0 || !text.contains(' '));
  return !line.is_torn && line.clock == Clock::kNone && !is_cut;
}

class TextAround {
 public:
  explicit TextAround(trace::EventSink& sink) : sink_(sink) {}

  void add(uint64_t line) {
    constexpr size_t kMostLines = 1 << 12;
    if (lines_.size() == kMostLines) give(true);
    lines_.push_back(line);
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

  void give(bool is_damage) {
    for (const uint64_t line : lines_)
      sink_.loss(is_damage ? kDamage : "text around the trace", line, 1, is_damage);
    lines_.clear();
  }

  trace::EventSink& sink_;
  std::vector<uint64_t> lines_;
  bool has_calls_ = false;
};

}  // namespace weft::formats::strace

#include "core/formats/kernel/ftrace/ftrace_text.h"

#include <cmath>
#include <optional>

#include "core/base/time.h"
#include "core/formats/base/text.h"

namespace weft::formats::ftrace {
namespace {

constexpr std::string_view kFunction = "function", kCaller = " <-";

// "next_", of a field's name.
bool is_name(std::string_view word) {
  return !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == word.npos;
}

struct LostEvents {
  uint64_t count = 0;
  uint32_t cpu = 0;
};

// "CPU:1 [LOST 5 EVENTS]", trace-cmd's "CPU:1 [5 EVENTS DROPPED]", or either without a number: at
// least one then. None where the line says something else.
std::optional<LostEvents> lost_in(std::string_view text) {
  constexpr std::string_view kCpu = "CPU:";
  if (!text.starts_with(kCpu) || !text.ends_with(']')) return {};
  const size_t open = text.find(" [");
  if (open == std::string_view::npos) return {};
  const auto cpu = parse_number<uint32_t>(text.substr(kCpu.size(), open - kCpu.size()));
  std::string_view rest = text.substr(open + 2, text.size() - open - 3);
  LostEvents lost{1, cpu.value_or(0)};
  bool is_lost = false, is_known = cpu.has_value();
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    const auto count = parse_number<uint64_t>(word);
    if (count) lost.count = *count;
    is_lost |= word == "LOST" || word == "DROPPED";
    is_known &= count || word == "LOST" || word == "DROPPED" || word == "EVENTS";
  }
  return is_lost && is_known ? std::optional(lost) : std::nullopt;
}

// What stands in the place of an event's text where its stack follows; trace-cmd writes a space
// more.
bool announces_stack(std::string_view text) {
  return text == "<stack trace>" || text == "<stack trace >" || text == "<user stack trace>" ||
         text == "<user stack trace >";
}

// Whether a line is none of the events: comments; the heads of `trace-cmd report` and `uftrace
// dump`, the former's notes on wake-ups (-w), the latter's on arguments and input; the bar between
// tasks of `uftrace replay --task-newline`.
bool is_around(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t|");
  if (first == std::string_view::npos) return true;
  text.remove_prefix(first);
  for (const std::string_view begin :
       {"#", "cpus=", "version =", "CPU ", "CPU:", "TRACE:", "trace-cmd ", "-----", "uftrace file ",
        "reading ", "args[", "retval ", "read:", "diff:", "watch:", "Average wakeup latency: ",
        "Maximum Latency: ", "Minimum Latency: "}) {
    if (text.starts_with(begin)) return true;
  }
  return false;
}

template <class Each>
void for_each_line_of(std::string_view text, const Each& each) {
  while (!text.empty()) {
    std::string_view line = take_to(text, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    each(line);
  }
}

Duration shift_of(std::string_view text) {
  constexpr std::string_view kSync = "trace_event_clock_sync: parent_ts=";
  constexpr double kMostSeconds = 9e9;
  std::optional<Duration> shift;
  for_each_line_of(text, [&](std::string_view each) {
    const size_t at = each.find(kSync);
    Line line;
    if (shift || at == std::string_view::npos || !parse_line(each, line)) return;
    std::string_view number = each.substr(at + kSync.size());
    const auto seconds = take_number<double>(number);
    if (seconds && std::abs(*seconds) < kMostSeconds)
      shift = Time{std::llround(*seconds * kNsPerSecond)} - line.time;
  });
  return shift.value_or(Duration{});
}

}  // namespace

void Text::add(std::string_view line, uint64_t offset, bool is_open) {
  constexpr std::string_view kFrame = "=> ";
  // Printed by uftrace before the calls open at the end; they are open here, too.
  constexpr std::string_view kRemaining = "uftrace stopped tracing with remaining functions";
  constexpr size_t kMostStackBytes = 64 << 10;
  const std::string_view text = trimmed(line);
  if (!event_.empty() && text.starts_with(kFrame) && stack_.size() < kMostStackBytes) {
    (stack_ += stack_.empty() ? "" : " <- ") += text.substr(kFrame.size());
    return;
  }
  add_stack();
  is_over_ |= text == kRemaining;
  if (is_over_) return;
  if (processes_.add(line, lanes())) return;
  line_.offset = offset;
  if (parse_line(line, line_)) {
    if (is_open && !is_whole())
      return sink_.loss("line that the end of the input cuts off", offset);
    has_bare_functions_ |= line_.event == kFunction && !line_.args.contains(kCaller);
    if (announces_stack(line_.args)) {
      event_ = line;
      event_offset_ = offset;
      return;
    }
    line_.time = line_.time + shift_;
    is_in_message_ = is_message(line_.event);
    return player_.add(line_);
  }
  if (columns_.take_header(line)) return;
  if (GraphLine call; parse_graph_line(line, columns_, call)) return graph_.add(call, offset);
  if (const auto lost = lost_in(line)) return player_.lose(lost->count, lost->cpu, offset);
  if (is_around(line)) return;
  if (is_in_message_) return sink_.note("further line of a message", offset);
  sink_.loss("line that is not an event", offset);
}

// Whether the last line, without a line feed, is complete: its function names its caller, unless
// others do not, and its fields have values.
bool Text::is_whole() const {
  if (line_.event == kFunction) return has_bare_functions_ || line_.args.contains(kCaller);
  const std::string_view last = line_.args.substr(line_.args.find_last_of(" \t") + 1);
  const bool is_of_scheduler = line_.event.starts_with("sched_");
  return !last.ends_with('=') && !(is_of_scheduler && line_.args.contains('=') && is_name(last));
}

// The event whose stack has been read.
void Text::add_stack() {
  if (event_.empty()) return;
  parse_line(event_, line_);
  line_.offset = event_offset_;
  line_.time = line_.time + shift_;
  if (line_.event == kFunction)  // it has no name
    line_.event = line_.args.starts_with("<user") ? "user stack trace" : "stack trace";
  if (!stack_.empty()) line_.args = stack_;
  player_.add(line_);
  event_.clear();
  stack_.clear();
}

void Text::finish() {
  add_stack();
  player_.finish();
}

InnerText::InnerText(std::string_view text, uint64_t offset, trace::EventSink& sink)
    : text_(text), offset_(offset), reader_(sink, shift_of(text), Lanes::OnTasks::kMarks) {}

void InnerText::read() {
  for_each_line_of(text_, [&](std::string_view line) { reader_.add(line, offset_); });
  reader_.finish();
}

}  // namespace weft::formats::ftrace

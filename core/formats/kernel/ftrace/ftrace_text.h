// The text of an ftrace, line by line: events to the Player, what is lost to the sink.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/formats/kernel/ftrace/ftrace_line.h"
#include "core/formats/kernel/ftrace/ftrace_player.h"
#include "core/formats/kernel/ftrace/function_graph.h"
#include "core/formats/kernel/ftrace/process_dump.h"
#include "core/formats/kernel/ftrace/replay_columns.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ftrace {

class Text {
 public:
  // `shift` is added to all times.
  explicit Text(trace::EventSink& sink, Duration shift = {},
                Lanes::OnTasks on_tasks = Lanes::OnTasks::kScheduler)
      : sink_(sink), shift_(shift), player_(sink, on_tasks), graph_(sink, player_) {}

  Lanes& lanes() { return player_.kernel().lanes(); }
  void set_architecture(std::string_view name) { player_.kernel().set_architecture(name); }
  // `is_open`: no line feed stands behind it, it may be cut off.
  void add(std::string_view line, uint64_t offset, bool is_open = false);
  void finish();

 private:
  bool is_whole() const;
  void add_stack();

  trace::EventSink& sink_;
  const Duration shift_;
  Player player_;
  FunctionGraph graph_;
  ReplayColumns columns_;
  ProcessDump processes_;
  Line line_;
  // An event whose stack follows, line by line.
  std::string event_, stack_;
  uint64_t event_offset_ = 0;
  bool is_over_ = false, is_in_message_ = false;
  bool has_bare_functions_ = false;  // that do not say who calls them
};

// A whole text within another trace, which stands there at `offset`. Times become those of user
// space where a mark says what they are (trace_event_clock_sync: parent_ts=…). What that trace
// knows of processes and threads is adopted by `lanes()` first: what the scheduler did lies below
// them.
class InnerText {
 public:
  // The text outlives it.
  InnerText(std::string_view text, uint64_t offset, trace::EventSink& sink);

  Lanes& lanes() { return reader_.lanes(); }
  void read();

 private:
  const std::string_view text_;
  const uint64_t offset_;
  Text reader_;
};

}  // namespace weft::formats::ftrace

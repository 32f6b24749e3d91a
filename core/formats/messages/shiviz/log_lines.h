// The lines of a ShiViz log, taken apart: as a vector clock with what stands beside it, or with the
// log's own regular expressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/regex.h"
#include "core/base/result.h"

namespace weft::formats::shiviz {

using ClockEntry = std::pair<std::string_view, int64_t>;  // a host, how many events of it

//   [INFO] [akka://Broadcast/user/node3] {"node3" : 2, "node1":7} Initiating …
//   '-- before -----------------------'  '-- clock ------------'  '-- behind --'
struct ClockLine {
  std::string_view before, behind;  // without the white space around them
  std::vector<ClockEntry> clock;
};

// Returns false if the line holds no clock.
bool parse_clock_line(std::string_view line, ClockLine& out);

// Finds an event's host from the text beside its clock: the word before the clock, or the last host
// named before it. kNoHost: none.
inline constexpr size_t kNoHost = ~size_t{0};
size_t host_of(const ClockLine& line);

// The regular expressions that ShiViz takes a log apart with: one with groups named `host`, `clock`
// and `event` (and others, which are fields of the event), and one that says where an execution
// begins, with a group `trace` for its name. ShiViz finds both in the first two lines of a file,
// and GoVector writes them there:
//
//   (?<host>\S*) (?<clock>{.*})\n(?<event>.*)
//   ^=== (?<trace>.*) ===$
//
// An event has as many lines as its expression has line feeds, and one. Those of a file are of
// whole lines; those that a user gives are looked for in them, as in ShiViz. Cost: a match a line.
enum class Place : uint8_t { kWholeLines, kAnywhere };

// Views into the text and the expression.
struct LogFields {
  std::string_view host, clock, event;
  std::vector<std::pair<std::string_view, std::string_view>> others;  // names, what they took
};

class LogExpression {
 public:
  // Fails where it is not an expression, or lacks one of the three groups.
  static Result<LogExpression> compile(std::string_view pattern, Place place);
  // That of a behaviour that TLC, the model checker of TLA+, prints: a state is an event, and has
  // variables named Host and Clock; the others are its text.
  static LogExpression of_tlc();

  size_t lines() const { return lines_; }
  // Whether what stands behind an event may be more lines of its text.
  bool ends_in_text() const { return ends_in_text_; }
  // Parses the lines of one event. kNo: they are not events.
  Regex::Found take_apart(std::string_view text, LogFields& out);

 private:
  LogExpression(Regex regex, size_t lines, bool ends_in_text);

  Regex regex_;
  size_t lines_;
  bool ends_in_text_;
  std::vector<std::string_view> groups_;  // kept for their memory
};

// Whether the first line of a log is an expression for its events.
bool is_log_expression(std::string_view line);
// Whether TLC printed a log that begins like this.
bool is_of_tlc(std::string_view head);

class ExecutionExpression {
 public:
  static Result<ExecutionExpression> compile(std::string_view pattern, Place place);

  // Whether an execution begins at the line, and its name: the group's, else all of the line.
  bool begins_at(std::string_view line, std::string_view& name);

 private:
  explicit ExecutionExpression(Regex regex) : regex_(std::move(regex)) {}

  Regex regex_;
  std::vector<std::string_view> groups_;  // kept for their memory
};

}  // namespace weft::formats::shiviz

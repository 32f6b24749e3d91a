// What is typed into the console: a command in the notation of journals or of the palette, or a
// filter expression; and what can follow in it. Pure.
//
//   {"command":"marker.add","args":{"at":"50%"}}     a line of a journal
//   marker.add at=50% name="half of it"              the same
//   dur > 5ms && type =~ /irq/                       filter.set text=…
//   "irq"                                            the same; without quotes it would be a command
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/commands.h"
#include "core/query/filter/filter_completion.h"
#include "core/trace/model.h"

namespace weft::app {

// The error says what is wrong, for an expression also where.
Result<Command> command_from_line(std::string_view line);

// Names of commands, of their arguments, and what these can be: one of a few words, lanes, types;
// where the line is an expression, what query::complete_filter says. `dictionary`: of the current
// trace; null: there is none.
query::Completions complete_line(std::string_view line, size_t cursor,
                                 const trace::Dictionary* dictionary);

// What was typed, as a shell keeps it: the newest last, at most kMost, no line twice in a row.
class LineHistory {
 public:
  static constexpr size_t kMost = 500;

  void add(std::string line);
  // The line before (-1) or after (+1) the one that is shown, which begins behind the newest. Empty
  // behind the newest.
  std::string_view step(int by);

 private:
  std::vector<std::string> lines_;
  size_t at_ = 0;
};

}  // namespace weft::app

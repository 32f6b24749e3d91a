// A line of a TLV standard log, taken apart:
//
//   [1926099]TASK1.state=RUNNING          an attribute gets a value
//   [1926446]TASK1.enterSVC(dly_tsk,10)   a behaviour with its arguments
//   [1926446]TASK(state==RUNNING).state=READY
//
// The last names its resource by type and condition.
#pragma once

#include <string_view>
#include <vector>

namespace weft::formats::tlv {

struct Line {
  std::string_view time;  // digits of the trace's radix
  std::string_view resource;
  std::string_view condition;  // between its parentheses; then `resource` is a type
  std::string_view name;       // of the attribute or behaviour
  std::string_view value;      // of the attribute, or the behaviour's arguments
  bool is_behavior = false;
  bool has_condition = false;
};

// Returns false if it is no such line. Also accepts it as an element of a JSON array of strings, as
// in the log of a .tlv archive.
bool parse_line(std::string_view text, Line& out);

// Whether the first lines are those of a log that TLV converts by rules: a number in brackets, then
// any text.
bool is_raw_log(std::string_view head);

// Splits arguments at commas outside of parentheses and quotes, and trims them.
void split_arguments(std::string_view text, std::vector<std::string_view>& out);

}  // namespace weft::formats::tlv

// The record of one collection by a Java VM before version 9: nested groups in brackets, each with
// a name, sizes and a duration, some with their begin.
//
//   2.1: [GC (Allocation Failure) 2.1: [ParNew: 64K->8K(72K), 0.1 secs] 96K->40K(128K), 0.2 secs]
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace weft::formats::jvm_log {

// "2015-05-26T16:23:07.219-0200: 64.322: ", of which each part may lack; "#7: " is a number that
// stands for a time.
struct Stamp {
  std::optional<Time> date, uptime;
};
// Takes it off; none where there is none.
std::optional<Stamp> take_stamp(std::string_view& text);
// Returns the begin of the time stamp that ends at `end`; `end` if there is none. Examines only a
// few bytes.
size_t stamp_before(std::string_view text, size_t end);

// The end of the group that begins at `begin` with a bracket: behind its last; npos: it is open.
size_t group_end(std::string_view text, size_t begin);

// Views into the text that it was made of.
struct Group {
  std::string_view name;
  std::string own;  // its text but the name, and the groups in it
  std::optional<Stamp> stamp;
  std::vector<Group> groups;
};
// Parses a group, without its brackets. Groups nested deeper than any VM writes are text.
Group parse_group(std::string_view text, int depth = 0);

// "…, 0.1706 secs" at its end.
std::optional<Duration> length_of(std::string_view own);
// "64K->8K(72K)", or "8K(72K)": the last; empty where there is none.
std::string_view sizes_of(std::string_view own);

}  // namespace weft::formats::jvm_log

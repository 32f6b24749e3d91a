// A line of a ShiViz log that holds a vector clock, taken apart.
//
//   [INFO] [akka://Broadcast/user/node3] {"node3" : 2, "node1":7} Initiating …
//   '-- before -----------------------'  '-- clock ------------'  '-- behind --'
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::formats::shiviz {

using ClockEntry = std::pair<std::string_view, int64_t>;  // a host, how many events of it

struct ClockLine {
  std::string_view before, behind;  // without the white space around them
  std::vector<ClockEntry> clock;
  std::string_view clock_text;
};

// False where the line holds no clock.
bool parse_clock_line(std::string_view line, ClockLine& out);

// Whose event it is, by its place in the clock: the word before it, or the host that is named last
// before it. kNoHost: nobody's.
inline constexpr size_t kNoHost = ~size_t{0};
size_t host_of(const ClockLine& line);

}  // namespace weft::formats::shiviz

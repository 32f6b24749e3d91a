// Paths of lanes where there is no room for all of them.
#pragma once

#include <string>

namespace weft::app {

// Of a printable path what tells it from others, in the current font: its last names, "…/rx queue"
// of "net/eth0/rx queue"; of a last name that is too long by itself both ends, "QUEU…T_A".
std::string path_within(const std::string& path, float room_px);

}  // namespace weft::app

// Where a trace lies on another machine: ssh://[user@]host[:port]/path, as it is typed.
//
// Plain values. What is typed may be hostile: every part is held to the letters that it may have,
// so that none of it can be taken for an option, nor for a part of a command line, wherever it is
// named later. Nothing is decoded: a path has its letters as they are ("%20" are three of them).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace weft::capture {

// A machine, and who logs in there.
struct SshHost {
  std::string user = {};  // empty: as ssh's configuration says, else as here
  std::string host = {};  // a name, an alias of the configuration, or an address; never empty
  uint16_t port = 0;      // 0: as the configuration says, else 22
  bool operator==(const SshHost&) const = default;
};

struct SshAddress {
  SshHost at;
  std::string path;  // begins with "/", or with "./" where it is counted from the home folder
  bool operator==(const SshAddress&) const = default;
};

// Whether a name of a file is to be read as an address.
bool is_ssh_address(std::string_view text);

// Errors say what is wrong, and do not name the text.
Result<SshAddress> parse_ssh_address(std::string_view text);
// "[user@]host[:port]".
Result<SshHost> parse_ssh_host(std::string_view text);
// Hosts on the way, the nearest first: "gate,me@rack:2222". At least one.
Result<std::vector<SshHost>> parse_ssh_jumps(std::string_view text);

// As it would be typed: parsed again, it is the same.
std::string to_text(const SshHost& host);
std::string to_text(std::span<const SshHost> jumps);
std::string to_text(const SshAddress& address);

}  // namespace weft::capture

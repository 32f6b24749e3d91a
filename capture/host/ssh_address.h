// Addresses of traces on other machines: ssh://[user@]host[:port]/path, as typed by the user.
//
// Plain values. Input may be hostile: every part is restricted to its permitted characters, so that
// it cannot be mistaken for an option or a part of a command line later. Nothing is decoded: "%20"
// in a path is three characters.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace weft::capture {

// A machine and the user to log in as.
struct SshHost {
  std::string user = {};  // empty: from ssh's configuration, else the local user
  std::string host = {};  // a name, an alias of the configuration, or an address; never empty
  uint16_t port = 0;      // 0: from the configuration, else 22
  bool operator==(const SshHost&) const = default;
};

struct SshAddress {
  SshHost at;
  std::string path;  // begins with "/", or with "./" if relative to the home folder
  bool operator==(const SshAddress&) const = default;
};

// Whether a file name is to be read as an address.
bool is_ssh_address(std::string_view text);
// Whether it looks like an address of another kind: "http://…".
bool is_other_address(std::string_view text);

// Parses an address. Errors do not quote the text.
Result<SshAddress> parse_ssh_address(std::string_view text);
// Parses "[user@]host[:port]".
Result<SshHost> parse_ssh_host(std::string_view text);
// Parses jump hosts, nearest first: "gate,me@rack:2222". At least one.
Result<std::vector<SshHost>> parse_ssh_jumps(std::string_view text);

// Formats a value such that parsing gives it back.
std::string to_text(const SshHost& host);
std::string to_text(std::span<const SshHost> jumps);

}  // namespace weft::capture

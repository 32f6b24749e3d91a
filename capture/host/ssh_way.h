// By which way a host is reached. Plain values, without secrets.
#pragma once

#include <string>

namespace weft::capture {

struct SshWay {
  std::string jump = {};  // hosts on the way, the nearest first: "[user@]host[:port],…"; empty:
                          // none, or as the configuration says
  std::string key = {};   // file of a private key; empty: as the configuration says
  std::string config =
      {};  // file of ssh's configuration; empty: the user's, and the system's; "none"
  bool operator==(const SshWay&) const = default;
};

}  // namespace weft::capture

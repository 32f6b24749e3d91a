// How to reach a host. Plain values, without secrets.
#pragma once

#include <string>

namespace weft::capture {

struct SshWay {
  std::string jump = {};  // jump hosts, nearest first: "[user@]host[:port],…"; empty: none, or from
                          // the configuration
  std::string key = {};   // private key file; empty: from the configuration
  std::string config =
      {};  // ssh configuration file; empty: the user's and the system's; "none": none
  bool operator==(const SshWay&) const = default;
};

}  // namespace weft::capture

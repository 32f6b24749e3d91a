// Looks a host's key up in the user's known_hosts files. Internal to capture/host.
//
// Files are read here, line by line, though each line is parsed by libssh: on its own it ignores
// lines that revoke a key, and does not tell where a differing key is recorded.
#pragma once

#include <libssh/libssh.h>

#include <string>
#include <vector>

#include "core/base/result.h"

namespace weft::capture {

enum class HostKeyVerdict {
  kKnown,
  kUnknown,    // no line mentions the host
  kChanged,    // another key of the same type is known
  kOtherType,  // keys of other types are known
  kRevoked     // by any line, whichever host it names
};

struct HostKeyFinding {
  HostKeyVerdict verdict = HostKeyVerdict::kUnknown;
  std::string place;  // the deciding line: "line 3 of /home/me/.ssh/known_hosts"
};

// Looks up `host` as spelled in the files: "board", or "[board]:2222". Missing files are ignored;
// fails if a file cannot be read.
Result<HostKeyFinding> look_up_host_key(const std::string& host, ssh_key key,
                                        const std::vector<std::string>& files);

}  // namespace weft::capture

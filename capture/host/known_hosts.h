// What the user's files of known hosts say of a host's key. Internal to the room.
//
// Read by ourselves, line by line, by libssh's own understanding of a line: it alone passes over
// the lines that revoke a key, and says of a key that is another one not where the old one stands.
#pragma once

#include <libssh/libssh.h>

#include <string>
#include <vector>

#include "core/base/result.h"

namespace weft::capture {

enum class HostKeyVerdict {
  kKnown,
  kUnknown,    // no line speaks of the host
  kChanged,    // another key of the same type is known
  kOtherType,  // keys of other types are known
  kRevoked     // by any line, whichever host it speaks of: such a key is nobody's any more
};

struct HostKeyFinding {
  HostKeyVerdict verdict = HostKeyVerdict::kUnknown;
  std::string place;  // of the line that says so: "line 3 of /home/me/.ssh/known_hosts"
};

// `host` as the files have it: "board", or "[board]:2222". A file that is not there says nothing;
// an error: one is there and cannot be read.
Result<HostKeyFinding> look_up_host_key(const std::string& host, ssh_key key,
                                        const std::vector<std::string>& files);

}  // namespace weft::capture

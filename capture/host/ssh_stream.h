// A trace on another machine as a feed: a file, a pipe, a folder.
//
// Needs sshd and a POSIX shell there, no program of ours and no SFTP. One fixed command is run;
// what the user named goes to its standard input as a line, never into a command line. It says what
// there is, then gives it, and beats once a second beside it, so that a peer that has nothing to
// say is told from one that is gone:
//
//   2 beats missed: FeedPhase::kStalled; 5, or a lost connection: of a file kReconnecting, and on
//   it goes at the byte where it stopped (a file that is another one by then is an error). What
//   came through a pipe, or out of a folder, cannot be had again: kLost. A host that does not
//   answer at first is tried again for a while, too (kConnecting); one that refuses is not.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "capture/host/asker.h"
#include "capture/host/feed.h"
#include "capture/host/ssh_address.h"
#include "capture/host/ssh_way.h"
#include "core/base/result.h"

namespace weft::capture {

struct SshStreamOptions {
  SshWay way;
  bool follows = false;  // of a file: also what is added to it, without end
  std::chrono::milliseconds stalled_after{2500}, lost_after{5500};  // of silence
  std::chrono::milliseconds pause{250};  // before the next try; doubles, up to 16 times as long
};

// Connects on the feed's thread. `asker` may be null: nobody is there to be asked.
Result<std::unique_ptr<Feed>> open_ssh(const SshAddress& address, const SshStreamOptions& options,
                                       std::shared_ptr<Asker> asker,
                                       std::function<void()> on_change = {});

}  // namespace weft::capture

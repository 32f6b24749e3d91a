// A trace on another machine as a feed: a file, a pipe, or a folder.
//
// Needs sshd and a POSIX shell there, no program of ours and no SFTP. One fixed command is run; the
// user's path goes to its standard input, never into a command line. It describes the content, then
// sends it, with a heartbeat each second so that a silent peer can be told from a dead one:
//
//   2 beats missed   FeedPhase::kStalled
//   5, or lost       a file: kReconnecting, then on from where it stopped (an error if it is
//                    another file by then); a pipe or a folder, which cannot be resumed: kLost
//
// A host that does not answer at first is retried for a while (kConnecting); one that refuses is
// not.
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
  bool follows = false;  // also what is appended to a file, without end
  std::chrono::milliseconds stalled_after{2500}, lost_after{5500};  // of silence
  std::chrono::milliseconds pause{250};  // before the next attempt; doubles, up to 16 times as long
};

// Connects on the feed's thread. `asker` may be null: nobody can be asked.
Result<std::unique_ptr<Feed>> open_ssh(const SshAddress& address, const SshStreamOptions& options,
                                       std::shared_ptr<Asker> asker,
                                       std::function<void()> on_change = {});

}  // namespace weft::capture

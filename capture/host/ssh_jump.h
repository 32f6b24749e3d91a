// A tunnel through a jump host. Internal to capture/host.
//
// A separate session, and a thread that carries bytes between the jump host and a socket of this
// process. No program is run and no command line built, so host names cannot be misinterpreted.
// Questions are asked as for any connection.
#pragma once

#include <atomic>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "capture/host/asker.h"
#include "capture/host/ssh_address.h"
#include "capture/host/ssh_way.h"
#include "core/base/result.h"
#include "core/io/file_descriptor.h"

namespace weft::capture {

struct SshFailure;

// Returns the hosts, in the form of SshWay::jump, of the ProxyCommand that libssh makes from a
// ProxyJump: "ssh -l me -p 2222 -J b -W '[%h]:%p' a" goes through "me@a:2222,b". Empty: it is
// another command.
std::string jump_of_command(std::string_view command);

class SshJump {
 public:
  // Opens a tunnel to `target`, whose name the jump host resolves, through way.jump. `jumps` counts
  // the hosts on the way including this one; more than eight are refused, as a configuration may be
  // circular.
  static std::expected<std::unique_ptr<SshJump>, SshFailure> open(const SshHost& target,
                                                                  const SshWay& way, Asker* asker,
                                                                  Asker::IsGivenUp is_given_up,
                                                                  int jumps);
  ~SshJump();  // closes the tunnel

  int take_socket();      // the caller becomes the owner
  Status status() const;  // an error says why it ended

 private:
  struct Line;
  explicit SshJump(std::unique_ptr<Line> line);
  void run();

  std::unique_ptr<Line> line_;  // owned by the thread, once it runs
  io::FileDescriptor other_end_;
  std::atomic<bool> is_closed_ = false;
  mutable std::mutex mutex_;
  Status status_;
  std::thread thread_;
};

}  // namespace weft::capture

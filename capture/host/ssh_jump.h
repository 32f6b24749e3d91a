// A way through a host that lets connections pass. Internal to the room.
//
// A session of its own and a thread of its own that carries bytes between the jump host and a
// socket of this process. No program is run and no command line is made: what hosts are called
// reaches nobody who could take it for something else. It asks as any connection asks.
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

// The hosts, as in SshWay::jump, of the ProxyCommand that libssh makes of a ProxyJump: "ssh -l me
// -p 2222 -J b -W '[%h]:%p' a" goes through "me@a:2222,b". Empty: it is another command.
std::string jump_of_command(std::string_view command);

class SshJump {
 public:
  // To `target`, whose name the jump host looks up; through way.jump. `jumps`: how many hosts on
  // the way this makes; more than eight are refused, for a configuration may lead in a circle.
  static std::expected<std::unique_ptr<SshJump>, SshFailure> open(const SshHost& target,
                                                                  const SshWay& way, Asker* asker,
                                                                  Asker::IsGivenUp is_given_up,
                                                                  int jumps);
  ~SshJump();  // ends it

  int take_socket();      // whose owner is who takes it
  Status status() const;  // an error: why it ended

 private:
  struct Line;
  explicit SshJump(std::unique_ptr<Line> line);
  void run();

  std::unique_ptr<Line> line_;  // the thread's own, once it runs
  io::FileDescriptor other_end_;
  std::atomic<bool> is_closed_ = false;
  mutable std::mutex mutex_;
  Status status_;
  std::thread thread_;
};

}  // namespace weft::capture

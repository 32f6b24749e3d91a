// A way through a host that lets connections pass. Internal to the room.
//
// A session of its own and a thread of its own that carries bytes between the jump host and a
// socket of this process. No program is run and no command line is made: what hosts are called
// reaches nobody who could take it for something else. It asks as any connection asks.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "capture/host/asker.h"
#include "capture/host/ssh_address.h"
#include "capture/host/ssh_way.h"
#include "core/base/result.h"
#include "core/io/file_descriptor.h"

namespace weft::capture {

class SshJump {
 public:
  // To `target`, whose name the jump host looks up; through way.jump.
  static Result<std::unique_ptr<SshJump>> open(const SshHost& target, const SshWay& way,
                                               Asker* asker, Asker::IsGivenUp is_given_up);
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

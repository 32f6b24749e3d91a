// An authenticated connection to a host with a verified key. Internal to capture/host.
//
// Used by one thread. Nothing blocks for long: libssh is polled, and between calls the session
// checks whether anybody still waits. (Resolving a name is the exception: it takes as long as the
// system's resolver takes.)
#pragma once

#include <libssh/libssh.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "capture/host/asker.h"
#include "capture/host/ssh_address.h"
#include "capture/host/ssh_way.h"
#include "core/base/result.h"

namespace weft::capture {

struct FreeSession {
  void operator()(ssh_session session) const;
};
using SessionHandle = std::unique_ptr<ssh_session_struct, FreeSession>;

struct FreeChannel {
  void operator()(ssh_channel channel) const { ssh_channel_free(channel); }
};
using ChannelHandle = std::unique_ptr<ssh_channel_struct, FreeChannel>;

class SshJump;

struct SshFailure {
  enum class Kind {
    kRefused,   // the host, or we, said no: would happen again
    kLost,      // the connection failed; may work again
    kUnreached  // no answer, as from a host that is booting
  };
  Error error;
  Kind kind = Kind::kRefused;
};

class SshSession {
 public:
  // Connects, verifies the host's key, logs in. `asker` may be null: then only known hosts are
  // connected to, and only by keys. Errors name the host. `jumps` counts the jump hosts that depend
  // on this session.
  static std::expected<SshSession, SshFailure> open(const SshHost& at, const SshWay& way,
                                                    Asker* asker, Asker::IsGivenUp is_given_up,
                                                    int jumps = 0);
  SshSession(SshSession&&) noexcept;
  SshSession& operator=(SshSession&&) noexcept;
  ~SshSession();

  ssh_session handle() const { return handle_.get(); }
  const std::string& name() const { return name_; }                // "user@host"
  const std::string& fingerprint() const { return fingerprint_; }  // the host key's: "SHA256:…"
  Error error(const std::string& what) const;                      // with libssh's message

  // Repeats a libssh call until it no longer returns "again"; returns its result. Fails on a
  // timeout, or if nobody waits any more.
  Result<int> until_done(const std::function<int()>& call,
                         std::chrono::seconds patience = std::chrono::seconds(15)) const;
  bool is_given_up() const { return is_given_up_(); }
  // Whether the host is known by another key but is connected to all the same, once.
  bool has_other_key() const { return has_other_key_; }

 private:
  SshSession(SessionHandle handle, Asker::IsGivenUp is_given_up);
  Status configure(const SshHost& at, const SshWay& way);
  // Returns the jump hosts that the configuration names: "a,b". Empty: none.
  Result<std::string> configured_jump(const SshHost& at);
  std::expected<void, SshFailure> connect(const SshWay& way, Asker* asker, int jumps);
  SshFailure::Kind kind_of_no_connection() const;
  Status verify_host(Asker* asker);
  std::string option(ssh_options_e which) const;
  uint16_t port() const;

  std::unique_ptr<SshJump> jump_;  // must outlive the session, which goes through it
  SessionHandle handle_;
  Asker::IsGivenUp is_given_up_;
  std::string name_, fingerprint_;
  bool has_other_key_ = false;
  mutable bool is_too_slow_ = false;
};

// Logs in by the agent, keys, the host's questions, or a password. A host with another key than the
// known one is told nothing that was typed. (ssh_login.cpp)
Status log_in(const SshSession& session, Asker* asker);

}  // namespace weft::capture

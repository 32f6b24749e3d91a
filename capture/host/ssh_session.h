// A connection to a host whose key is known, and on which somebody is logged in. Internal to the
// room.
//
// Used by one thread. Nothing in it blocks for long: libssh is asked again and again, and between
// two calls whether anybody still waits. (Looking a name up is the exception: it may take as long
// as the resolver of the system takes.)
#pragma once

#include <libssh/libssh.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

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
    kRefused,   // the host, or we, said no: it would again
    kLost,      // the connection failed; what worked before may work again
    kUnreached  // nobody answered: as of a host that is about to start
  };
  Error error;
  Kind kind = Kind::kRefused;
};

class SshSession {
 public:
  // Connects, holds the host's key against the known ones, logs in. `asker` may be null: then only
  // a known host is connected to, and only keys open it. Errors name the host. `jumps`: how many
  // hosts on the way wait for it.
  static std::expected<SshSession, SshFailure> open(const SshHost& at, const SshWay& way,
                                                    Asker* asker, Asker::IsGivenUp is_given_up,
                                                    int jumps = 0);
  SshSession(SshSession&&) noexcept;
  SshSession& operator=(SshSession&&) noexcept;
  ~SshSession();

  ssh_session handle() const { return handle_.get(); }
  const std::string& name() const { return name_; }                // "user@host"
  const std::string& fingerprint() const { return fingerprint_; }  // of the host's key: "SHA256:…"
  Error error(const std::string& what) const;                      // with libssh's own words

  // What a call of libssh says once it is no longer "again". An error: it took too long, or nobody
  // waits any more.
  Result<int> until_done(const std::function<int()>& call,
                         std::chrono::seconds patience = std::chrono::seconds(15)) const;
  bool is_given_up() const { return is_given_up_(); }
  // The host is known by another key, and is connected to all the same, once.
  bool has_other_key() const { return has_other_key_; }

 private:
  SshSession(SessionHandle handle, Asker::IsGivenUp is_given_up);
  Status configure(const SshHost& at, const SshWay& way);
  // The hosts on the way that the configuration names: "a,b". Empty: none.
  Result<std::string> configured_jump(const SshHost& at);
  std::expected<void, SshFailure> connect(const SshWay& way, Asker* asker, int jumps);
  SshFailure::Kind kind_of_no_connection() const;
  Status verify_host(Asker* asker);
  std::string option(ssh_options_e which) const;
  uint16_t port() const;

  std::unique_ptr<SshJump> jump_;  // outlives the session that goes through it
  SessionHandle handle_;
  Asker::IsGivenUp is_given_up_;
  std::string name_, fingerprint_;
  bool has_other_key_ = false;
  mutable bool is_too_slow_ = false;
};

// Logs in on a connection to a host whose key is known: by the agent, by keys, by what the host
// asks, by a password. A host that has another key is told nothing that was typed. (ssh_login.cpp)
Status log_in(const SshSession& session, Asker* asker);

}  // namespace weft::capture

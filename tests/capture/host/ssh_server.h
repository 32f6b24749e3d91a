// A real sshd of a test's own: on a port of 127.0.0.1, with keys and a configuration in the test's
// folder, for the user who runs the test.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "capture/host/asker.h"
#include "capture/host/ssh_address.h"
#include "capture/host/ssh_way.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::test {

// Runs a program and waits for it; false: it failed.
bool run_program(const std::vector<std::string>& arguments);

class SshServer {
 public:
  // If it is not, tests skip: GTEST_SKIP() << kMissing.
  static bool is_installed();
  static constexpr const char* kMissing = "no sshd and ssh-keygen (package openssh-server)";

  // Its files go into that folder.
  explicit SshServer(const ScratchFolder& folder, const std::string& name = "server");
  ~SshServer();
  SshServer(const SshServer&) = delete;
  SshServer& operator=(const SshServer&) = delete;

  uint16_t port() const { return port_; }
  capture::SshHost host() const;
  capture::SshAddress address_of(const std::string& path) const { return {host(), path}; }
  // The same address as it is typed; the path begins with "/".
  std::string typed_address_of(const std::string& path) const {
    return "ssh://" + to_text(host()) + path;
  }
  std::string host_key() const;    // "ssh-ed25519 AAAA…"
  std::string known_host() const;  // "[127.0.0.1]:PORT"
  std::string known_hosts_line() const { return known_host() + " " + host_key() + "\n"; }

  // A way by which the user's key opens the server, of which the file of known hosts says what it
  // is. `key`: another private key.
  capture::SshWay way(const std::string& known_hosts, const std::string& key = {}) const;
  std::string user_key() const { return folder_ + "/user_key"; }
  std::string known_hosts_file() const { return folder_ + "/known_hosts"; }
  void authorize(const std::string& public_key_file) const;

  // How often somebody has tried to log in.
  size_t login_attempts() const;
  // To every process of a connection that is there now.
  void signal_connections(int signal) const;
  size_t connections() const;
  // Nobody answers on its port, until it listens again.
  void stop();
  void start_again();

 private:
  std::vector<pid_t> connection_processes() const;
  void start();
  void listen();

  std::string folder_;
  uint16_t port_ = 0;
  pid_t server_ = -1;
};

// Says what it was told to say, and notes what it was asked.
class ScriptedAsker final : public capture::Asker {
 public:
  bool trusts(const capture::DoubtfulHost& host, const IsGivenUp&) override {
    hosts.push_back(host);
    return trusts_all;
  }
  std::optional<capture::Secret> answer(const capture::Question& question,
                                        const IsGivenUp&) override {
    questions.push_back(question);
    if (answers.empty()) return std::nullopt;
    capture::Secret secret(answers.front());
    answers.erase(answers.begin());
    return secret;
  }

  void hear(const std::string& said) override { news.push_back(said); }

  bool trusts_all = false;
  std::vector<std::string> answers;
  std::vector<capture::DoubtfulHost> hosts;
  std::vector<capture::Question> questions;
  std::vector<std::string> news;
};

}  // namespace weft::test

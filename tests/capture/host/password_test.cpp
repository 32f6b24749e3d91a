// Passwords and questions of a host, right and wrong. sshd would want an account with a password
// for it: here a server of libssh's own answers. covers B-24
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libssh/libssh.h>
#include <libssh/server.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "capture/host/ssh_session.h"
#include "tests/capture/host/ssh_server.h"

namespace weft::capture {
namespace {

using ::testing::HasSubstr;

// The function that replaces it cannot ask questions.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
std::string password_in(ssh_message message) { return ssh_message_auth_password(message); }
#pragma GCC diagnostic pop

// Lets one in who knows the password or, where it `asks`, both answers.
class PasswordServer {
 public:
  PasswordServer(const test::ScratchFolder& folder, bool asks) : asks_(asks) {
    const std::string key = folder / "server_key";
    EXPECT_TRUE(
        test::run_program({"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key}));
    key_line_ = test::content_of(key + ".pub");
    unsigned port = 0;  // any
    const bool reads_none = false;
    ssh_bind_options_set(bind_, SSH_BIND_OPTIONS_PROCESS_CONFIG, &reads_none);
    ssh_bind_options_set(bind_, SSH_BIND_OPTIONS_BINDADDR, "127.0.0.1");
    ssh_bind_options_set(bind_, SSH_BIND_OPTIONS_BINDPORT, &port);
    ssh_bind_options_set(bind_, SSH_BIND_OPTIONS_HOSTKEY, key.c_str());
    EXPECT_EQ(ssh_bind_listen(bind_), SSH_OK) << ssh_get_error(bind_);
    sockaddr_in address = {};
    socklen_t size = sizeof(address);
    ::getsockname(ssh_bind_get_fd(bind_), reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ~PasswordServer() {
    thread_.join();  // its client has gone
    ssh_bind_free(bind_);
  }

  SshHost host() const { return {.user = "me", .host = "127.0.0.1", .port = port_}; }
  std::string known_hosts_line() const {
    return "[127.0.0.1]:" + std::to_string(port_) + " " + key_line_;
  }

 private:
  void run() {
    ssh_session const session = ssh_new();
    if (ssh_bind_accept(bind_, session) == SSH_OK && ssh_handle_key_exchange(session) == SSH_OK) {
      while (ssh_message const message = ssh_message_get(session)) {
        answer(session, message);
        ssh_message_free(message);
      }
    }
    ssh_disconnect(session);
    ssh_free(session);
  }

  void answer(ssh_session session, ssh_message message) {
    const int subtype = ssh_message_subtype(message);
    const bool is_login = ssh_message_type(message) == SSH_REQUEST_AUTH;
    bool is_right = false;
    if (is_login && !asks_ && subtype == SSH_AUTH_METHOD_PASSWORD)
      is_right = password_in(message) == "open sesame";
    if (is_login && asks_ && subtype == SSH_AUTH_METHOD_INTERACTIVE) {
      if (ssh_message_auth_kbdint_is_response(message) == 0) {
        const char* prompts[] = {"Password: ", "Code: "};
        char echo[] = {0, 1};
        ssh_message_auth_interactive_request(message, "", "", 2, prompts, echo);
        return;
      }
      is_right = ssh_userauth_kbdint_getnanswers(session) == 2 &&
                 std::string(ssh_userauth_kbdint_getanswer(session, 0)) == "open sesame" &&
                 std::string(ssh_userauth_kbdint_getanswer(session, 1)) == "123456";
    }
    if (is_right) {
      ssh_message_auth_reply_success(message, 0);
      return;
    }
    if (is_login)
      ssh_message_auth_set_methods(message,
                                   asks_ ? SSH_AUTH_METHOD_INTERACTIVE : SSH_AUTH_METHOD_PASSWORD);
    ssh_message_reply_default(message);
  }

  bool asks_;
  ssh_bind bind_ = ssh_bind_new();
  std::string key_line_;
  uint16_t port_ = 0;
  std::thread thread_;
};

class Password : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::SshServer::is_installed()) GTEST_SKIP() << test::SshServer::kMissing;
    ::unsetenv("SSH_AUTH_SOCK");
  }
  // Logs in. Returns what is wrong; empty: it succeeded.
  std::string log_in(bool asks, std::vector<std::string> answers) {
    const test::ScratchFolder folder;
    const PasswordServer server(folder, asks);
    (void)folder.write("known_hosts", server.known_hosts_line());
    const std::string config =
        folder.write("config", "UserKnownHostsFile " + (folder / "known_hosts").string() + "\n");
    asker_ = {};
    asker_.answers = std::move(answers);
    const auto session =
        SshSession::open(server.host(), {.config = config}, &asker_, [] { return false; });
    return session ? "" : session.error().error.message;
  }
  test::ScriptedAsker asker_;
};

TEST_F(Password, IsAskedForUntilItIsRight) {
  EXPECT_EQ(log_in(false, {"open sesame"}), "");
  EXPECT_EQ(asker_.questions.size(), 1u);
  EXPECT_EQ(log_in(false, {"a", "b", "open sesame"}), "");
  EXPECT_EQ(asker_.questions.size(), 3u);
  EXPECT_THAT(log_in(false, {"a", "b", "c", "open sesame"}), HasSubstr("access is denied"));
}

TEST_F(Password, MayBeOneOfSeveralQuestions) {
  EXPECT_EQ(log_in(true, {"open sesame", "123456"}), "");
  ASSERT_EQ(asker_.questions.size(), 2u);
  EXPECT_EQ(asker_.questions[0].title, "Password");
  EXPECT_FALSE(asker_.questions[0].is_echoed);
  EXPECT_EQ(asker_.questions[1].title, "Code");
  EXPECT_TRUE(asker_.questions[1].is_echoed);
  EXPECT_EQ(log_in(true, {"open sesame", "1", "open sesame", "123456"}), "");
  EXPECT_THAT(log_in(true, {"open sesame"}), HasSubstr("Code was asked for and not given"));
}

}  // namespace
}  // namespace weft::capture

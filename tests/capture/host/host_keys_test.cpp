// Nobody logs in on a host whose key is not the right one; and who may log in, and how.
// covers B-24 C-25
#include <fcntl.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "capture/host/ssh_jump.h"
#include "capture/host/ssh_session.h"
#include "tests/capture/host/ssh_server.h"
#include "tests/core/base/eventually.h"

namespace weft::capture {
namespace {

using ::testing::HasSubstr;

class Ssh : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::SshServer::is_installed()) GTEST_SKIP() << test::SshServer::kMissing;
    ::unsetenv("SSH_AUTH_SOCK");
    server_ = std::make_unique<test::SshServer>(folder_);
  }

  // Logs in. Returns what is wrong; empty: it succeeded.
  std::string log_in(const SshWay& way, Asker* asker = nullptr) const {
    const auto session = SshSession::open(server_->host(), way, asker, [] { return false; });
    return session ? "" : session.error().error.message;
  }
  std::string log_in(const std::string& known_hosts, Asker* asker = nullptr) const {
    return log_in(server_->way(known_hosts), asker);
  }
  void expect_refused(const std::string& known_hosts, const std::string& said) {
    test::ScriptedAsker asker;
    asker.trusts_all = true;  // it is not asked
    const size_t before = server_->login_attempts();
    EXPECT_THAT(log_in(known_hosts, &asker), HasSubstr(said));
    EXPECT_EQ(asker.hosts.size(), 0u);
    EXPECT_EQ(asker.questions.size(), 0u);
    EXPECT_EQ(server_->login_attempts(), before);
  }
  // A key of nobody's: "ssh-ed25519 AAAA…".
  std::string other_key(const std::string& type = "ed25519") const {
    const std::string file = folder_ / ("other_" + type);
    EXPECT_TRUE(test::run_program({"/usr/bin/ssh-keygen", "-q", "-t", type, "-N", "", "-f", file}));
    const std::string line = test::content_of(file + ".pub");
    return line.substr(0, line.find(' ', line.find(' ') + 1));
  }
  std::string hashed(const std::string& line) const {
    const std::string file = folder_.write("to_hash", line);
    EXPECT_TRUE(test::run_program({"/usr/bin/ssh-keygen", "-q", "-H", "-f", file}));
    return test::content_of(file);
  }

  test::ScratchFolder folder_;
  std::unique_ptr<test::SshServer> server_;
};

using HostKey = Ssh;

TEST_F(HostKey, ThatIsKnownOpens) {
  EXPECT_EQ(log_in(server_->known_hosts_line()), "");
  EXPECT_EQ(log_in("# a comment\n\nnonsense\n[*]:* x y\nother " + other_key() + "\n" +
                   std::string(200'000, 'x') + "\n" + server_->known_hosts_line()),
            "");
  EXPECT_EQ(log_in(hashed(server_->known_hosts_line())), "");
  EXPECT_GT(server_->login_attempts(), 0u);
}

TEST_F(HostKey, ThatIsUnknownIsAskedFor) {
  EXPECT_THAT(log_in("# none\n"), HasSubstr("there is nobody to ask"));
  test::ScriptedAsker asker;
  EXPECT_THAT(log_in("# none\n", &asker), HasSubstr("was not trusted"));
  EXPECT_EQ(server_->login_attempts(), 0u);
  ASSERT_EQ(asker.hosts.size(), 1u);
  EXPECT_EQ(asker.hosts[0].host, server_->known_host());
  EXPECT_EQ(asker.hosts[0].key_type, "ssh-ed25519");
  EXPECT_THAT(asker.hosts[0].fingerprint, ::testing::MatchesRegex("SHA256:[A-Za-z0-9+/]{43}"));
  EXPECT_EQ(asker.hosts[0].file, server_->known_hosts_file());
}

TEST_F(HostKey, ThatWasTrustedIsKnownFromThenOn) {
  const SshWay way = server_->way("");  // the file is not there yet
  test::ScriptedAsker asker;
  asker.trusts_all = true;
  EXPECT_EQ(log_in(way, &asker), "");
  EXPECT_THAT(test::content_of(server_->known_hosts_file()), HasSubstr(server_->host_key()));
  EXPECT_EQ(log_in(way), "");
  EXPECT_EQ(asker.hosts.size(), 1u);
}

TEST_F(HostKey, ThatHasChangedIsAskedFor) {
  const std::string line = server_->known_host() + " " + other_key() + "\n";
  const std::string of_another_type = server_->known_host() + " " + other_key("ecdsa") + "\n";
  const std::string place = "line 3 of " + server_->known_hosts_file();
  for (const auto& [known, said] :
       {std::pair("# one\n# two\n" + line, "another one stands in " + place),
        std::pair(hashed(line), std::string("has changed")),
        std::pair(of_another_type, std::string("is of another type"))}) {
    EXPECT_THAT(log_in(known), HasSubstr(said)) << "nobody is there to be asked";
    test::ScriptedAsker asker;
    EXPECT_THAT(log_in(known, &asker), HasSubstr(said));
    ASSERT_EQ(asker.hosts.size(), 1u);
    EXPECT_THAT(asker.hosts[0].other_key_at, HasSubstr(server_->known_hosts_file()));
  }
  EXPECT_EQ(server_->login_attempts(), 0u);
}

// Each time it asks, and with a key: typed secrets are only for a host that is known.
TEST_F(HostKey, ThatHasChangedOpensOnceAndIsToldNoPassword) {
  const std::string known = server_->known_host() + " " + other_key() + "\n";
  test::ScriptedAsker asker;
  asker.trusts_all = true;
  asker.answers = {"a password"};
  for (size_t times = 1; times <= 2; ++times) {
    EXPECT_EQ(log_in(known, &asker), "");
    EXPECT_EQ(asker.hosts.size(), times);
    EXPECT_EQ(test::content_of(server_->known_hosts_file()), known);
  }
  EXPECT_THAT(log_in(server_->way(known, folder_ / "no_key"), &asker),
              HasSubstr("is given no password"));
  EXPECT_EQ(asker.questions.size(), 0u);
}

TEST_F(HostKey, ThatIsRevokedIsRefused) {
  const std::string line = server_->known_hosts_line();
  expect_refused("@revoked * " + server_->host_key() + "\n" + line, "is revoked by line 1 of");
  expect_refused(line + "@revoked " + line, "is revoked by line 2 of");
  expect_refused(line + "@revoked  " + hashed(line), "is revoked");
  expect_refused("@revoked elsewhere " + server_->host_key() + "\n", "is revoked");
  EXPECT_EQ(log_in("@revoked * " + other_key() + "\n" + line), "");
}

TEST_F(HostKey, IsRefusedWhereTheFileCannotBeRead) {
  const SshWay way = server_->way("");
  std::filesystem::create_directory(server_->known_hosts_file());
  test::ScriptedAsker asker;
  asker.trusts_all = true;
  EXPECT_THAT(log_in(way, &asker), HasSubstr("cannot be read"));
  EXPECT_EQ(asker.hosts.size(), 0u);
  EXPECT_EQ(server_->login_attempts(), 0u);
}

using Login = Ssh;

TEST_F(Login, ByALockedKeyAsksForItsPassphrase) {
  const std::string key = folder_ / "locked";
  ASSERT_TRUE(test::run_program(
      {"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "open sesame", "-f", key}));
  server_->authorize(key + ".pub");
  const SshWay way = server_->way(server_->known_hosts_line(), key);
  test::ScriptedAsker asker;
  asker.answers = {"open sesame"};
  EXPECT_EQ(log_in(way, &asker), "");
  ASSERT_EQ(asker.questions.size(), 1u);
  EXPECT_EQ(asker.questions[0].title, "Passphrase");
  EXPECT_FALSE(asker.questions[0].is_echoed);

  asker.answers = {"wrong"};
  EXPECT_NE(log_in(way, &asker), "");
  EXPECT_THAT(log_in(way), HasSubstr("Passphrase is asked for, and there is nobody to ask"));
}

TEST_F(Login, ByAWrongPasswordIsRefusedAfterThreeTries) {
  const SshWay way = server_->way(server_->known_hosts_line(), folder_ / "no_key");
  test::ScriptedAsker asker;
  asker.answers = {"a", "b", "c", "d"};
  EXPECT_THAT(log_in(way, &asker),
              HasSubstr("access is denied (the host takes: keys, a password)"));
  EXPECT_EQ(asker.questions.size(), 3u);
  EXPECT_EQ(asker.questions[0].title, "Password");
  asker.answers.clear();
  EXPECT_THAT(log_in(way, &asker), HasSubstr("Password was asked for and not given"));
}

TEST_F(Login, ByAnAgentAsksNothing) {
  const std::string key = folder_ / "in_agent", socket = folder_ / "agent";
  ASSERT_TRUE(
      test::run_program({"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key}));
  server_->authorize(key + ".pub");
  const pid_t agent = ::fork();
  if (agent == 0) {
    ::dup2(::open("/dev/null", O_WRONLY), 1);
    ::execl("/usr/bin/ssh-agent", "ssh-agent", "-D", "-a", socket.c_str(), nullptr);
    ::_exit(127);
  }
  ::setenv("SSH_AUTH_SOCK", socket.c_str(), 1);
  EXPECT_TRUE(test::eventually([&] { return test::run_program({"/usr/bin/ssh-add", "-q", key}); }));
  std::filesystem::remove(key);
  EXPECT_EQ(log_in(server_->way(server_->known_hosts_line(), folder_ / "no_key")), "");
  ::unsetenv("SSH_AUTH_SOCK");
  ::kill(agent, SIGTERM);
  ::waitpid(agent, nullptr, 0);
}

TEST_F(Login, GoesThroughAnotherHost) {
  const test::SshServer jump(folder_, "jump");
  SshWay way = server_->way(server_->known_hosts_line() + jump.known_hosts_line());
  jump.authorize(way.key + ".pub");
  way.jump = to_text(jump.host());
  EXPECT_EQ(log_in(way), "");
  EXPECT_GT(jump.login_attempts(), 0u);
  way.jump = "$(id)";
  EXPECT_THAT(log_in(way), HasSubstr("'$(id)' is not the name of a host"));
  way.jump = to_text(jump.host());
  std::ofstream(server_->known_hosts_file()) << server_->known_hosts_line();
  EXPECT_THAT(log_in(way), HasSubstr("the jump host: "));
  std::ofstream(server_->known_hosts_file()) << jump.known_hosts_line();
  EXPECT_THAT(log_in(way), HasSubstr("the host is not known"));
}

TEST_F(Login, ThroughTheHostsOfTheConfigurationAsksTheSamePerson) {
  const test::SshServer first(folder_, "first"), second(folder_, "second");
  const SshWay way = server_->way(server_->known_hosts_line());
  second.authorize(way.key + ".pub");
  const std::string user = server_->host().user;
  std::ofstream(way.config, std::ios::app) << fmt::format(
      "Host first\n  HostName 127.0.0.1\n  Port {}\n"
      "Host board\n  HostName 127.0.0.1\n  Port {}\n  User {}\n"
      "  ProxyJump {}@first,{}@127.0.0.1:{}\n"
      "Host *\n  ProxyJump first\n",
      first.port(), server_->port(), user, user, user, second.port());
  // Each of the two is unknown; the first wants a password besides.
  test::ScriptedAsker asker;
  asker.trusts_all = true;
  const auto opened = SshSession::open({.host = "board"}, way, &asker, [] { return false; });
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().error.message,
              HasSubstr("first: Password was asked for and not given"));
  EXPECT_EQ(opened.error().kind, SshFailure::Kind::kRefused);
  ASSERT_EQ(asker.hosts.size(), 1u);
  EXPECT_EQ(asker.hosts[0].host, first.known_host());
  first.authorize(way.key + ".pub");
  const auto reached = SshSession::open({.host = "board"}, way, &asker, [] { return false; });
  ASSERT_TRUE(reached) << reached.error().error.message;
  ASSERT_EQ(asker.hosts.size(), 2u);
  EXPECT_EQ(asker.hosts[1].host, second.known_host());
  // The file named here takes precedence over it.
  SshWay by_second = way;
  by_second.jump = to_text(second.host());
  const size_t attempts = first.login_attempts();
  EXPECT_TRUE(SshSession::open({.host = "board"}, by_second, &asker, [] { return false; }));
  EXPECT_GT(first.login_attempts(), attempts) << "by which second is reached: Host *";
}

TEST(SshJumps, AreReadOutOfWhatLibsshMakesOfThem) {
  EXPECT_EQ(jump_of_command("ssh -W '[%h]:%p' gate"), "gate");
  EXPECT_EQ(jump_of_command("ssh -l me -p 2222 -J b,c@d:5 -W '[%h]:%p' ::1"),
            "me@[::1]:2222,b,c@d:5");
  for (const char* command :
       {"", "none", "ssh gate -W %h:%p", "ssh -W '[%h]:%p' gate; id", "nc -X 5 -W '[%h]:%p' gate",
        "ssh -F x -W '[%h]:%p' gate", "ssh -p x -W '[%h]:%p' gate", "ssh -l -W '[%h]:%p' gate"})
    EXPECT_EQ(jump_of_command(command), "") << command;
}

TEST_F(Login, GoesInNoCircle) {
  const SshWay way = server_->way(server_->known_hosts_line());
  std::ofstream(way.config, std::ios::app) << "Host a\n  ProxyJump b\nHost b\n  ProxyJump a\n";
  const auto opened = SshSession::open({.host = "a"}, way, nullptr, [] { return false; });
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().error.message, HasSubstr("too many jump hosts"));
}

TEST_F(Login, ReadsTheConfiguration) {
  const SshWay way = server_->way(server_->known_hosts_line(), folder_ / "no_key");
  std::ofstream(way.config, std::ios::app)
      << fmt::format("Host board\n  HostName 127.0.0.1\n  Port {}\n  User {}\n  IdentityFile {}\n",
                     server_->port(), server_->host().user, server_->user_key());
  const auto open = [&](const SshWay& by) {
    return SshSession::open({.host = "board"}, by, nullptr, [] { return false; });
  };
  const auto opened = open({.config = way.config});
  EXPECT_TRUE(opened) << opened.error().error.message;
  EXPECT_FALSE(open({.config = "none"}));
}

TEST_F(Login, SaysThatNobodyListens) {
  const SshHost nobody = {.host = "127.0.0.1", .port = 1};
  const auto session = SshSession::open(nobody, {.config = "none"}, nullptr, [] { return false; });
  ASSERT_FALSE(session);
  EXPECT_THAT(session.error().error.message, HasSubstr("127.0.0.1:1: no connection"));
}

}  // namespace
}  // namespace weft::capture

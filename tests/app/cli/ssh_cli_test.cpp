// Traces on other machines by the command line, against a real sshd; questions at a terminal.
// covers B-24 C-25
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/stat.h>

#include <ctime>
#include <filesystem>
#include <utility>
#include <vector>

#include "tests/app/cli/program.h"
#include "tests/capture/host/ssh_server.h"
#include "tests/core/base/eventually.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class SshProgram : public ProgramTest {
 protected:
  void SetUp() override {
    if (!test::SshServer::is_installed()) GTEST_SKIP() << test::SshServer::kMissing;
    ::unsetenv("SSH_AUTH_SOCK");
    server_ = std::make_unique<test::SshServer>(folder_);
    address_ = server_->typed_address_of(small_);
  }
  // Adds the options that reach the server.
  std::vector<std::string> reaching(const std::string& known_hosts, const std::string& key = {},
                                    std::vector<std::string> arguments = {}) const {
    const capture::SshWay way = server_->way(known_hosts, key);
    if (arguments.empty()) arguments = {"info", address_, "--json"};
    for (const std::string& each :
         {std::string("--ssh-key"), way.key, std::string("--ssh-config"), way.config})
      arguments.push_back(each);
    return arguments;
  }

  std::unique_ptr<test::SshServer> server_;
  std::string address_;
};

TEST_F(SshProgram, InfoIsThatOfTheSameFileHere) {
  const Outcome far = run(reaching(server_->known_hosts_line()));
  ASSERT_EQ(far.exit_code, 0) << far.err;
  const Outcome near = run({"info", small_, "--json", "--no-cache"});
  EXPECT_EQ(far.json()["counts"], near.json()["counts"]);
  EXPECT_EQ(far.json()["lanes"], near.json()["lanes"]);
}

TEST_F(SshProgram, ImportKeepsIt) {
  const std::string out = folder_ / "far.weft";
  const Outcome made =
      run(reaching(server_->known_hosts_line(), {}, {"import", address_, "-o", out}));
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(run({"verify", out}).exit_code, 0);
}

// The other machine says what lies there; where that is what was imported before, it does not come
// again.
TEST_F(SshProgram, ASecondOpeningFindsTheFirstUntilTheFileIsAnother) {
  const auto trace = [](const std::string& name) {
    return R"([{"ph":"X","name":")" + name + R"(","pid":1,"tid":1,"ts":1,"dur":5}])";
  };
  const fs::path file = folder_.write("far.json", trace("before"));
  address_ = server_->typed_address_of(file);
  const auto types = [&] {
    return run(reaching(server_->known_hosts_line(), {}, {"stats", address_, "--by", "type"})).out;
  };
  const auto entries = [&] {
    std::vector<std::pair<fs::path, fs::file_time_type>> found;
    std::error_code error;
    for (const auto& each : fs::directory_iterator(folder_ / "cache/weftscope/imports", error))
      found.emplace_back(each.path(), each.last_write_time());
    return found;
  };
  // A file changed just now might change again unnoticed; that an inode was changed earlier cannot
  // be faked.
  struct stat info{};
  ASSERT_EQ(::stat(file.c_str(), &info), 0);
  ASSERT_TRUE(test::eventually([&] { return ::time(nullptr) > info.st_ctim.tv_sec + 2; }));
  EXPECT_THAT(types(), HasSubstr("before"));
  const auto first = entries();
  ASSERT_EQ(first.size(), 1u);
  EXPECT_THAT(types(), HasSubstr("before"));
  EXPECT_EQ(entries(), first);
  const auto written = fs::last_write_time(file);
  (void)folder_.write("far.json", trace("behind"));
  fs::last_write_time(file, written);
  EXPECT_THAT(types(), HasSubstr("behind"));
}

TEST_F(SshProgram, FailsInOneLineWithoutATerminal) {
  const auto expect_line = [&](const Outcome& outcome, const std::string& said) {
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("weftscope: " + address_ + ": ")) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(said));
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
  };
  expect_line(run(reaching("# nobody\n")), "and there is nobody to ask");
  expect_line(run(reaching(server_->known_hosts_line(), folder_ / "no_key")),
              "Password is asked for, and there is nobody to ask");
  address_ += ".missing";
  expect_line(run(reaching(server_->known_hosts_line())), "No such file or directory");
  address_ = "ssh://-oProxyCommand=x/y";
  expect_line(run({"info", address_}), "'-oProxyCommand=x' is not the name of a host");
}

// A terminal, and the program in it.
class Terminal {
 public:
  explicit Terminal(std::vector<std::string> arguments) {
    child_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (child_ != 0) return;
    std::vector<char*> argv = {const_cast<char*>(WEFT_PROGRAM)};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    ::execv(WEFT_PROGRAM, argv.data());
    ::_exit(127);
  }
  ~Terminal() { ::close(terminal_); }

  // Reads until the text has come, or the end; false: it does not come.
  bool shows(const std::string& text) {
    (void)test::eventually([&] { return seen_.contains(text) || !reads(); });
    return seen_.contains(text);
  }
  void type(std::string_view text) {
    EXPECT_EQ(::write(terminal_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  int exit_code() {
    (void)shows("\x01");  // to the end
    int status = 0;
    ::waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  const std::string& seen() const { return seen_; }

 private:
  // Reads what is there; false: the end.
  bool reads() {
    pollfd poll_fd = {terminal_, POLLIN, 0};
    if (::poll(&poll_fd, 1, 0) <= 0) return true;
    char block[4096];
    const ssize_t n = ::read(terminal_, block, sizeof(block));
    if (n > 0) seen_.append(block, static_cast<size_t>(n));
    return n > 0;
  }

  pid_t child_ = -1;
  int terminal_ = -1;
  std::string seen_;
};

TEST_F(SshProgram, AsksAtTheTerminalAndDoesNotShowWhatIsTyped) {
  const std::string key = folder_ / "locked";
  ASSERT_TRUE(test::run_program(
      {"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "open sesame", "-f", key}));
  server_->authorize(key + ".pub");
  Terminal terminal(reaching("# nobody\n", key));
  ASSERT_TRUE(terminal.shows("(yes/no) ")) << terminal.seen();
  EXPECT_THAT(terminal.seen(), HasSubstr("The host " + server_->known_host() + " is not known."));
  EXPECT_THAT(terminal.seen(), HasSubstr("SHA256:"));
  terminal.type("yes\n");
  ASSERT_TRUE(terminal.shows("Passphrase of the private key for")) << terminal.seen();
  terminal.type(
      "open sesamx\x7f"
      "e\n");
  EXPECT_EQ(terminal.exit_code(), 0) << terminal.seen();
  EXPECT_THAT(terminal.seen(), HasSubstr("\"counts\""));
  EXPECT_THAT(terminal.seen(), Not(HasSubstr("sesam")));
}

TEST_F(SshProgram, SaysAtTheTerminalThatAHostDoesNotAnswerYet) {
  server_->stop();
  Terminal terminal(reaching(server_->known_hosts_line()));
  ASSERT_TRUE(terminal.shows("; trying again")) << terminal.seen();
  EXPECT_THAT(terminal.seen(), HasSubstr("no connection: "));
  server_->start_again();
  EXPECT_EQ(terminal.exit_code(), 0) << terminal.seen();
  EXPECT_THAT(terminal.seen(), HasSubstr("\"counts\""));
}

TEST_F(SshProgram, TakesAnythingButYesForNo) {
  Terminal terminal(reaching("# nobody\n"));
  ASSERT_TRUE(terminal.shows("(yes/no) ")) << terminal.seen();
  terminal.type("y\n");
  EXPECT_EQ(terminal.exit_code(), 1);
  EXPECT_THAT(terminal.seen(), HasSubstr("was not trusted"));
  EXPECT_EQ(server_->login_attempts(), 0u);
}

}  // namespace
}  // namespace weft::cli

// Traces on other machines in the window: the dialog that names them, the questions of connections,
// and what is kept of them.
// covers B-22 B-24 C-25
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>

#include "tests/app/offscreen_test.h"
#include "tests/capture/host/ssh_server.h"
#include "tests/core/base/eventually.h"
#include "tests/core/io/live_pipe.h"

namespace weft::app {
namespace {

using ::testing::HasSubstr;
using testing::marks;
using ::testing::Not;

constexpr const char* kTrace = R"([{"ph":"X","name":"work","pid":1,"tid":1,"ts":1,"dur":5},
{"ph":"X","name":"rest","pid":1,"tid":1,"ts":7,"dur":5}])";

class Remote : public testing::OffscreenTest {
 protected:
  void begin() {
    OffscreenHost::Options options = lasting(1280, 800);
    options.has_user = true;
    start(options, *Journal::open(folder_.path() / "journal"));
  }
  // Frames until it is so; false: it took too long.
  template <class Done>
  bool comes(const Done& done) {
    const bool has_come = test::eventually([&] {
      host_->frame();
      return done();
    });
    host_->frame();
    host_->frame();
    return has_come;
  }
  bool asks() {
    return comes([&] { return session().questions->first().has_value(); });
  }
  bool has(uint64_t events) {
    return comes([&] {
      const OpenTrace* trace = session().trace();
      return trace && trace->trace() && trace->trace()->counts().total() == events;
    });
  }
  // For people: WEFT_PICTURES.
  void keep_picture(const char* name) {
    if (const char* keep = std::getenv("WEFT_PICTURES")) {
      host_->frame();
      EXPECT_TRUE(write_png(host_->picture(), std::filesystem::path(keep) / name));
    }
  }
  std::string kept(const char* name) const {
    return test::content_of(folder_.path() / "config" / name);
  }
};

TEST_F(Remote, TheDialogOpensWhatIsTypedAndKeepsItsMistakesToItself) {
  begin();
  if (!host_) return;
  ASSERT_TRUE(run("connections.use",
                  {{"connections",
                    {{{"path", "ssh://board/sys/kernel/tracing/trace_pipe"}, {"follow", true}},
                     {{"path", "ssh://me@lab-7.example.org:2222/var/traces/run-17"},
                      {"ssh", {{"jump", "gate"}, {"key", "/home/me/.ssh/lab"}}}},
                     {{"path", "no address"}}}}}));
  EXPECT_EQ(session().connections.size(), 2u);
  ASSERT_TRUE(run("remote.ask"));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(find_text("ssh://me@lab-7.example.org:2222/var/traces/run-17"));
  EXPECT_TRUE(find_text("through gate, key lab"));
  keep_picture("remote_dialog.png");
  const auto open = find_text("Open");
  ASSERT_TRUE(open);
  type("b;id/x");
  key(ImGuiKey_Enter);
  EXPECT_TRUE(session().dialogs.shows_remote);
  EXPECT_TRUE(find_text("'b;id' is not the name of a host") || find_text("&#39;b;id&#39;") ||
              find_text("&apos;b;id"));
  EXPECT_TRUE(session().traces.empty());
  ASSERT_TRUE(run("connections.forget", {{"path", "ssh://board/sys/kernel/tracing/trace_pipe"}}));
  EXPECT_EQ(session().connections.size(), 1u);
  EXPECT_FALSE(run("connections.forget", {{"path", "ssh://nobody/x"}}));
}

TEST_F(Remote, WrongArgumentsOpenNothing) {
  begin();
  if (!host_) return;
  EXPECT_FALSE(run("open", {{"path", "ssh://b;id/x"}}));
  EXPECT_FALSE(run("open", {{"path", "ssh://b/x"}, {"ssh", {{"jump", "-oProxyCommand=x"}}}}));
  EXPECT_FALSE(run("open", {{"path", "ssh://b/x"}, {"follow", 1}}));
  EXPECT_TRUE(session().traces.empty());
}

TEST_F(Remote, AskedForWithoutAUserIsAnError) {
  if (!test::SshServer::is_installed()) GTEST_SKIP() << test::SshServer::kMissing;
  start(sized(640, 400));
  if (!host_) return;
  const test::ScratchFolder scratch;
  const test::SshServer server(scratch);
  TypeChoice choice;
  choice.way = server.way("# nobody\n");
  const std::string address = server.typed_address_of(scratch.write("t.json", kTrace));
  const Status opened = host_->open(address, choice);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("there is nobody to ask"));
}

TEST_F(Remote, AHostAndAKeyAreAskedAboutAndNothingSecretIsKept) {
  if (!test::SshServer::is_installed()) GTEST_SKIP() << test::SshServer::kMissing;
  ::unsetenv("SSH_AUTH_SOCK");
  const test::ScratchFolder scratch;
  const test::SshServer server(scratch);
  const std::string key = scratch / "locked";
  ASSERT_TRUE(test::run_program(
      {"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "open sesame", "-f", key}));
  server.authorize(key + ".pub");
  begin();
  if (!host_) return;
  TypeChoice choice;
  choice.way = server.way("# nobody\n", key);
  const std::string address = server.typed_address_of(scratch.write("t.json", kTrace));
  const Command open = open_command(address, choice);

  // Enter is the safe answer.
  ASSERT_TRUE(host_->workbench().run(open));
  ASSERT_TRUE(asks());
  EXPECT_TRUE(find_text(server.known_host() + " is not a known host."));
  EXPECT_TRUE(find_text("SHA256:"));
  keep_picture("question_host.png");
  press("Enter");
  EXPECT_TRUE(comes([&] { return session().traces.empty(); }));
  EXPECT_THAT(session().messages.last.text, HasSubstr("was not trusted"));
  EXPECT_EQ(server.login_attempts(), 0u);

  ASSERT_TRUE(host_->workbench().run(open));
  ASSERT_TRUE(asks());
  click_on("Trust and connect");
  ASSERT_TRUE(comes([&] {
    const auto question = session().questions->first();
    return question && !question->host;
  }));
  // Keys are the dialog's: none is a command.
  const size_t done = session().journal.size();
  Input letters;
  letters.chords = {"F", "Ctrl+Q", "X", "Backspace"};
  host_->frame(letters);
  EXPECT_EQ(session().journal.size(), done);
  type("open sesamex");
  press("Backspace");
  EXPECT_FALSE(find_text("open sesame"));
  keep_picture("question_passphrase.png");
  press("Enter");
  ASSERT_TRUE(comes([&] { return session().trace() && !session().trace()->is_loading(); }));
  ASSERT_TRUE(session().trace()->trace());
  EXPECT_EQ(session().trace()->trace()->counts().total(), 2u);
  EXPECT_EQ(session().trace()->name(), "t.json");

  ASSERT_EQ(session().connections.size(), 1u);
  EXPECT_EQ(session().connections[0].address, address);
  EXPECT_EQ(session().connections[0].way, choice.way);
  host_.reset();
  EXPECT_THAT(kept("connections.json"), HasSubstr("127.0.0.1"));
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder_.path())) {
    if (!file.is_regular_file()) continue;
    EXPECT_THAT(test::content_of(file.path()), Not(HasSubstr("sesame"))) << file.path();
  }
  begin();
  EXPECT_EQ(session().connections.size(), 1u);
  EXPECT_TRUE(session().traces.empty());  // it would ask before anybody looks
}

TEST_F(Remote, AGrowingFileShowsHowItsConnectionGoes) {
  if (!test::SshServer::is_installed()) GTEST_SKIP() << test::SshServer::kMissing;
  ::unsetenv("SSH_AUTH_SOCK");
  const test::ScratchFolder scratch;
  const test::SshServer server(scratch);
  begin();
  if (!host_) return;
  TypeChoice choice;
  choice.way = server.way(server.known_hosts_line());
  choice.follows = true;
  const std::filesystem::path file = scratch.write("log", marks(0, 10));
  ASSERT_TRUE(host_->workbench().run(open_command(server.typed_address_of(file), choice)));
  ASSERT_TRUE(has(5));
  std::ofstream(file, std::ios::app) << marks(10, 20);
  ASSERT_TRUE(has(10));
  server.signal_connections(SIGKILL);
  ASSERT_TRUE(comes([&] { return session().trace()->opening()->feed()->reconnections > 0; }));
  std::ofstream(file, std::ios::app) << marks(20, 30);
  ASSERT_TRUE(has(15));
  ASSERT_TRUE(run("remote.ask"));
  host_->frame();
  host_->frame();
  EXPECT_THAT(shown_text(), HasSubstr(" reconnection"));
  keep_picture("remote_connections.png");
  ASSERT_TRUE(run("load.cancel"));
  EXPECT_TRUE(comes([&] { return !session().trace()->is_loading(); }));
  EXPECT_EQ(session().trace()->opening()->feed()->phase, capture::FeedPhase::kEnded);
  EXPECT_TRUE(session().trace()->opening()->status());
}

TEST_F(Remote, AHostThatDoesNotAnswerIsTriedAgainAndSaysWhy) {
  if (!test::SshServer::is_installed()) GTEST_SKIP() << test::SshServer::kMissing;
  ::unsetenv("SSH_AUTH_SOCK");
  const test::ScratchFolder scratch;
  test::SshServer server(scratch);
  server.stop();
  begin();
  if (!host_) return;
  TypeChoice choice;
  choice.way = server.way(server.known_hosts_line());
  const Command open =
      open_command(server.typed_address_of(scratch.write("t.json", kTrace)), choice);
  ASSERT_TRUE(host_->workbench().run(open));
  ASSERT_TRUE(run("remote.ask"));
  host_->frame();
  ASSERT_TRUE(comes([&] { return find_text("Connecting again").has_value(); }));
  EXPECT_THAT(shown_text(), HasSubstr("no connection: "));
  keep_picture("remote_again.png");
  ASSERT_TRUE(run("load.cancel"));
  EXPECT_TRUE(comes([&] { return session().traces.empty(); }));

  ASSERT_TRUE(host_->workbench().run(open));
  ASSERT_TRUE(comes([&] { return find_text("Connecting again").has_value(); }));
  server.start_again();
  EXPECT_TRUE(has(2));
}

TEST_F(Remote, APipeThatIsLostLeavesWhatCameAndSaysSo) {
  if (!test::SshServer::is_installed()) GTEST_SKIP() << test::SshServer::kMissing;
  ::unsetenv("SSH_AUTH_SOCK");
  const test::ScratchFolder scratch;
  const test::SshServer server(scratch);
  test::LivePipe pipe(scratch / "pipe");
  begin();
  if (!host_) return;
  TypeChoice choice;
  choice.way = server.way(server.known_hosts_line());
  ASSERT_TRUE(host_->workbench().run(open_command(server.typed_address_of(pipe.path()), choice)));
  pipe.write(marks(0, 10));
  ASSERT_TRUE(has(5));
  server.signal_connections(SIGKILL);
  ASSERT_TRUE(comes([&] { return !session().trace()->is_loading(); }));
  EXPECT_EQ(session().trace()->opening()->feed()->phase, capture::FeedPhase::kLost);
  EXPECT_EQ(session().trace()->trace()->counts().total(), 5u);
  const auto losses = session().trace()->trace()->dictionary().report.losses();
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0].kind, "end that did not come: the connection was lost");
  EXPECT_TRUE(losses[0].is_damage);
}

TEST_F(Remote, AHostWhoseKeyHasChangedIsConnectedToOnceWhereThatIsSaid) {
  if (!test::SshServer::is_installed()) GTEST_SKIP() << test::SshServer::kMissing;
  ::unsetenv("SSH_AUTH_SOCK");
  const test::ScratchFolder scratch;
  const test::SshServer server(scratch);
  const std::string other = scratch / "other";
  ASSERT_TRUE(
      test::run_program({"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", other}));
  const std::string known = server.known_host() + " " + test::content_of(other + ".pub");
  begin();
  if (!host_) return;
  TypeChoice choice;
  choice.way = server.way(known);
  const Command open =
      open_command(server.typed_address_of(scratch.write("t.json", kTrace)), choice);

  ASSERT_TRUE(host_->workbench().run(open));
  ASSERT_TRUE(asks());
  EXPECT_TRUE(find_text("The key of " + server.known_host() + " has changed."));
  keep_picture("question_changed.png");
  press("Enter");
  EXPECT_TRUE(comes([&] { return session().traces.empty(); }));
  EXPECT_THAT(session().messages.last.text, HasSubstr("another one stands in line 1 of"));
  EXPECT_EQ(server.login_attempts(), 0u);

  ASSERT_TRUE(host_->workbench().run(open));
  ASSERT_TRUE(asks());
  click_on("Connect this once");
  ASSERT_TRUE(comes([&] { return session().trace() && session().trace()->trace(); }));
  EXPECT_EQ(test::content_of(server.known_hosts_file()), known);
}

}  // namespace
}  // namespace weft::app

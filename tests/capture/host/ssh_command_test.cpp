// The one command that runs on other machines, in the shells that are here: what it gives, and that
// no name of a file is ever more than a name.
// covers B-24
#include "capture/host/ssh_command.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <random>
#include <string>

#include "tests/core/io/scratch_folder.h"

namespace weft::capture {
namespace {

namespace fs = std::filesystem;

// The answer and what follows it, from that shell, as sshd runs it by the user's shell.
std::string said_by(const std::vector<std::string>& shell, const test::ScratchFolder& folder,
                    const std::string& request) {
  const std::string in = folder.write(".in", request), out = folder / ".out";
  const pid_t child = ::fork();
  if (child == 0) {
    const int nothing = ::open("/dev/null", O_RDWR);
    ::dup2(::open(in.c_str(), O_RDONLY), 0);
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
    ::dup2(nothing, 2);
    if (::chdir((folder / "home").c_str()) != 0) ::_exit(126);
    std::vector<char*> argv;
    for (const std::string& word : shell) argv.push_back(const_cast<char*>(word.c_str()));
    const std::string option = "-c";
    argv.push_back(const_cast<char*>(option.c_str()));
    argv.push_back(const_cast<char*>(kRemoteCommand));
    argv.push_back(nullptr);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  const std::string given = test::content_of(out);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return {};
  const size_t mark = given.find(kAnswerMark);
  return mark == std::string::npos ? std::string() : given.substr(mark);
}
std::string given_by(const std::vector<std::string>& shell, const test::ScratchFolder& folder,
                     const std::string& request) {
  const std::string said = said_by(shell, folder, request);
  return said.empty() ? said : said.substr(said.find('\n') + 1);
}

std::vector<std::vector<std::string>> shells() {
  std::vector<std::vector<std::string>> found;
  for (const auto& shell : std::vector<std::vector<std::string>>{
           {"/bin/dash"}, {"/bin/bash"}, {"/bin/busybox", "sh"}, {"/bin/zsh"}}) {
    if (::access(shell.front().c_str(), X_OK) == 0) found.push_back(shell);
  }
  return found;
}

class SshCommand : public ::testing::Test {
 protected:
  SshCommand() { fs::create_directory(folder_ / "home"); }
  std::string give(const std::string& path, const std::string& how = "once", uint64_t from = 1) {
    return given_by(shells().front(), folder_, fmt::format("{}\n{}\n{}\n", how, from, path));
  }
  test::ScratchFolder folder_;
};

TEST_F(SshCommand, GivesAFileFromAByteOn) {
  const std::string file = folder_.write("home/a file", "0123456789");
  for (const auto& shell : shells()) {
    EXPECT_EQ(given_by(shell, folder_, "once\n1\n" + file + "\n"), "0123456789") << shell.front();
    EXPECT_EQ(given_by(shell, folder_, "once\n4\n./a file\n"), "3456789") << shell.front();
    EXPECT_EQ(given_by(shell, folder_, "once\n11\n" + file + "\n"), "") << shell.front();
  }
}

TEST_F(SshCommand, TakesANameForANameWhateverItIs) {
  std::minstd_rand random(3);
  constexpr std::string_view kParts[] = {"$(touch CANARY)",
                                         "`touch CANARY`",
                                         ";touch CANARY;",
                                         "|touch CANARY",
                                         "&& touch CANARY",
                                         "'",
                                         "\"",
                                         "\\",
                                         "$HOME",
                                         "${x:=y}",
                                         "*",
                                         "?",
                                         "[a]",
                                         " ",
                                         "-f",
                                         "-rf",
                                         "~",
                                         "#",
                                         "!",
                                         "<x",
                                         ">CANARY",
                                         "\xff",
                                         "\xe2\x80\xae",
                                         "(",
                                         ")",
                                         "{a,b}",
                                         "=",
                                         "%s%n",
                                         "\t",
                                         "\x1b[2J",
                                         "a",
                                         "..."};
  int there = 0;
  for (int i = 0; i < 400; ++i) {
    std::string name;
    for (uint64_t n = 1 + random() % 5; n-- > 0;) name += kParts[random() % std::size(kParts)];
    const std::string content = fmt::format("{} is here", i);
    const bool is_there = i % 2 == 0;
    if (is_there) (void)folder_.write("home/" + name, content);
    EXPECT_EQ(give((i % 4 < 2 ? "./" : (folder_ / "home/").string()) + name),
              is_there ? content : "")
        << name;
    there += is_there ? 1 : 0;
    if (is_there) fs::remove(folder_ / ("home/" + name));
  }
  EXPECT_EQ(there, 200);
  EXPECT_TRUE(fs::is_empty(folder_ / "home"));
}

TEST_F(SshCommand, SaysWhenAFileWasChangedWhereThatIsAWhileAgo) {
  struct stat info{};
  // The change time of an inode cannot be set to an earlier one.
  const std::string file = folder_.write("home/file", "0123");
  fs::last_write_time(file, fs::last_write_time(file) - std::chrono::hours(1));
  ASSERT_EQ(::stat(file.c_str(), &info), 0);
  for (const auto& shell : shells()) {
    const std::string said = said_by(shell, folder_, "once\n1\n" + file + "\n");
    const bool is_late = ::time(nullptr) > info.st_ctim.tv_sec + 2;  // a busy machine
    if (is_late) continue;
    EXPECT_EQ(said, fmt::format("{}file {} 4 -\n0123", kAnswerMark, info.st_ino)) << shell.front();
  }
  // One that was there before the tests were built.
  const std::string old = WEFT_SOURCE_DIR "/LICENSE";
  ASSERT_EQ(::stat(old.c_str(), &info), 0);
  const std::string expected =
      fmt::format("{}file {} {} {}.{}\n{}", kAnswerMark, info.st_ino, info.st_size,
                  info.st_mtim.tv_sec, info.st_ctim.tv_sec, test::content_of(old));
  for (const auto& shell : shells())
    EXPECT_EQ(said_by(shell, folder_, "once\n1\n" + old + "\n"), expected) << shell.front();
}

TEST_F(SshCommand, HasNoQuoteThatEndsIt) {
  const std::string_view command = kRemoteCommand;
  EXPECT_TRUE(command.starts_with("sh -c '") && command.ends_with("'"));
  EXPECT_EQ(std::ranges::count(command, '\''), 2);
  EXPECT_FALSE(command.contains('\n'));
}

}  // namespace
}  // namespace weft::capture

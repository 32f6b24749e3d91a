// Addresses of other machines: what is one, what is none, and that nothing of it reaches a shell.
// covers B-24 C-25
#include "capture/host/ssh_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace weft::capture {
namespace {

// The address as it is typed.
std::string typed(const SshAddress& address) {
  const bool is_at_home = address.path.starts_with("./");
  return "ssh://" + to_text(address.at) +
         (is_at_home ? "/~" + address.path.substr(1) : address.path);
}

TEST(SshAddress, IsReadAndWrittenBack) {
  const auto full = parse_ssh_address("ssh://me@board.local:2222/var/log/trace.gz");
  ASSERT_TRUE(full) << full.error().message;
  EXPECT_EQ(full->at, (SshHost{.user = "me", .host = "board.local", .port = 2222}));
  EXPECT_EQ(full->path, "/var/log/trace.gz");
  for (const char* const text :
       {"ssh://board/trace", "ssh://me@board/~/trace", "ssh://[fe80::1%eth0]:22/a b/c%20d",
        "ssh://me@corp.com@board:65535//x", "ssh://b/~", "ssh://b/"}) {
    const auto address = parse_ssh_address(text);
    ASSERT_TRUE(address) << text << ": " << address.error().message;
    EXPECT_EQ(parse_ssh_address(typed(*address)), *address) << text;
  }
}

TEST(SshAddress, CountsFromTheHomeFolder) {
  EXPECT_EQ(parse_ssh_address("ssh://b/~/x/y")->path, "./x/y");
  EXPECT_EQ(parse_ssh_address("ssh://b/~")->path, "./");
  EXPECT_EQ(parse_ssh_address("ssh://b/~x")->path, "/~x");
  EXPECT_EQ(typed(*parse_ssh_address("ssh://b/~/-x")), "ssh://b/~/-x");
  EXPECT_EQ(parse_ssh_address("ssh://b/~/-x")->path, "./-x");
}

TEST(SshAddress, OfHostsOnTheWayIsAList) {
  for (const char* const text : {"gate", "gate,me@[fe80::1%eth0]:2222,board"})
    EXPECT_EQ(to_text(parse_ssh_jumps(text).value()), text);
  EXPECT_EQ(parse_ssh_jumps("a,b@c:5")->back(), (SshHost{.user = "b", .host = "c", .port = 5}));
  for (const char* const text : {"", ",", "a,", ",a", "a,,b", "a,-oProxyCommand=x", "a, b"})
    EXPECT_FALSE(parse_ssh_jumps(text)) << text;
}

TEST(SshAddress, RefusesWhatCouldBeTakenForSomethingElse) {
  for (const char* const text : {"",
                                 "ssh:/a/b",
                                 "ssh://",
                                 "ssh://b",
                                 "ssh:///x",
                                 "ssh://@b/x",
                                 "ssh://me@/x",
                                 "ssh://-b/x",
                                 "ssh://-l@b/x",
                                 "ssh://b:/x",
                                 "ssh://b:0/x",
                                 "ssh://b:65536/x",
                                 "ssh://b:22x/x",
                                 "ssh://b:-1/x",
                                 "ssh://b c/x",
                                 "ssh://b;id/x",
                                 "ssh://$(id)/x",
                                 "ssh://b`id`/x",
                                 "ssh://me;id@b/x",
                                 "ssh://me%r@b/x",
                                 "ssh://[::1/x",
                                 "ssh://[]/x",
                                 "ssh://[::1]x/x",
                                 "ssh://[-1]/x",
                                 "ssh://b\n/x",
                                 "ssh://b/x\ny",
                                 "ssh://b/x\x1b[2J",
                                 "ssh://b/x\x7f",
                                 "ssh://b\\x/x",
                                 "ssh://b|x/x",
                                 "ssh://'b'/x"}) {
    const auto address = parse_ssh_address(text);
    EXPECT_FALSE(address) << text;
    EXPECT_FALSE(!address && address.error().message.contains('\n')) << text;
  }
  EXPECT_FALSE(parse_ssh_address("ssh://b/" + std::string(5000, 'x')));
  EXPECT_FALSE(parse_ssh_address("ssh://" + std::string(300, 'x') + "/x"));
  using namespace std::string_literals;
  EXPECT_FALSE(parse_ssh_address("ssh://b/x\0y"s));
}

// Any typed text is refused, or consists of letters that no shell interprets.
TEST(SshAddress, IsToldFromOtherAddressesAndFromPaths) {
  EXPECT_TRUE(is_other_address("http://example.org/x"));
  EXPECT_TRUE(is_other_address("svn+ssh://b/x"));
  for (const char* text : {"ssh://b/x", "/tmp/x", "x", "://x", "a b://x", "./http://x", "c:/x"})
    EXPECT_FALSE(is_other_address(text)) << text;
}

TEST(SshAddress, LetsNothingThroughThatAShellWouldReadOtherwise) {
  std::mt19937 random(7);
  constexpr std::string_view kParts[] = {"ssh://",
                                         "b",
                                         "me",
                                         "@",
                                         ":",
                                         "22",
                                         "/",
                                         "~",
                                         "-",
                                         "$(id)",
                                         "`id`",
                                         ";",
                                         "|",
                                         "&",
                                         "\n",
                                         "'",
                                         "\"",
                                         " ",
                                         "%h",
                                         "%r",
                                         "[",
                                         "]",
                                         "::1",
                                         "\\",
                                         "\x1b[",
                                         "\t",
                                         "../",
                                         "*",
                                         "?",
                                         "{",
                                         "}",
                                         "\xff",
                                         "\xe2\x80\xae",
                                         "oProxyCommand=",
                                         ">",
                                         "#"};
  size_t accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = i % 2 == 0 ? "ssh://" : "";
    for (uint64_t n = random() % 8; n-- > 0;) text += kParts[random() % std::size(kParts)];
    const auto address = parse_ssh_address(text);
    if (!address) {
      for (const char c : address.error().message) ASSERT_GE(static_cast<unsigned char>(c), ' ');
      continue;
    }
    ++accepted;
    EXPECT_THAT(address->at.host, ::testing::MatchesRegex("[a-zA-Z0-9:.%_][a-zA-Z0-9:.%_-]*"));
    EXPECT_THAT(address->at.user, ::testing::MatchesRegex("([a-zA-Z0-9._+@][a-zA-Z0-9._+@-]*)?"));
    EXPECT_TRUE(address->path.starts_with("/") || address->path.starts_with("./"));
    for (const char c : address->path) EXPECT_GE(static_cast<unsigned char>(c), ' ');
    EXPECT_EQ(parse_ssh_address(typed(*address)), *address) << text;
  }
  EXPECT_GT(accepted, 100u);
}

}  // namespace
}  // namespace weft::capture

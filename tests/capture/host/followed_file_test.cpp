// A file of this machine that grows comes as it grows.
// covers B-22
#include "capture/host/followed_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tests/core/base/eventually.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::capture {
namespace {

std::string next_bytes(const io::FileDescriptor& pipe, size_t count) {
  std::string bytes(count, '\0');
  size_t have = 0;
  while (have < count) {
    const ssize_t n = ::read(pipe.get(), bytes.data() + have, count - have);
    if (n <= 0) break;
    have += static_cast<size_t>(n);
  }
  bytes.resize(have);
  return bytes;
}

TEST(FollowedFile, ComesAsItGrowsAndEndsWhenItIsCancelled) {
  const test::ScratchFolder folder;
  const std::string file = folder.write("log", "one\n");
  const auto feed = follow_file(file);
  ASSERT_TRUE(feed) << feed.error().message;
  ASSERT_TRUE((*feed)->wait_for_beginning({}));
  const io::FileDescriptor pipe = (*feed)->take_pipe();
  EXPECT_EQ(next_bytes(pipe, 4), "one\n");
  std::ofstream(file, std::ios::app) << "two\n";
  EXPECT_EQ(next_bytes(pipe, 4), "two\n");
  (*feed)->cancel();
  EXPECT_EQ(next_bytes(pipe, 1), "");
  EXPECT_TRUE((*feed)->status());
  EXPECT_EQ((*feed)->state().phase, FeedPhase::kEnded);
  EXPECT_EQ((*feed)->state().bytes, 8u);
}

TEST(FollowedFile, ThatGetsShorterIsAnError) {
  const test::ScratchFolder folder;
  const std::string file = folder.write("log", "one two three\n");
  const auto feed = follow_file(file);
  ASSERT_TRUE(feed);
  const io::FileDescriptor pipe = (*feed)->take_pipe();
  EXPECT_EQ(next_bytes(pipe, 14), "one two three\n");
  std::ofstream(file, std::ios::trunc) << "x";
  EXPECT_EQ(next_bytes(pipe, 1), "");
  ASSERT_FALSE((*feed)->status());
  EXPECT_EQ((*feed)->status().error().message, "the file was cut while it was followed");
}

TEST(FollowedFile, IsAFile) {
  const test::ScratchFolder folder;
  EXPECT_EQ(follow_file(folder / "none").error().message, "File does not exist");
  EXPECT_EQ(follow_file(folder.path()).error().message, "is not a file that can be followed");
}

TEST(FollowedFile, EndsWithoutASignalWhereNobodyReads) {
  const test::ScratchFolder folder;
  const auto feed = follow_file(folder.write("log", std::string(4 << 20, 'x')));
  ASSERT_TRUE(feed);
  (void)(*feed)->take_pipe();  // closed at once
  EXPECT_TRUE(test::eventually([&] { return (*feed)->state().phase == FeedPhase::kEnded; }));
}

}  // namespace
}  // namespace weft::capture

#include "core/io/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <thread>
#include <vector>

#include "tests/core/io/scratch_folder.h"

namespace weft::io {
namespace {

using test::content_of;
using test::ScratchFolder;
using testing::HasSubstr;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

size_t files_in(const std::filesystem::path& folder) {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                           std::filesystem::directory_iterator{}));
}

TEST(OutputFile, AppearsOnlyWhenCommitted) {
  const ScratchFolder folder;
  auto file = OutputFile::create(folder / "out");
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_TRUE(file->write_at(0, bytes_of("hello world")));
  ASSERT_TRUE(file->write_at(6, bytes_of("there")));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(content_of(folder / "out"), "hello there");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(OutputFile, LeavesTheOldFileWhenAbandoned) {
  const ScratchFolder folder;
  folder.write("out", "old");
  {
    auto file = OutputFile::create(folder / "out");
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE(file->write_at(0, bytes_of("new")));
    OutputFile moved = std::move(*file);
  }
  EXPECT_EQ(content_of(folder / "out"), "old");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(OutputFile, IsWrittenWhereALinkLeads) {
  const ScratchFolder folder, other;
  other.write("file", "old");
  std::filesystem::create_symlink(other / "file", folder / "link");
  auto file = OutputFile::create(folder / "link");
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_TRUE(file->write_at(0, bytes_of("new")));
  ASSERT_TRUE(file->commit());
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(content_of(other / "file"), "new");
  EXPECT_EQ(files_in(folder.path()) + files_in(other.path()), 2u);

  std::filesystem::create_symlink(folder / "nowhere", folder / "dangling");
  EXPECT_FALSE(OutputFile::create(folder / "dangling"));
}

TEST(OutputFile, KeepsTheModeOfWhatItReplaces) {
  const ScratchFolder folder;
  const auto mode = [&] { return std::filesystem::status(folder / "out").permissions(); };
  using std::filesystem::perms;
  for (const perms kept : {perms::owner_read | perms::owner_write, perms::owner_read}) {
    folder.write("out", "old");
    std::filesystem::permissions(folder / "out", kept);
    auto file = OutputFile::create(folder / "out");
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE(file->write_at(0, bytes_of("new")));
    ASSERT_TRUE(file->commit());
    EXPECT_EQ(content_of(folder / "out"), "new");
    EXPECT_EQ(mode(), kept);
    std::filesystem::remove(folder / "out");
  }
}

TEST(OutputFile, ThreadsWriteSideBySide) {
  const ScratchFolder folder;
  auto file = OutputFile::create(folder / "out");
  ASSERT_TRUE(file) << file.error().message;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&file, i] {
      const std::string text(1000, static_cast<char>('a' + i));
      for (uint64_t k = 0; k < 50; ++k) {
        EXPECT_TRUE(file->write_at((k * 4 + static_cast<uint64_t>(i)) * 1000, bytes_of(text)));
      }
    });
  }
  for (std::thread& t : threads) t.join();
  const auto mapped = file->map(0, 200000);
  ASSERT_TRUE(mapped) << mapped.error().message;
  for (size_t i = 0; i < mapped->size(); ++i) {
    ASSERT_EQ(static_cast<char>(mapped->bytes()[i]), static_cast<char>('a' + i / 1000 % 4)) << i;
  }
}

TEST(OutputFile, SaysWhyItCannotBeMade) {
  const ScratchFolder folder;
  EXPECT_THAT(OutputFile::create(folder / "no/out").error().message,
              HasSubstr("out: No such file or directory"));
  EXPECT_THAT(OutputFile::create(folder.path()).error().message, HasSubstr("is a folder"));
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(OutputFile::create(folder / "pipe").error().message,
              HasSubstr("is not a regular file"));
}

TEST(OutputFile, AFullDiskIsOneClearErrorAndLeavesNothing) {
  const ScratchFolder folder;
  folder.write("out", "old");
  rlimit limit = {};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small = {4096, limit.rlim_max};
  ::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  {
    auto file = OutputFile::create(folder / "out");
    ASSERT_TRUE(file) << file.error().message;
    const Status status = file->write_at(0, bytes_of(std::string(10000, 'x')));
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message, HasSubstr("out: File too large"));
  }
  ::setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_EQ(content_of(folder / "out"), "old");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(SpillFile, HasNoNameAndReadsBack) {
  const ScratchFolder folder;
  auto spill = SpillFile::create(folder.path());
  ASSERT_TRUE(spill) << spill.error().message;
  EXPECT_EQ(files_in(folder.path()), 0u);
  ASSERT_TRUE(spill->write_at(100000, bytes_of("there")));
  const auto mapped = spill->map(100001, 4);
  ASSERT_TRUE(mapped) << mapped.error().message;
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(mapped->bytes().data()), 4), "here");
}

TEST(SpillFile, NeedsAFolder) {
  const ScratchFolder folder;
  EXPECT_THAT(SpillFile::create(folder / "none").error().message,
              HasSubstr("cannot write the spill file in"));
}

}  // namespace
}  // namespace weft::io

#include "core/io/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <numeric>
#include <string>

#include "tests/core/io/scratch_folder.h"

namespace weft::io {
namespace {

// Read through volatile, so that every page is really touched.
unsigned sum(std::span<const std::byte> bytes) {
  unsigned total = 0;
  const auto* p = reinterpret_cast<const volatile unsigned char*>(bytes.data());
  for (size_t i = 0; i < bytes.size(); ++i) total += p[i];
  return total;
}

class MappedFileTest : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) { return folder_.write("file", text); }

  test::ScratchFolder folder_;
};

TEST_F(MappedFileTest, TheBytesAreThoseOfTheFile) {
  const auto file = MappedFile::open(write("hello"));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(file->bytes().data()), file->size()),
            "hello");
  EXPECT_FALSE(file->is_lost());
  EXPECT_TRUE(file->health());
}

TEST_F(MappedFileTest, AnEmptyFileHasNoBytes) {
  const auto file = MappedFile::open(write(""));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_TRUE(file->bytes().empty());
  EXPECT_TRUE(file->health());
}

TEST_F(MappedFileTest, AFolderAndAMissingFileAreErrors) {
  EXPECT_EQ(MappedFile::open(folder_.path()).error().message, "is a folder, not a file");
  EXPECT_EQ(MappedFile::open(folder_ / "none").error().message,
            "cannot open: No such file or directory");
}

TEST_F(MappedFileTest, CuttingTheFileGivesZerosAndAFlag) {
  const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  const auto path = write(std::string(8 * page, '\1'));
  const auto file = MappedFile::open(path);
  ASSERT_TRUE(file) << file.error().message;
  std::filesystem::resize_file(path, 3 * page);
  EXPECT_EQ(sum(file->bytes().first(3 * page)), 3 * page);
  EXPECT_FALSE(file->is_lost());
  EXPECT_EQ(sum(file->bytes().subspan(5 * page)), 0u);
  EXPECT_TRUE(file->is_lost());
  EXPECT_EQ(file->lost_offset(), 5 * page);
  EXPECT_EQ(sum(file->bytes()), 3 * page);  // an earlier fault moves the offset down
  EXPECT_EQ(file->lost_offset(), 3 * page);
  EXPECT_FALSE(file->health());
}

TEST_F(MappedFileTest, ACutInsideAPageIsSeenByHealth) {
  const auto path = write(std::string(100, '\1'));
  const auto file = MappedFile::open(path);
  ASSERT_TRUE(file) << file.error().message;
  std::filesystem::resize_file(path, 10);
  EXPECT_EQ(sum(file->bytes()), 10u);
  EXPECT_FALSE(file->is_lost());
  EXPECT_FALSE(file->health());
}

TEST_F(MappedFileTest, AGuardIsUsedAgainWithoutItsPast) {
  const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  for (int round = 0; round < 100; ++round) {
    const auto path = write(std::string(2 * page, '\1'));
    auto file = MappedFile::open(path);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_FALSE(file->is_lost());
    std::filesystem::resize_file(path, 0);
    EXPECT_EQ(sum(file->bytes()), 0u);
    MappedFile moved = std::move(*file);
    EXPECT_TRUE(moved.is_lost());
  }
}

TEST_F(MappedFileTest, AWindowMayBeginAnywhere) {
  std::string text(20000, ' ');
  std::iota(text.begin(), text.end(), '\0');
  const auto path = write(text);
  const FileDescriptor fd(::open(path.c_str(), O_RDONLY));
  const auto window = MappedFile::map(fd.get(), 5001, 9000);
  ASSERT_TRUE(window) << window.error().message;
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(window->bytes().data()), window->size()),
            text.substr(5001, 9000));
}

TEST_F(MappedFileTest, AFaultElsewhereStillKills) {
  const auto path = write("x");
  const auto guarded = MappedFile::open(path);
  // Dies by the signal, or by the report of a sanitizer, whose handler was installed before.
  EXPECT_DEATH(
      {
        std::filesystem::resize_file(path, 0);
        const FileDescriptor fd(::open(path.c_str(), O_RDONLY));
        void* bare = ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fd.get(), 0);
        sum({static_cast<const std::byte*>(bare), 1});
      },
      "");
}

}  // namespace
}  // namespace weft::io

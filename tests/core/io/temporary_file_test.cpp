#include "core/io/temporary_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <cstdlib>
#include <optional>

#include "core/io/file_descriptor.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::io {
namespace {

namespace fs = std::filesystem;

class TemporaryFolders : public testing::Test {
 protected:
  TemporaryFolders() {
    if (const char* const before = std::getenv("TMPDIR")) before_ = before;
    ::setenv("TMPDIR", parent_.path().c_str(), 1);
  }
  ~TemporaryFolders() override {
    if (before_) ::setenv("TMPDIR", before_->c_str(), 1);
    if (!before_) ::unsetenv("TMPDIR");
  }

  test::ScratchFolder parent_;
  std::optional<std::string> before_;
};

TEST_F(TemporaryFolders, ThatAKilledProcessLeftAreRemoved) {
  for (const char* name : {"weftscope-LeftLe/below", "weftscope-InUse1", "weftscope-of-mine"})
    fs::create_directories(parent_ / name);
  parent_.write("weftscope-LeftLe/below/file", "unpacked");
  parent_.write("weftscope-aFile1", "not a folder");
  fs::create_directory_symlink(parent_ / "weftscope-of-mine", parent_ / "weftscope-aLink1");
  const FileDescriptor in_use(
      ::open((parent_ / "weftscope-InUse1").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(::flock(in_use.get(), LOCK_EX), 0);
  ASSERT_TRUE(TemporaryFolder::create());
  EXPECT_FALSE(fs::exists(parent_ / "weftscope-LeftLe"));
  for (const char* name :
       {"weftscope-InUse1", "weftscope-of-mine", "weftscope-aFile1", "weftscope-aLink1"})
    EXPECT_TRUE(fs::exists(parent_ / name)) << name;
}

TEST_F(TemporaryFolders, AreLockedWhileTheyAreThere) {
  fs::path path;
  {
    auto folder = TemporaryFolder::create();
    ASSERT_TRUE(folder);
    const TemporaryFolder moved = std::move(*folder);
    path = moved.path();
    const FileDescriptor other(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    EXPECT_NE(::flock(other.get(), LOCK_EX | LOCK_NB), 0);
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace weft::io

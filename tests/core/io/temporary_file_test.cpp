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
  for (const char* name : {"weftscope-LeftLe/content/below", "weftscope-InUse1"})
    fs::create_directories(parent_ / name);
  parent_.write("weftscope-LeftLe/weftscope.lock", "");
  parent_.write("weftscope-LeftLe/content/below/file", "unpacked");
  parent_.write("weftscope-InUse1/weftscope.lock", "");
  fs::create_directory_symlink(parent_ / "weftscope-InUse1", parent_ / "weftscope-aLink1");
  const FileDescriptor in_use(
      ::open((parent_ / "weftscope-InUse1/weftscope.lock").c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::flock(in_use.get(), LOCK_EX), 0);
  ASSERT_TRUE(TemporaryFolder::create());
  EXPECT_FALSE(fs::exists(parent_ / "weftscope-LeftLe"));
  for (const char* name : {"weftscope-InUse1", "weftscope-aLink1"})
    EXPECT_TRUE(fs::exists(parent_ / name)) << name;
}

TEST_F(TemporaryFolders, AreNotMistakenForTheUsersOwn) {
  const std::string name = "weftscope-traces/run.json", longer = "weftscope-of-mine/weftscope.lock";
  for (const char* folder : {"weftscope-traces", "weftscope-of-mine"})
    fs::create_directory(parent_ / folder);
  parent_.write(name, "{}");
  parent_.write(longer, "");
  parent_.write("weftscope-aFile1", "not a folder");
  ASSERT_TRUE(TemporaryFolder::create());
  for (const std::string& each : {name, longer, std::string("weftscope-aFile1")})
    EXPECT_TRUE(fs::exists(parent_ / each)) << each;
}

TEST_F(TemporaryFolders, AreLockedWhileTheyAreThere) {
  fs::path path;
  {
    auto folder = TemporaryFolder::create();
    ASSERT_TRUE(folder);
    const TemporaryFolder moved = std::move(*folder);
    path = moved.path();
    const fs::path lock = path.parent_path() / "weftscope.lock";
    const FileDescriptor other(::open(lock.c_str(), O_RDONLY | O_CLOEXEC));
    ASSERT_TRUE(other.is_open());
    EXPECT_NE(::flock(other.get(), LOCK_EX | LOCK_NB), 0);
  }
  EXPECT_FALSE(fs::exists(path.parent_path()));
}

}  // namespace
}  // namespace weft::io

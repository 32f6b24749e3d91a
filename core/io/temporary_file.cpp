#include "core/io/temporary_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/base/os_error.h"
#include "core/io/file_descriptor.h"
#include "core/io/listing.h"
#include "core/io/source.h"

namespace weft::io {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolderPattern = "weftscope-XXXXXX";
constexpr std::string_view kFolderBegin = kFolderPattern.substr(0, kFolderPattern.find('X'));
// Names in a folder that is made for a temporary one: a name alone may be a folder of the user's.
constexpr const char* kLockName = "weftscope.lock";
constexpr const char* kContentName = "content";

std::filesystem::path temporary_parent() {
  const char* const parent = std::getenv("TMPDIR");
  return parent != nullptr && *parent != 0 ? parent : "/var/tmp";
}

bool lock(const FileDescriptor& file, int how) {
  while (::flock(file.get(), how) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

bool is_still_at(const FileDescriptor& file, const fs::path& path) {
  struct stat known{}, found{};
  return ::fstat(file.get(), &known) == 0 && ::lstat(path.c_str(), &found) == 0 &&
         known.st_dev == found.st_dev && known.st_ino == found.st_ino;
}

// Removes a folder that its process has left behind, as when it was killed: it holds the lock file,
// which nobody has locked.
void remove_if_left(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!name.starts_with(kFolderBegin) || name.size() != kFolderPattern.size()) return;
  const fs::path lock_path = folder / kLockName;
  const FileDescriptor file(
      ::open(lock_path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat info{};
  if (!file.is_open() || ::fstat(file.get(), &info) != 0 || info.st_uid != ::geteuid()) return;
  std::error_code ignored;
  if (lock(file, LOCK_EX | LOCK_NB) && is_still_at(file, lock_path))
    fs::remove_all(folder, ignored);
}

// The folders of this process. Each holds a lock file, which is locked while it is in use.
class FoldersInUse {
 public:
  // False: it has no lock (see errno), and so stays if it is left behind; ENOENT: another process
  // took it for one that was, and has removed it.
  bool add(const fs::path& folder) {
    const fs::path path = folder / kLockName;
    FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file.is_open()) return false;
    (void)lock(file, LOCK_EX);  // where there are no locks, nothing is taken to be left behind
    if (!is_still_at(file, path)) {
      errno = ENOENT;
      return false;
    }
    const std::lock_guard guard(mutex_);
    locks_.insert_or_assign(folder, std::move(file));
    return true;
  }
  void remove(const fs::path& path) {
    const std::lock_guard guard(mutex_);
    locks_.erase(path);
  }
  // Once for each parent, before the first folder in it.
  void remove_left_in(const fs::path& parent) {
    {
      const std::lock_guard guard(mutex_);
      if (!parents_.insert(parent).second) return;
    }
    for (const fs::directory_entry& each : Listing::of(parent).entries) remove_if_left(each);
  }

 private:
  std::mutex mutex_;  // guards what is below
  std::map<fs::path, FileDescriptor> locks_;
  std::set<fs::path> parents_;
};

FoldersInUse& folders_in_use() {
  static auto* const all = new FoldersInUse;  // outlives folders of static objects
  return *all;
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::create() {
  const fs::path parent = temporary_parent();
  folders_in_use().remove_left_in(parent);
  std::string folder;
  do {
    folder = (parent / kFolderPattern).string();
    if (::mkdtemp(folder.data()) == nullptr)
      return fail(os_error(folder + ": cannot make a temporary folder"));
  } while (!folders_in_use().add(folder) && errno == ENOENT);
  TemporaryFolder made(fs::path(folder) / kContentName);
  if (::mkdir(made.path().c_str(), 0700) != 0)
    return fail(os_error(folder + ": cannot make a temporary folder"));
  return made;
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}
TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  if (this != &other) {
    remove();
    path_ = std::exchange(other.path_, {});
  }
  return *this;
}
TemporaryFolder::~TemporaryFolder() { remove(); }

void TemporaryFolder::remove() {
  std::error_code ignored;
  if (path_.empty()) return;
  const fs::path folder = path_.parent_path();
  fs::remove_all(folder, ignored);
  folders_in_use().remove(folder);
}

uint64_t temporary_room() {
  std::error_code error;
  const auto space = fs::space(temporary_parent(), error);
  return error ? 0 : space.available;
}

Result<TemporaryFile> temporary_file() {
  WEFT_TRY_ASSIGN(const auto folder, TemporaryFolder::create());
  std::string name = folder.path() / "file-XXXXXX";
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  TemporaryFile file(fd < 0 ? nullptr : ::fdopen(fd, "w+b"));
  if (file != nullptr) return file;  // the folder takes the name with it
  const Error error = os_error(folder.path().string() + ": cannot make a temporary file");
  if (fd >= 0) ::close(fd);
  return std::unexpected(error);
}

std::string Copy::path() const { return fmt::format("/proc/self/fd/{}", ::fileno(file.get())); }

Result<Copy> copy_of(Source& source, std::string_view begin) {
  constexpr size_t kBlockBytes = size_t{1} << 20;
  WEFT_TRY_ASSIGN(TemporaryFile file, temporary_file());
  Copy copy{.file = std::move(file), .cut = {}};
  if (!begin.empty() && std::fwrite(begin.data(), 1, begin.size(), copy.file.get()) != begin.size())
    return fail(os_error("cannot write to a temporary file"));
  std::vector<std::byte> block(kBlockBytes);
  while (true) {
    const auto n = source.read(block);
    if (!n) copy.cut = n.error();
    if (!n || *n == 0) break;
    if (std::fwrite(block.data(), 1, *n, copy.file.get()) != *n)
      return fail(os_error("cannot write to a temporary file"));
  }
  if (std::fflush(copy.file.get()) != 0) return fail(os_error("cannot write to a temporary file"));
  return copy;
}

}  // namespace weft::io

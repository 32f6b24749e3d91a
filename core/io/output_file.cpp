#include "core/io/output_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <atomic>

#include "core/base/os_error.h"

namespace weft::io {
namespace {

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

// A rename is durable only when its folder is. Some file systems cannot flush a folder; that is no
// reason to fail.
Status sync_folder(const std::filesystem::path& folder) {
  const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.is_open()) return {};
  if (::fsync(fd.get()) == 0 || errno == EINVAL || errno == ENOTSUP) return {};
  return fail(os_error("cannot flush the folder " + folder.string()));
}

// A name beside `path` that no other thread or process uses.
std::filesystem::path temporary_path(const std::filesystem::path& path) {
  static std::atomic<uint64_t> serial = 0;
  const std::string stem = path.filename().string().substr(0, 200);  // names end at 255 bytes
  return folder_of(path) / fmt::format(".{}.{}-{}.tmp", stem, ::getpid(), serial++);
}

// Gives the nameless file behind `fd` a name.
bool link_file(int fd, const std::filesystem::path& path) {
  const std::string self = fmt::format("/proc/self/fd/{}", fd);
  return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

// Whoever may not read the file that is replaced may not read the new one either.
void take_mode_of(const std::filesystem::path& replaced, int fd) {
  constexpr mode_t kPermissions = 0777;
  struct stat info{};
  if (::stat(replaced.c_str(), &info) == 0) (void)::fchmod(fd, info.st_mode & kPermissions);
}

}  // namespace

Status NewFile::write_at(uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(os_error("cannot write " + name_, n < 0 ? errno : ENOSPC));
    bytes = bytes.subspan(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
  return {};
}

Result<MappedFile> NewFile::map(uint64_t offset, uint64_t size) const {
  auto mapped = MappedFile::map(file_.get(), offset, size);
  if (!mapped) return fail(std::move(mapped).error().context(name_));
  return mapped;
}

Status NewFile::resize(uint64_t size) {
  while (::ftruncate(file_.get(), static_cast<off_t>(size)) != 0) {
    if (errno != EINTR) return fail(os_error("cannot write " + name_));
  }
  return {};
}

OutputFile::OutputFile(const std::filesystem::path& final_path)
    : NewFile({}, final_path.string()), final_path_(final_path) {}

Result<OutputFile> OutputFile::create(const std::filesystem::path& final_path) {
  std::error_code error;
  if (std::filesystem::is_directory(final_path, error)) {
    return fail(fmt::format("cannot write {}: is a folder", final_path.string()));
  }
  // A device or a pipe would be replaced by the file.
  if (std::filesystem::exists(final_path, error) &&
      !std::filesystem::is_regular_file(final_path, error))
    return fail(fmt::format("cannot write {}: is not a regular file", final_path.string()));
  OutputFile output(final_path);
  // What a link leads to is written; the link stays.
  if (std::filesystem::is_symlink(final_path, error)) {
    output.final_path_ = std::filesystem::canonical(final_path, error);
    if (error)
      return fail(fmt::format("cannot write {}: {}", final_path.string(), error.message()));
  }
  // Without a name nothing is left behind, not even by a kill.
  output.file_ = FileDescriptor(
      ::open(folder_of(output.final_path_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
  if (output.file_.is_open()) {
    take_mode_of(output.final_path_, output.file_.get());
    return output;
  }
  output.temporary_path_ = temporary_path(output.final_path_);
  output.file_ = FileDescriptor(::open(output.temporary_path_.c_str(),
                                       O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!output.file_.is_open()) return fail(os_error("cannot write " + final_path.string()));
  take_mode_of(output.final_path_, output.file_.get());
  return output;
}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(name_, other.name_);
  std::swap(temporary_path_, other.temporary_path_);
  std::swap(final_path_, other.final_path_);
  return *this;
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (file_.is_open() && !temporary_path_.empty()) ::unlink(temporary_path_.c_str());
  temporary_path_.clear();
}

Status OutputFile::write_at(uint64_t offset, std::span<const std::byte> bytes) {
  WEFT_TRY(NewFile::write_at(offset, bytes));
  // A hint, so its errors do not count.
  ::sync_file_range(file_.get(), static_cast<off64_t>(offset), static_cast<off64_t>(bytes.size()),
                    SYNC_FILE_RANGE_WRITE);
  return {};
}

Status OutputFile::commit() {
  if (::fsync(file_.get()) != 0) return fail(os_error("cannot write " + name_));
  if (temporary_path_.empty()) {
    const std::filesystem::path path = temporary_path(final_path_);
    if (!link_file(file_.get(), path)) return fail(os_error("cannot write " + name_));
    temporary_path_ = path;
  }
  if (::rename(temporary_path_.c_str(), final_path_.c_str()) != 0) {
    return fail(os_error("cannot write " + name_));
  }
  temporary_path_.clear();
  return sync_folder(folder_of(final_path_));
}

Result<SpillFile> SpillFile::create(const std::filesystem::path& folder) {
  const std::string where = folder.empty() ? "." : folder.string();
  std::string name = "the spill file in " + where;
  FileDescriptor file(::open(where.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!file.is_open() && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
    // A file system without O_TMPFILE.
    const std::filesystem::path path = temporary_path(std::filesystem::path(where) / "spill");
    file = FileDescriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (file.is_open()) ::unlink(path.c_str());
  }
  if (!file.is_open()) return fail(os_error("cannot write " + name));
  return SpillFile(std::move(file), std::move(name));
}

}  // namespace weft::io

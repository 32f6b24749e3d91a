#include "core/io/unpacked.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "core/base/os_error.h"
#include "core/base/text.h"

namespace weft::io {

namespace fs = std::filesystem;

Result<fs::path> UnpackedFiles::place(const fs::path& name) {
  constexpr uint64_t kMostFiles = 100'000;
  if (++begun_ > kMostFiles) return fail("is an archive of too many files to be a trace");
  fs::path path = folder_ / name;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  return path;
}

Status UnpackedFiles::link(const fs::path& name, const fs::path& to) {
  WEFT_TRY_ASSIGN(const fs::path path, place(name));
  std::error_code error;
  if (to.empty() || !fs::is_regular_file(folder_ / to, error)) return {};
  fs::create_hard_link(folder_ / to, path, error);
  return error ? Status(fail("cannot unpack the archive: " + error.message())) : Status();
}

Status UnpackedFiles::begin(const fs::path& name) {
  WEFT_TRY_ASSIGN(const fs::path path, place(name));
  file_ = FileDescriptor(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file_.is_open()) return fail(os_error("cannot unpack the archive"));
  return {};
}

void UnpackedFiles::set_changed(int64_t seconds, int64_t nanoseconds) {
  const timespec times[2] = {{0, UTIME_OMIT}, {seconds, nanoseconds}};
  ::futimens(file_.get(), times);  // what is not known so is as new as the unpacked file
}

Status UnpackedFiles::add(std::string_view bytes) {
  made_ += bytes.size();
  if (!input_->may_make(made_)) {
    return fail(fmt::format("unpacks to {} and more, which is too much for its size{}",
                            format_bytes(made_), kRefused));
  }
  while (!bytes.empty()) {
    const ssize_t n = ::write(file_.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(os_error("cannot unpack the archive"));
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

}  // namespace weft::io

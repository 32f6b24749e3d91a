#include "capture/host/followed_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "core/base/os_error.h"

namespace weft::capture {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{250};

Status fetch(int file, FeedWriter& out) {
  std::array<std::byte, 64 << 10> block;
  out.begin(0);
  for (uint64_t offset = 0;;) {
    const ssize_t n = ::read(file, block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(os_error("cannot read on"));
    if (n > 0) {
      if (!out.write(std::span(block).first(static_cast<size_t>(n)))) return {};
      offset += static_cast<uint64_t>(n);
      continue;
    }
    struct stat info = {};
    if (::fstat(file, &info) == 0 && static_cast<uint64_t>(info.st_size) < offset)
      return fail("the file was cut while it was followed");
    if (!out.pause(kBetweenLooks)) return {};
  }
}

}  // namespace

Result<std::unique_ptr<Feed>> follow_file(const std::filesystem::path& file,
                                          std::function<void()> on_change) {
  struct stat info = {};
  auto fd = std::make_shared<io::FileDescriptor>(
      ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!fd->is_open() && errno == ENOENT) return fail("File does not exist");
  if (!fd->is_open() || ::fstat(fd->get(), &info) != 0) return fail(os_error("cannot open"));
  if (!S_ISREG(info.st_mode)) return fail("is not a file that can be followed");
  return Feed::start([fd](FeedWriter& out) { return fetch(fd->get(), out); }, std::move(on_change));
}

}  // namespace weft::capture

#include "core/io/temporary_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/os_error.h"
#include "core/io/source.h"

namespace weft::io {

namespace {

std::filesystem::path temporary_parent() {
  const char* const parent = std::getenv("TMPDIR");
  return parent != nullptr && *parent != 0 ? parent : "/var/tmp";
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::create() {
  std::string folder = temporary_parent() / "weftscope-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr)
    return fail(os_error(folder + ": cannot make a temporary folder"));
  return TemporaryFolder(folder);
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
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

uint64_t temporary_room() {
  std::error_code error;
  const auto space = std::filesystem::space(temporary_parent(), error);
  return error ? 0 : space.available;
}

TemporaryFile temporary_file() {
  const auto folder = TemporaryFolder::create();
  if (!folder) return nullptr;
  std::string name = folder->path() / "file-XXXXXX";
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) return nullptr;
  TemporaryFile file(::fdopen(fd, "w+b"));
  if (!file) ::close(fd);
  return file;  // the folder takes the name with it
}

std::string Copy::path() const { return fmt::format("/proc/self/fd/{}", ::fileno(file.get())); }

Result<Copy> copy_of(Source& source, std::string_view begin) {
  constexpr size_t kBlockBytes = size_t{1} << 20;
  Copy copy{.file = temporary_file(), .cut = {}};
  if (copy.file == nullptr) return fail(os_error("cannot make a temporary file"));
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

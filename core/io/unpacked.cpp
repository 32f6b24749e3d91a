#include "core/io/unpacked.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string>
#include <utility>

#include "core/base/os_error.h"
#include "core/base/text.h"
#include "core/base/write_all.h"
#include "core/io/archive.h"
#include "core/io/page.h"

namespace weft::io {

namespace fs = std::filesystem;

Result<Unpacked> unpack_here(Packing packing, const PackedInput& input, const fs::path& folder) {
  return packing == Packing::kPage ? unpack_page(input, folder) : unpack_archive(input, folder);
}

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
  return error ? copy(to, path) : Status();
}

Status UnpackedFiles::copy(const fs::path& from, const fs::path& to) {
  WEFT_TRY(open(to));
  std::ifstream file(folder_ / from, std::ios::binary);
  std::array<char, 64 << 10> piece{};
  while (file.read(piece.data(), piece.size()) || file.gcount() > 0)
    WEFT_TRY(add(std::string_view(piece.data(), static_cast<size_t>(file.gcount()))));
  return {};
}

Status UnpackedFiles::begin(const fs::path& name) {
  WEFT_TRY_ASSIGN(const fs::path path, place(name));
  return open(path);
}

Status UnpackedFiles::open(const fs::path& path) {
  file_ = FileDescriptor(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file_.is_open()) return fail(os_error("cannot unpack the archive"));
  return {};
}

Status UnpackedFiles::add(std::string_view bytes) {
  made_ += bytes.size();
  if (made_ > input_->most_bytes()) {
    return fail(fmt::format("unpacks to {} and more, which is too much for its size{}",
                            format_bytes(made_), kRefused));
  }
  if (!write_all(file_.get(), bytes)) return fail(os_error("cannot unpack the archive"));
  return {};
}

}  // namespace weft::io

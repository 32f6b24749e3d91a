#include "core/io/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/io/file_descriptor.h"
#include "core/io/os_error.h"

namespace weft::io {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBlockBytes = 256 << 10;
constexpr uint64_t kMostFiles = 100'000;

struct FreeArchive {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

class Unpacker {
 public:
  Unpacker(const ArchiveInput& input, const fs::path& folder)
      : input_(input), folder_(folder), buffer_(kBlockBytes), reader_(archive_read_new()) {}

  Status unpack() {
    if (reader_ == nullptr) return fail("no memory for libarchive");
    archive_read_support_format_tar(reader_.get());
    archive_read_support_format_zip_streamable(reader_.get());
    if (archive_read_open(reader_.get(), this, nullptr, read_block, nullptr) != ARCHIVE_OK)
      return failure();
    for (;;) {
      archive_entry* entry = nullptr;
      const int code = archive_read_next_header(reader_.get(), &entry);
      if (code == ARCHIVE_EOF) return {};
      if (code < ARCHIVE_WARN) return failure();
      WEFT_TRY(unpack_entry(entry));
    }
  }

 private:
  static la_ssize_t read_block(archive* reader, void* self, const void** block) {
    auto& unpacker = *static_cast<Unpacker*>(self);
    auto n = unpacker.input_.read(unpacker.buffer_);
    *block = unpacker.buffer_.data();
    if (n) return static_cast<la_ssize_t>(*n);
    archive_set_error(reader, EIO, "%s", n.error().message.c_str());
    return -1;
  }

  std::unexpected<Error> failure() const {
    const char* const why = archive_error_string(reader_.get());
    return fail(fmt::format("cannot unpack the archive: {}",
                            why == nullptr ? "it is damaged" : printable(why)));
  }

  // Where it goes; empty where it must not.
  fs::path place_of(archive_entry* entry) const {
    const char* const name = archive_entry_pathname(entry);
    if (name == nullptr || archive_entry_filetype(entry) != AE_IFREG ||
        archive_entry_hardlink(entry) != nullptr)
      return {};
    const fs::path path = fs::path(name).lexically_normal();
    const bool leads_out = path.empty() || path.is_absolute() || *path.begin() == "..";
    return leads_out || !path.has_filename() ? fs::path() : folder_ / path;
  }

  Status unpack_entry(archive_entry* entry) {
    const fs::path path = place_of(entry);
    if (path.empty()) return {};
    if (archive_entry_is_encrypted(entry) != 0) return fail("is an archive that is encrypted");
    if (++files_ > kMostFiles) return fail("is an archive of too many files to be a trace");
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    const FileDescriptor file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.is_open()) return fail(os_error("cannot unpack the archive"));
    for (;;) {
      const la_ssize_t n = archive_read_data(reader_.get(), block_.data(), block_.size());
      if (n == 0) return {};
      if (n < 0) return failure();
      made_ += static_cast<uint64_t>(n);
      if (!input_.may_make(made_))
        return fail(fmt::format("unpacks to {} and more, which is too much for its size; refused",
                                format_bytes(made_)));
      WEFT_TRY(write(file.get(), std::span(block_).first(static_cast<size_t>(n))));
    }
  }

  static Status write(int fd, std::span<const char> bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return fail(os_error("cannot unpack the archive"));
      bytes = bytes.subspan(static_cast<size_t>(n));
    }
    return {};
  }

  const ArchiveInput& input_;
  const fs::path& folder_;
  std::vector<std::byte> buffer_;                            // of the archive
  std::vector<char> block_{std::vector<char>(kBlockBytes)};  // of a file in it
  std::unique_ptr<archive, FreeArchive> reader_;
  uint64_t made_ = 0;
  uint64_t files_ = 0;
};

}  // namespace

bool begins_archive(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  constexpr size_t kTarMagic = 257;
  constexpr std::string_view kTar = "ustar";
  return text.starts_with("PK\x03\x04") ||
         (text.size() > kTarMagic && text.substr(kTarMagic).starts_with(kTar));
}

Result<TemporaryFolder> TemporaryFolder::create() {
  const char* const parent = std::getenv("TMPDIR");
  std::string folder =
      fs::path(parent != nullptr && *parent != 0 ? parent : "/var/tmp") / "weftscope-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) return fail(os_error("cannot make a temporary folder"));
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
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Result<TemporaryFolder> unpack(const ArchiveInput& input) {
  WEFT_TRY_ASSIGN(TemporaryFolder folder, TemporaryFolder::create());
  WEFT_TRY(Unpacker(input, folder.path()).unpack());
  return folder;
}

}  // namespace weft::io

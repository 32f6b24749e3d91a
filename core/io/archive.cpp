#include "core/io/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/core.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/text.h"

namespace weft::io {
namespace {

namespace fs = std::filesystem;

constexpr size_t kArchiveBlockBytes = 256 << 10;

struct FreeArchive {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

class Unpacker {
 public:
  Unpacker(const PackedInput& input, const fs::path& folder)
      : input_(input), files_(input, folder), reader_(archive_read_new()) {}

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
  static fs::path place_of(archive_entry* entry) {
    const char* const name = archive_entry_pathname(entry);
    if (name == nullptr || archive_entry_filetype(entry) != AE_IFREG ||
        archive_entry_hardlink(entry) != nullptr)
      return {};
    const fs::path path = fs::path(name).lexically_normal();
    const bool leads_out = path.empty() || path.is_absolute() || *path.begin() == "..";
    return leads_out || !path.has_filename() ? fs::path() : path;
  }

  Status unpack_entry(archive_entry* entry) {
    const fs::path path = place_of(entry);
    if (path.empty()) return {};
    if (archive_entry_is_encrypted(entry) != 0) return fail("is an archive that is encrypted");
    WEFT_TRY(files_.begin(path));
    for (;;) {
      const la_ssize_t n = archive_read_data(reader_.get(), block_.data(), block_.size());
      if (n == 0) break;
      if (n < 0) return failure();
      WEFT_TRY(files_.add({block_.data(), static_cast<size_t>(n)}));
    }
    if (archive_entry_mtime_is_set(entry) != 0)
      files_.set_changed(archive_entry_mtime(entry), archive_entry_mtime_nsec(entry));
    return {};
  }

  const PackedInput& input_;
  UnpackedFiles files_;
  std::vector<std::byte> buffer_{std::vector<std::byte>(kArchiveBlockBytes)};  // of the archive
  std::vector<char> block_{std::vector<char>(kArchiveBlockBytes)};             // of a file in it
  std::unique_ptr<archive, FreeArchive> reader_;
};

}  // namespace

bool begins_archive(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  constexpr size_t kTarMagic = 257;
  constexpr std::string_view kTar = "ustar";
  return text.starts_with("PK\x03\x04") ||
         (text.size() > kTarMagic && text.substr(kTarMagic).starts_with(kTar));
}

Result<TemporaryFolder> unpack(const PackedInput& input) {
  WEFT_TRY_ASSIGN(TemporaryFolder folder, TemporaryFolder::create());
  WEFT_TRY(Unpacker(input, folder.path()).unpack());
  return folder;
}

}  // namespace weft::io

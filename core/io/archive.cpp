#include "core/io/archive.h"

#include <archive_entry.h>
#include <fmt/core.h>

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/archive_handle.h"

namespace weft::io {
namespace {

namespace fs = std::filesystem;

constexpr size_t kArchiveBlockBytes = 256 << 10;

class Unpacker {
 public:
  Unpacker(const PackedInput& input, const fs::path& folder)
      : input_(input), files_(input, folder), handle_([this] { return read_block(); }) {}

  Status unpack() {
    archive_read_support_format_tar(handle_.get());
    archive_read_support_format_zip_streamable(handle_.get());
    if (!handle_.open()) return failure();
    for (;;) {
      archive_entry* entry = nullptr;
      const int code = handle_.next(entry);
      if (code == ARCHIVE_EOF) return finish();
      if (code < ARCHIVE_WARN) return break_off(handle_.problem(), Shortage::kOtherFiles);
      WEFT_TRY_ASSIGN(const bool is_whole, unpack_entry(entry));
      if (!is_whole) return break_off(handle_.problem(), Shortage::kLastFile);
    }
  }
  Unpacked take() { return std::move(unpacked_); }

 private:
  Result<std::span<const std::byte>> read_block() {
    WEFT_TRY_ASSIGN(const size_t n, input_.read(buffer_));
    return std::span(buffer_).first(n);
  }

  std::unexpected<Error> failure() const {
    return fail("cannot unpack the archive: " + handle_.problem());
  }

  // An error where nothing has come out, or where the archive is a bomb.
  Status break_off(std::string why, Shortage shortage) {
    if (files_.made_bytes() == 0 || why.ends_with(kRefused))
      return fail("cannot unpack the archive: " + why);
    unpacked_.shortfall = std::move(why);
    unpacked_.shortage = shortage;
    return {};
  }

  // Compression says behind the end of a tar whether all of it was right.
  Status finish() {
    for (;;) {
      const auto n = input_.read(buffer_);
      if (!n) return break_off(n.error().message, Shortage::kAnyFile);
      if (*n == 0) return {};
    }
  }

  // The path below the folder, also of a name that leads out of it; empty if there is none.
  static fs::path place_of(const char* name) {
    if (name == nullptr) return {};
    fs::path place;
    for (const fs::path& part : fs::path(name).lexically_normal().relative_path()) {
      if (part != ".." && part != ".") place /= part;
    }
    return place.has_filename() ? place : fs::path();
  }
  // The plain name is of the locale's characters: nothing where these have no such letter.
  static fs::path place_of(archive_entry* entry) {
    const char* const utf8 = archive_entry_pathname_utf8(entry);
    return place_of(utf8 != nullptr ? utf8 : archive_entry_pathname(entry));
  }
  // Of files with the same name, all but the first have numbers: "a (2).json".
  fs::path place_of_its_own(const fs::path& place) {
    const auto [it, is_first] = names_.try_emplace(place, 1);
    if (is_first) return place;
    fs::path own;
    do {
      const std::string name =
          fmt::format("{} ({}){}", place.stem().string(), ++it->second, place.extension().string());
      own = place.parent_path() / name;
    } while (!names_.try_emplace(own, 1).second);
    return own;
  }

  // False: the archive breaks off within it.
  Result<bool> unpack_entry(archive_entry* entry) {
    const fs::path place = place_of(entry);
    const char* const same = archive_entry_hardlink(entry);  // a file that came before
    if (place.empty() || (same == nullptr && archive_entry_filetype(entry) != AE_IFREG))
      return true;
    if (archive_entry_is_encrypted(entry) != 0) return fail("is an archive that is encrypted");
    const fs::path file = unpacked_.last_file = place_of_its_own(place);
    if (same != nullptr) {
      WEFT_TRY(files_.link(file, place_of(same)));
      return true;
    }
    WEFT_TRY(files_.begin(file));
    for (;;) {
      const ptrdiff_t n = handle_.read(block_);
      if (n == 0) break;
      if (n < 0) return false;
      WEFT_TRY(files_.add({reinterpret_cast<const char*>(block_.data()), static_cast<size_t>(n)}));
    }
    if (archive_entry_mtime_is_set(entry) != 0)
      unpacked_.changed.push_back(
          {file, archive_entry_mtime(entry), archive_entry_mtime_nsec(entry)});
    return true;
  }

  const PackedInput& input_;
  std::map<fs::path, uint64_t> names_;  // in the folder, and the last number that one was given
  Unpacked unpacked_;
  UnpackedFiles files_;
  std::vector<std::byte> buffer_{std::vector<std::byte>(kArchiveBlockBytes)};  // of the archive
  std::vector<std::byte> block_{std::vector<std::byte>(kArchiveBlockBytes)};   // of a file in it
  ArchiveHandle handle_;
};

}  // namespace

bool begins_archive(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  constexpr size_t kTarMagic = 257;
  constexpr std::string_view kTar = "ustar";
  return text.starts_with("PK\x03\x04") ||
         (text.size() > kTarMagic && text.substr(kTarMagic).starts_with(kTar));
}

Result<Unpacked> unpack_archive(const PackedInput& input, const fs::path& folder) {
  Unpacker unpacker(input, folder);
  WEFT_TRY(unpacker.unpack());
  return unpacker.take();
}

}  // namespace weft::io

// Archives (zip, tar) unpacked into a private temporary folder, so that what is in them can be read
// like any other trace. Internal to the room.
//
// Regular files alone are unpacked, under names that stay below the folder: links, devices,
// absolute names and ".." are left out. By libarchive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

#include "core/base/result.h"

namespace weft::io {

// Whether such bytes (512 of them, or all there are) begin an archive.
bool begins_archive(std::span<const std::byte> head);

// In $TMPDIR or /var/tmp, for its owner alone; removed with all that is in it. Move-only.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> create();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  void remove();
  std::filesystem::path path_;  // empty: there is none any more
};

struct ArchiveInput {
  std::function<Result<size_t>(std::span<std::byte>)> read;  // 0 at the end
  // Whether an archive may have grown to so many bytes by now.
  std::function<bool(uint64_t bytes)> may_make;
};
// An archive that breaks off is an error.
Result<TemporaryFolder> unpack(const ArchiveInput& input);

}  // namespace weft::io

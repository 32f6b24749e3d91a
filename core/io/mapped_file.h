// A read-only memory mapping that survives truncation of its file.
//
// Touching a page beyond the end of a truncated file raises SIGBUS. A process-wide guard handles it
// inside registered maps: the pages from the fault to the map's end become zeros, and is_lost()
// turns true. Check is_lost() or health() before believing what was read. A cut within a page gives
// zeros without a signal; only health() notices, by the file's length. Faults elsewhere go to the
// handler that was installed before.
//
// A page of zeros follows the map, and the bytes between the file's end and that page are zeros
// too, unless the file grew since: a scan for a zero byte ends there at the latest.
//
// Move-only owner; bytes() lives as long as it. Reading is thread-safe. Errors do not name the
// file; the caller adds it by context(). Costs one mmap; touching a page costs about 0.4 µs if it
// is cached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "core/base/result.h"
#include "core/io/file_descriptor.h"

namespace weft::io {

// One registered map; see mapped_file.cpp.
struct MapGuard;

class MappedFile {
 public:
  // Maps the whole file. An empty file gives empty bytes().
  static Result<MappedFile> open(const std::filesystem::path& path);

  // Maps `size` bytes from `offset` (any) of an open file; duplicates the descriptor.
  static Result<MappedFile> map(int fd, uint64_t offset, uint64_t size);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }

  // Returns true once a touched page was missing: bytes() then reads as zeros from lost_offset()
  // on. Cheap.
  bool is_lost() const;
  uint64_t lost_offset() const;

  // Fails if the map was lost or the file is now shorter than the map. One system call.
  Status health() const;

 private:
  FileDescriptor file_;
  std::span<const std::byte> bytes_;  // the range asked for
  std::span<std::byte> pages_;        // the whole pages mapped around bytes_
  uint64_t offset_in_file_ = 0;
  MapGuard* guard_ = nullptr;
};

}  // namespace weft::io

// A file mapped into memory, read-only, that does not kill the process when it goes away.
//
// A file that is cut while it is mapped raises SIGBUS at the next touch. A process-wide guard
// answers it inside registered maps: the pages from the fault to the map's end become zeros, and
// is_lost() turns true. Whoever reads a map must look at is_lost() (or health()) before believing
// what it read; a cut inside a page gives zeros without any signal, which only health() sees, by
// the file's length. Faults elsewhere go to the handler that was there before.
//
// Behind the map is a page of zeros, and between the file's end and that page are zeros, too,
// unless the file grew since: what scans text up to a zero byte ends there at the latest.
//
// Move-only owner; bytes() lives as long as it. Reading is thread-safe. Errors do not name the
// file: whoever named it adds it by context(). Cost: one mmap; a touched page costs about 0.4 µs
// warm.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
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

  // True once a touched page was not there: from lost_offset() on, bytes() reads as zeros. Cheap.
  bool is_lost() const;
  uint64_t lost_offset() const;

  // An error where the map was lost or the file is shorter than the map now. One system call.
  Status health() const;

  // Asks the kernel to read [offset, offset + size) ahead; returns at once.
  void prefetch(uint64_t offset, uint64_t size) const;

 private:
  FileDescriptor file_;
  std::span<const std::byte> bytes_;  // what was asked for
  std::span<std::byte> pages_;        // what is mapped: whole pages around bytes_
  uint64_t offset_in_file_ = 0;
  MapGuard* guard_ = nullptr;
};

}  // namespace weft::io

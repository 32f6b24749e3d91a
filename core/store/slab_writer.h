// Appends to a file from several threads. Each writer takes slabs off the file's end, so that what
// one thread writes together lies together.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace weft::store {

// The growing end of a file, shared by its writers. Thread-safe.
class FileEnd {
 public:
  using WriteAt = std::function<Status(uint64_t offset, std::span<const std::byte> bytes)>;
  FileEnd(WriteAt write_at, uint64_t begin) : write_at_(std::move(write_at)), end_(begin) {}

  uint64_t end() const;
  // Reserves exactly `bytes` at the end; returns their offset.
  uint64_t take(uint64_t bytes);

  struct Slab {
    uint64_t at = 0;
    uint64_t bytes = 0;
  };
  // Returns a slab of at least `bytes`: what another writer left over, or a new one.
  Slab take_slab(uint64_t bytes);
  void give_back(Slab slab);

  void write(uint64_t at, std::string_view bytes);
  // Once a write has failed, later ones are dropped.
  bool has_failed() const { return has_failed_; }
  // The first error of any writer.
  Status status() const;

 private:
  WriteAt write_at_;
  std::atomic<bool> has_failed_ = false;
  mutable std::mutex mutex_;
  uint64_t end_;  // guarded by mutex_, like all that follows
  std::vector<Slab> spare_;
  Status status_;
};

// The writer of one thread. Errors are kept by the FileEnd.
class SlabWriter {
 public:
  explicit SlabWriter(FileEnd& file) : file_(&file) {}
  ~SlabWriter() { flush(); }
  SlabWriter(const SlabWriter&) = delete;
  SlabWriter& operator=(const SlabWriter&) = delete;

  // Returns the offset in the file.
  uint64_t append(std::string_view bytes);
  void flush();

 private:
  FileEnd* file_;
  FileEnd::Slab slab_;  // 0 bytes: none taken
  std::string buffer_;
};

}  // namespace weft::store

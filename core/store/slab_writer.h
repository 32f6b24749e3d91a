// Appends to a file from several threads: each writer takes slabs off the file's end and fills
// them, so that what one thread writes together lies together.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace weft::store {

// The growing end of a file; shared by its writers.
class FileEnd {
 public:
  using WriteAt = std::function<Status(uint64_t offset, std::span<const std::byte> bytes)>;
  FileEnd(WriteAt write_at, uint64_t begin) : write_at_(std::move(write_at)), end_(begin) {}

  uint64_t end() const { return end_.load(); }
  uint64_t take(uint64_t bytes) { return end_.fetch_add(bytes); }
  // Gives [at, end) back where nothing was taken after it.
  void give_back(uint64_t at, uint64_t end) { end_.compare_exchange_strong(end, at); }
  void write(uint64_t at, std::string_view bytes);
  // The first error of any writer; later writes are dropped.
  Status status() const;

 private:
  WriteAt write_at_;
  std::atomic<uint64_t> end_;
  std::atomic<bool> has_failed_ = false;
  mutable std::mutex mutex_;
  Status status_;  // guarded by mutex_
};

// One thread's writer. Errors are kept by the FileEnd.
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
  std::string buffer_;
  uint64_t at_ = 0;          // of the slab
  uint64_t slab_bytes_ = 0;  // 0: none taken
};

}  // namespace weft::store

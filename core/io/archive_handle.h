// A libarchive read handle over a callback that delivers blocks. Formats, filters and entries are
// handled with the library's own functions.
#pragma once

#include <archive.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/base/result.h"

namespace weft::io {

class ArchiveHandle {
 public:
  // Returns the next block, valid until the next call; empty at the end.
  using NextBlock = std::function<Result<std::span<const std::byte>>()>;

  explicit ArchiveHandle(NextBlock next_block);

  // Opens the archive; call once, after formats and filters are set.
  bool open();
  archive* get() const { return handle_.get(); }
  // Goes to the next entry; returns what archive_read_next_header() does.
  int next(archive_entry*& entry);
  // Reads bytes of that entry: 0 at its end, -1 where it breaks off. Unlike archive_read_data(),
  // gives first what came before that.
  ptrdiff_t read(std::span<std::byte> out);
  // Why the handle's last call failed, for the user.
  std::string problem() const;

 private:
  static la_ssize_t read_block(archive* handle, void* next_block, const void** block);

  struct Free {
    void operator()(archive* handle) const { archive_read_free(handle); }
  };
  NextBlock next_block_;
  std::unique_ptr<archive, Free> handle_;
  std::span<const std::byte> data_;  // of the entry, not read yet
  int64_t gap_ = 0;                  // bytes before them that are zeros
  int64_t offset_ = 0;               // in the entry, of what is read next
};

}  // namespace weft::io

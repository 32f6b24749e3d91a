// A handle of libarchive that reads what it is given block by block. Not what it reads: that is
// said, and asked for, by the library's own functions.
#pragma once

#include <archive.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/base/result.h"

namespace weft::io {

class ArchiveHandle {
 public:
  // The block stays until the next is asked for; it is empty at the end.
  using NextBlock = std::function<Result<std::span<const std::byte>>()>;

  explicit ArchiveHandle(NextBlock next_block);

  // For once, when formats and filters are set.
  bool open();
  archive* get() const { return handle_.get(); }
  // Why its last call failed, to show.
  std::string problem() const;

 private:
  static la_ssize_t read_block(archive* handle, void* next_block, const void** block);

  struct Free {
    void operator()(archive* handle) const { archive_read_free(handle); }
  };
  NextBlock next_block_;
  std::unique_ptr<archive, Free> handle_;
};

}  // namespace weft::io

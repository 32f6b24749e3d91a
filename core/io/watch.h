// Opens a trace for somebody who may stop waiting for it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "core/base/result.h"
#include "core/io/source.h"
#include "core/io/unpacked.h"

namespace weft::io {

// Called by the reading thread every tenth of a second while a pipe has nothing to read. Returns
// false if nobody waits for the input any more; it then ends there.
using OnWait = std::function<bool()>;

struct Watch {
  OnWait on_wait = {};
  // Called by the reading thread before each block, also of an archive that is unpacked: with the
  // bytes read from disk so far, and in all (0: unknown). Returns false if nobody wants more; the
  // source then ends there, and an archive is not opened.
  std::function<bool(uint64_t bytes_done, uint64_t bytes_total)> on_block = {};
  // How archives and pages are unpacked, those within them and in a folder, too.
  Unpack unpack = unpack_here;
};

// Like Source::open(). `watch` must be callable as long as the source is read, if it is a file; the
// files of a folder are not watched.
Result<std::unique_ptr<Source>> open_watched(const std::filesystem::path& path, const Watch& watch);

}  // namespace weft::io

// A source over a pipe into which this process writes a trace.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/result.h"
#include "core/io/file_descriptor.h"
#include "core/io/source.h"
#include "core/io/watch.h"

namespace weft::io {

// Opens `pipe` like standard input in Source::open(), with the same path "-", by which readers know
// that it cannot be reopened and has no neighbouring files. Waits for the first bytes.
// `bytes_total` is the expected size, or 0 if unknown. The source ends when the pipe is closed;
// only the writer knows why.
Result<std::unique_ptr<Source>> open_pipe(FileDescriptor pipe, uint64_t bytes_total,
                                          const Watch& watch = {});

}  // namespace weft::io

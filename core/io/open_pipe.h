// The bytes of a trace that somebody in this process writes into a pipe.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/result.h"
#include "core/io/file_descriptor.h"
#include "core/io/source.h"

namespace weft::io {

// As Source::open() reads standard input, and under the same name, "-": readers know by it that it
// cannot be opened again and that nothing lies beside it. Waits for the first bytes. `bytes_total`:
// how many will come, 0 where nobody knows. The end is where the pipe is closed: why it is, they
// must be asked who write.
Result<std::unique_ptr<Source>> open_pipe(FileDescriptor pipe, uint64_t bytes_total,
                                          SourceLimits limits = {}, const OnWait& on_wait = {});

}  // namespace weft::io

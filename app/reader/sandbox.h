// Gives up, permanently, everything that a reader of traces does not need: writing, starting
// programs, the network, other processes. Linux only.
#pragma once

#include <filesystem>

namespace weft::app {

// Confines the calling process; call it before any thread is started. Files may still be opened for
// reading, and written in `scratch`, but not on kernels before 5.13. Returns false if the kernel
// does not support system call filters: then the process is merely separate.
bool enter_sandbox(const std::filesystem::path& scratch);

}  // namespace weft::app

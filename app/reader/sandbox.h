// Gives up, for good, what a reader of traces does not need: writing, starting programs, the
// network, other processes. Linux alone.
#pragma once

#include <filesystem>

namespace weft::app {

// Of the calling process; threads must not have been started. Files may still be opened to be read,
// and written in `scratch`; nowhere where the kernel is older than 5.13. False where the kernel
// takes no filter of system calls: then it is a process of its own, and no more.
bool enter_sandbox(const std::filesystem::path& scratch);

}  // namespace weft::app

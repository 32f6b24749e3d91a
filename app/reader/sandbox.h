// Gives up, for good, what a reader of traces does not need: writing, starting programs, the
// network, other processes. Linux alone; what the kernel does not know is left out.
#pragma once

#include "core/base/result.h"

namespace weft::app {

// Of the calling process; threads must not have been started. Files may still be opened to be read.
Status enter_sandbox();

}  // namespace weft::app

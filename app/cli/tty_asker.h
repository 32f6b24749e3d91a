// Asks questions of connections at the terminal.
#pragma once

#include <memory>

#include "capture/host/asker.h"

namespace weft::cli {

// Asks at the process's controlling terminal, wherever its streams are redirected; secrets are not
// echoed. Null if there is no terminal. Ctrl+C means no.
std::shared_ptr<capture::Asker> terminal_asker();

}  // namespace weft::cli

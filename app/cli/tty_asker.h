// Asks at the terminal what a connection must know.
#pragma once

#include <memory>

#include "capture/host/asker.h"

namespace weft::cli {

// At the terminal of the process, wherever its streams go; secrets are not seen while they are
// typed. Null: it has none. Ctrl+C says no.
std::shared_ptr<capture::Asker> terminal_asker();

}  // namespace weft::cli

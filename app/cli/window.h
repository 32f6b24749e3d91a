// weftscope without a sub-command: opens the window.
#pragma once

#include <CLI/CLI.hpp>

#include "app/cli/command.h"

namespace weft::cli {

Run declare_window(CLI::App& app);

}  // namespace weft::cli

// A sub-command: a row in the table (commands.cpp) and a file of its own.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace weft::cli {

// Exit statuses; part of the contract in docs/cli.md.
enum ExitCode : int {
  kSuccess = 0,
  kFailure = 1,  // one line says why
  kUsage = 2,
  kDamaged = 3,  // opened, but damaged or incomplete; what was readable was printed
};

// Runs a parsed command. An error is a failure; its message begins with the file.
using Run = std::function<Result<int>()>;

struct Command {
  std::string_view name;
  std::string_view summary;
  // Adds the command's options to `app`. The result owns the values that they are parsed into.
  Run (*declare)(CLI::App& app);
};

std::span<const Command> commands();

// Reports an error in the arguments that was found after parsing, on standard error; returns
// kUsage.
int usage_error(std::string_view message);

}  // namespace weft::cli

// What a sub-command is: a row in the table (commands.cpp) and a file.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace weft::cli {

// Part of the contract; docs/cli.md.
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
  // Adds the command's options to `app`. The result owns where they are parsed to.
  Run (*declare)(CLI::App& app);
};

std::span<const Command> commands();

// Says on standard error what is wrong with the arguments, for errors found after parsing.
int usage_error(std::string_view message);

}  // namespace weft::cli

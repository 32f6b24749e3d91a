// The command line: without a sub-command, a window. docs/cli.md is the contract with scripts.
//
// Data goes to standard output; diagnostics, one line each, and progress go to standard error.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/command.h"

namespace weft::cli {

// Runs the program; returns its exit status.
int run(int argc, char** argv);

// The parser of the whole command line; `chosen` holds the command once it has parsed.
struct Parser {
  std::unique_ptr<CLI::App> app;
  std::shared_ptr<Run> chosen;
};
Parser make_parser();

}  // namespace weft::cli

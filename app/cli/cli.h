// The command line: a window for files or nothing, a sub-command otherwise. docs/cli.md is its
// contract with scripts.
//
// Data goes to standard output; diagnostics, one line each, and progress go to standard error.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/command.h"

namespace weft::cli {

// What the program exits with.
int run(int argc, char** argv);

// The parser of the whole command line, and what it chose once it has parsed.
struct Parser {
  std::unique_ptr<CLI::App> app;
  std::shared_ptr<Run> chosen;
};
Parser make_parser();

}  // namespace weft::cli

// Options of commands that draw one panel of a trace.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/input.h"
#include "app/window/run.h"

namespace weft::cli {

struct Picture {
  Input input;
  std::vector<std::string> also;  // further traces, for commands that take several
  PictureSize size;
  app::PictureOptions shown;  // but for the files and the size

  void declare(CLI::App& app);
  // Declares FILE… and --align, too.
  void declare_several(CLI::App& app);
  app::PictureOptions options() const;

  // Opens the trace before anything is drawn, so that progress, bad times and bad expressions are
  // reported as in other commands; drawing then finds it in the cache. Returns kSuccess or kUsage.
  // Standard input can be read only once, so it is left to the drawing.
  Result<int> check_input() const;
};

}  // namespace weft::cli

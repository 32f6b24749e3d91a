#include "app/cli/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/stop_signal.h"
#include "app/session/memory_keeper.h"
#include "app/window/run.h"
#include "core/base/ascii.h"
#include "core/io/paths.h"

namespace weft::cli {
namespace {

struct WindowArguments {
  std::vector<std::string> files;
  std::string journal;
  std::string start;
  Input input;  // --symbols, --format, --option
  RecordingOptions recording;
  uint64_t memory_bytes = store::kUsualMemoryBytes;
  uint64_t memory_limit_bytes = 0;
  PictureSize size{0, 0};
};

// A command with a slip of the pen, rather than a trace that is not there.
bool may_be_command(const std::string& file) {
  std::error_code ignored;
  return !file.empty() && std::ranges::all_of(file, [](char c) { return is_lower(c); }) &&
         !std::filesystem::exists(file, ignored);
}

Result<int> run_window_command(const WindowArguments& arguments) {
  if (!arguments.files.empty() && may_be_command(arguments.files.front())) {
    return usage_error(
        fmt::format("{}: is not a command, and no file of that name is here (see weftscope --help)",
                    arguments.files.front()));
  }
  if (const std::string problem =
          arguments.recording.problem(arguments.files, arguments.input.type.follows);
      !problem.empty())
    return usage_error(problem);
  if (!app::has_display()) {
    return fail(
        "no display to open a window on; without one, try 'weftscope info FILE' or 'weftscope "
        "snapshot "
        "FILE -o OUT.png' (see weftscope --help)");
  }
  // Ctrl+C in a terminal stops what writes into the pipe, too: what it wrote is still looked at.
  std::optional<StopSignal> stop;
  if (std::ranges::find(arguments.files, "-") != arguments.files.end()) stop.emplace({SIGINT});
  WEFT_TRY(
      app::run_window({.files = {arguments.files.begin(), arguments.files.end()},
                       .type = arguments.input.type,
                       .recording = arguments.recording,
                       .symbols = {arguments.input.symbols.begin(), arguments.input.symbols.end()},
                       .journal = arguments.journal,
                       .start = arguments.start,
                       .config_folder = io::config_folder(),
                       .memory_bytes = arguments.memory_bytes,
                       .memory_limit_bytes = arguments.memory_limit_bytes,
                       .width = arguments.size.width,
                       .height = arguments.size.height}));
  return kSuccess;
}

}  // namespace

Run declare_window(CLI::App& app) {
  auto arguments = std::make_shared<WindowArguments>();
  app.add_option("FILE", arguments->files,
                 "Traces to open in a window; - reads standard input, "
                 "ssh://[user@]host[:port]/path another machine");
  app.add_option("--journal", arguments->journal, "Append every command of the session to a file")
      ->type_name("FILE");
  app.add_option("--run", arguments->start,
                 "Commands to begin with once the traces are there: a journal")
      ->type_name("JOURNAL");
  arguments->input.declare_symbols(app);
  arguments->input.type.declare(app);
  arguments->recording.declare(app);
  arguments->input.type.declare_follow(app);
  declare_memory(app, arguments->memory_bytes);
  declare_size(app, "--memory-limit",
               "Memory the program may use, imports and the GPU's included (default: none)",
               app::kLeastMemoryLimit, arguments->memory_limit_bytes);
  arguments->size.declare(app, "as it was left, 1600x1000 at first");
  return [arguments] { return run_window_command(*arguments); };
}

}  // namespace weft::cli

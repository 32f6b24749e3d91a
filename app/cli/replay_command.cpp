// weftscope replay: runs a journal of commands without a window.
#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/run.h"

namespace weft::cli {
namespace {

struct ReplayCommandOptions {
  std::string journal;
  std::vector<std::string> files;
  PictureSize size;
};

Result<int> run_replay_command(const ReplayCommandOptions& options) {
  app::ReplayOptions replay{.journal = options.journal,
                            .files = {options.files.begin(), options.files.end()},
                            .width = options.size.width,
                            .height = options.size.height};
  WEFT_TRY(app::run_replay(replay));
  return kSuccess;
}

}  // namespace

Run declare_replay(CLI::App& app) {
  auto options = std::make_shared<ReplayCommandOptions>();
  app.add_option("JOURNAL", options->journal, "Commands, one JSON object a line")->required();
  app.add_option("FILE", options->files, "Traces to open first");
  options->size.declare(app);
  return [options] { return run_replay_command(*options); };
}

}  // namespace weft::cli

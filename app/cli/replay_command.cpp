// weftscope replay: runs a journal of commands without a window.
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/output.h"
#include "app/cli/report.h"
#include "app/window/run.h"

namespace weft::cli {
namespace {

struct ReplayCommandOptions {
  std::string journal;
  std::vector<std::string> files;
  PictureSize size;
  bool has_frame_times = false;
  std::string report;
};

nlohmann::ordered_json report_json(const app::ReplayReport& report) {
  auto commands = nlohmann::ordered_json::array();
  for (const app::CommandCost& cost : report.commands) {
    commands.push_back(
        {{"command", cost.command},
         {"frames", cost.frames},
         {"cpu_ms", {{"p50", cost.cpu_ms.p50}, {"p99", cost.cpu_ms.p99}, {"max", cost.cpu_ms.max}}},
         {"settled_ms", cost.settled_ms}});
  }
  return {{"renderer", report.renderer}, {"commands", std::move(commands)}};
}

Result<int> run_replay_command(const ReplayCommandOptions& options) {
  WEFT_TRY(check_apart(options.report, {&options.journal, 1}));
  WEFT_TRY(check_apart(options.report, options.files));
  app::ReplayOptions replay{.journal = options.journal,
                            .files = {options.files.begin(), options.files.end()},
                            .width = options.size.width,
                            .height = options.size.height,
                            .report = options.report};
  WEFT_TRY_ASSIGN(const app::ReplayReport report, app::run_replay(replay));
  if (options.has_frame_times) {
    Output output;
    print_json(output, report_json(report));
    WEFT_TRY(output.finish());
  }
  WEFT_TRY(report.status);
  return exit_code_of(report.damage);
}

}  // namespace

Run declare_replay(CLI::App& app) {
  auto options = std::make_shared<ReplayCommandOptions>();
  app.add_option("JOURNAL", options->journal, "Commands, one JSON object a line")->required();
  app.add_option("FILE", options->files, "Traces to open first");
  options->size.declare(app);
  app.add_option(
      "--report", options->report,
      "Write a report of what was done there: HTML with the panels that were added to it "
      "and the pictures that were saved; Markdown where the name ends in .md");
  app.add_flag("--frame-times", options->has_frame_times,
               "Print, as JSON, what the frames of each command cost the thread that makes them");
  return [options] { return run_replay_command(*options); };
}

}  // namespace weft::cli

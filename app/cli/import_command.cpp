// weftscope import: a .weft to keep.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/peak_memory.h"
#include "app/cli/report.h"
#include "app/cli/stop_signal.h"
#include "app/cli/table.h"
#include "app/cli/tty_asker.h"
#include "app/session/trace_export.h"
#include "core/base/large_vector.h"
#include "core/base/text.h"

namespace weft::cli {
namespace {

struct ImportOptions {
  std::vector<std::string> files;
  std::string output;
  TypeOptions type;
  RecordingOptions recording;
  uint64_t memory_bytes = store::kUsualMemoryBytes;
  bool is_json = false;
};

// What many names take of the memory; what is beyond it lies in files.
constexpr uint64_t kNamesShare = 4;

struct ImportFigures {
  uint64_t events;
  double seconds;
  uint64_t peak_resident_bytes;
  uint64_t peak_private_bytes;
  uint64_t size_bytes;

  double events_per_second() const {
    return seconds > 0 ? static_cast<double>(events) / seconds : 0;
  }
  double bytes_per_event() const {
    return events > 0 ? static_cast<double>(size_bytes) / static_cast<double>(events) : 0;
  }
};

nlohmann::ordered_json figures_json(const ImportFigures& figures,
                                    const trace::Dictionary& dictionary) {
  return {{"events", figures.events},
          {"seconds", figures.seconds},
          {"events_per_second", figures.events_per_second()},
          {"peak_rss", figures.peak_resident_bytes},
          {"peak_private", figures.peak_private_bytes},
          {"bytes", figures.size_bytes},
          {"bytes_per_event", figures.bytes_per_event()},
          {"losses", losses_json(dictionary.report, dictionary)}};
}

void print_figures(const ImportFigures& figures, Output& output) {
  Table table({{""}, {""}});
  table.add({"Events", format_count(figures.events)});
  table.add({"Seconds", fmt::format("{:.3f}", figures.seconds)});
  table.add(
      {"Events per second", format_count(static_cast<uint64_t>(figures.events_per_second()))});
  table.add({"Peak resident memory", format_bytes(figures.peak_resident_bytes)});
  table.add({"Peak private memory", format_bytes(figures.peak_private_bytes)});
  table.add({"Size", format_bytes(figures.size_bytes)});
  table.add({"Bytes per event", fmt::format("{:.2f}", figures.bytes_per_event())});
  table.print(output);
}

// Reports the outcome of the trigger.
void say_trigger(const app::Opening& opening, const app::Recording& recording,
                 const store::Trace& trace) {
  if (recording.trigger.empty()) return;
  const auto hit = opening.hit();
  Output output(STDERR_FILENO);
  output.print("weftscope: {}\n", hit ? "trigger: " + printable(in_words(*hit, trace))
                                      : "no event came of which the trigger is true");
  (void)output.finish();
}

// Says so if the file to make would not be what the ending of its name says; else empty.
std::string problem_of_output(const std::string& output) {
  const auto format = app::written_format_of(output);
  if (!format || *format == app::kStoreFormat) return "";
  return fmt::format("{0}: import makes a .weft; to write {1}, use weftscope export FILE -o {0}",
                     output, *format);
}

Result<int> run_import(const ImportOptions& options) {
  if (const std::string problem = problem_of_output(options.output); !problem.empty())
    return usage_error(problem);
  if (const std::string problem = options.recording.problem(options.files, options.type.follows);
      !problem.empty())
    return usage_error(problem);
  if (options.recording.is_set() && options.files.size() > 1)
    return usage_error("--keep-last and --trigger are for one input");
  app::OpenOptions open;
  open.recording = options.recording;
  open.type = options.type;
  open.memory_bytes = options.memory_bytes;
  open.asker = terminal_asker();
  WEFT_TRY_ASSIGN(const MadeFile file, MadeFile::of(options.output, "trace.weft"));
  open.output = file.path();
  limit_large_arrays(options.memory_bytes / kNamesShare,
                     std::filesystem::absolute(file.path()).parent_path());
  open.also.assign(options.files.begin() + 1, options.files.end());
  std::optional<StopSignal> stop;
  open.may_be_stopped = std::ranges::any_of(
      options.files, [](const std::string& file) { return app::may_have_no_end(file, false); });
  if (open.may_be_stopped) stop.emplace({SIGINT, SIGTERM});
  const auto begin = std::chrono::steady_clock::now();
  const PrivateMemoryPeak private_peak;
  ThreadPool pool;
  const auto opening = app::Opening::start(options.files.front(), std::move(open), pool);
  WEFT_TRY_ASSIGN(const store::TracePtr trace,
                  wait_with_progress(*opening, stop ? &*stop : nullptr));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  const ImportFigures figures{trace->counts().total(), seconds.count(), peak_resident_bytes(),
                              private_peak.bytes(), trace->size_bytes()};
  WEFT_TRY(file.finish());
  if (stop && stop->has_come()) {
    complain(figures.events > 0 ? "stopped: what had come until then is kept"
                                : "stopped before an event had come");
  }
  say_trigger(*opening, options.recording, *trace);
  Output output = file.said();
  if (options.is_json) {
    print_json(output, figures_json(figures, trace->dictionary()));
  } else {
    print_figures(figures, output);
  }
  return finish(output, *trace, options.files.front());
}

}  // namespace

Run declare_import(CLI::App& app) {
  auto options = std::make_shared<ImportOptions>();
  app.add_option("FILE", options->files,
                 "The traces; several become one, each below a lane of its name")
      ->required();
  app.add_option("-o,--output", options->output,
                 "The .weft to make; replaced when it is complete. - prints it, and the figures to "
                 "standard "
                 "error")
      ->required()
      ->check(file_name())
      ->type_name("OUT.weft");
  options->type.declare(app);
  options->recording.declare(app);
  declare_memory(app, options->memory_bytes);
  app.add_flag("--json", options->is_json, "One JSON object");
  return [options] { return run_import(*options); };
}

}  // namespace weft::cli

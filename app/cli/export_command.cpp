// weftscope export: a part of a trace as a trace of its own.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/report.h"
#include "app/session/trace_export.h"
#include "core/base/text.h"
#include "core/io/temporary_file.h"

namespace weft::cli {
namespace {

struct ExportOptions {
  Input input;
  FilterOptions filters;
  std::vector<std::string> to;  // a format, or a time: the contract has one option for both
  std::string output;
};

// The last format named; else what the name of the file says, where it has an ending.
Result<std::string> format_of(const ExportOptions& options) {
  const auto it = std::ranges::find_if(options.to.rbegin(), options.to.rend(), app::is_written);
  if (it != options.to.rend()) return *it;
  const std::filesystem::path file = options.output;
  return file.has_extension() ? app::written_format_of(file) : std::string(app::kStoreFormat);
}

Result<int> run_export(const ExportOptions& options) {
  const auto format = format_of(options);
  if (!format) return usage_error(format.error().message + "; --to names a format");
  ThreadPool pool;
  WEFT_TRY_ASSIGN(const TracePtr trace, options.input.open(pool));
  const auto selection = options.filters.select(*trace);
  if (!selection) return usage_error(selection.error().message);
  app::TraceExport what{trace, *selection, *format, options.output, options.input.memory_bytes};
  app::Job::Progress progress;
  const bool is_printed = options.output == "-";
  std::optional<io::TemporaryFolder> folder;  // what is printed is printed when it is whole
  if (is_printed) {
    WEFT_TRY_ASSIGN(folder, io::TemporaryFolder::create());
    what.file = folder->path() / "part";
  }
  WEFT_TRY_ASSIGN(const app::Exported written, app::export_trace(what, pool, progress));
  if (is_printed) WEFT_TRY(print_file(what.file));
  Output output(is_printed ? STDERR_FILENO : STDOUT_FILENO);
  output.print("{} of {} events as {}, {}\n", format_count(written.events),
               format_count(trace->counts().total()), what.format, format_bytes(written.bytes));
  if (written.left_out > 0)
    output.print("{} of them have no place in {}\n", format_count(written.left_out), what.format);
  return finish(output, *trace, options.input.shown_file());
}

}  // namespace

Run declare_export(CLI::App& app) {
  auto options = std::make_shared<ExportOptions>();
  options->input.declare(app, "--input-format");
  app.add_option("-o,--output", options->output,
                 "The file to make; replaced when it is complete. - prints it, and what is said of "
                 "it to standard error")
      ->required()
      ->type_name("OUT");
  app.add_option("--to", options->to,
                 "The format to write: weft, or one that `weftscope formats` says is written "
                 "(default: what OUT ends in; weft where it has no ending). A time (--to 40%, as "
                 "elsewhere): only what "
                 "lies before it; may be given beside a format")
      ->type_name("ID|T")
      ->take_all()
      ->allow_extra_args(false);
  options->filters.declare(app, {"category", "lane", "type", "from", "where"});
  return [options] {
    for (const std::string& to : options->to) {
      if (!app::is_written(to)) options->filters.use("to", to);
    }
    return run_export(*options);
  };
}

}  // namespace weft::cli

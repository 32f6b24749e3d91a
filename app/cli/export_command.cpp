// weftscope export: a part of a trace as a trace of its own.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/report.h"
#include "app/session/trace_export.h"
#include "core/base/text.h"

namespace weft::cli {
namespace {

struct ExportOptions {
  Input input;
  FilterOptions filters;
  std::vector<std::string> to;  // a format, or a time: the contract has one option for both
  std::string output;
};

// Neither a format nor a time: those have digits.
bool means_format(const std::string& to) {
  return !app::is_written(to) &&
         std::ranges::none_of(to, [](char c) { return '0' <= c && c <= '9'; });
}

// The format named; else what the name of the file says, where it has an ending.
Result<std::string> format_of(const ExportOptions& options) {
  for (const std::string& to : options.to) {
    if (means_format(to))
      return fail(fmt::format("--to: '{}' is not a format that is written ({})", printable(to),
                              fmt::join(app::written_formats(), ", ")));
  }
  for (const std::string& to : options.to) {
    const auto contradicts = [&](const std::string& other) {
      return app::is_written(other) == app::is_written(to) && other != to;
    };
    const auto other = std::ranges::find_if(options.to, contradicts);
    if (other != options.to.end()) return fail(fmt::format("--to: {} contradicts {}", *other, to));
  }
  const auto it = std::ranges::find_if(options.to, app::is_written);
  if (it != options.to.end()) return *it;
  const std::filesystem::path file = options.output;
  if (!file.has_extension()) return std::string(app::kStoreFormat);
  auto format = app::written_format_of(file);
  if (!format) return fail(format.error().message + "; --to names a format");
  return format;
}

Result<int> run_export(const ExportOptions& options) {
  const auto format = format_of(options);
  if (!format) return usage_error(format.error().message);
  ThreadPool pool;
  WEFT_TRY_ASSIGN(const store::TracePtr trace, options.input.open(pool));
  WEFT_TRY(check_apart(options.output, {&options.input.file, 1}));
  const auto selection = options.filters.select(*trace);
  if (!selection) return usage_error(selection.error().message);
  WEFT_TRY_ASSIGN(const MadeFile file, MadeFile::of(options.output, "part"));
  const app::TraceExport what{trace, *selection, *format, file.path(), options.input.memory_bytes};
  app::Job::Progress progress;
  WEFT_TRY_ASSIGN(const app::Exported written, app::export_trace(what, pool, progress));
  WEFT_TRY(file.finish());
  Output output = file.said();
  output.print("{} of {} events as {}, {}\n", format_count(written.events),
               format_count(trace->counts().total()), what.format, format_bytes(written.bytes));
  if (!written.left_out.empty())
    output.print("{} has no place for {}\n", what.format, written.left_out);
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
      ->check(file_name())
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

// weftscope export: a part of a trace as a trace of its own.
#include <filesystem>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/report.h"
#include "core/base/text.h"
#include "core/query/extract.h"
#include "core/store/builder.h"

namespace weft::cli {
namespace {

struct ExportOptions {
  Input input;
  FilterOptions filters;
  std::vector<std::string> to;  // a format, or a time: the contract has one option for both
  std::string output;
};

constexpr std::string_view kFormat = "weft";

Result<int> run_export(const ExportOptions& options) {
  ThreadPool pool;
  WEFT_TRY_ASSIGN(const TracePtr trace, options.input.open(pool));
  const auto selection = options.filters.select(*trace);
  if (!selection) return usage_error(selection.error().message);
  WEFT_TRY_ASSIGN(const auto builder,
                  store::StoreBuilder::create({.path = options.output,
                                               .format = trace->dictionary().format,
                                               .memory_bytes = options.input.memory_bytes},
                                              pool));
  query::extract(trace, *selection, *builder);
  WEFT_TRY_ASSIGN(const auto part, builder->finish());
  Output output;
  output.print("{} of {} events, {}\n", format_count(part->counts().total()),
               format_count(trace->counts().total()), format_bytes(part->size_bytes()));
  return finish(output, *trace, options.input.shown_file());
}

}  // namespace

Run declare_export(CLI::App& app) {
  auto options = std::make_shared<ExportOptions>();
  options->input.declare(app, "--input-format");
  app.add_option("-o,--output", options->output, "The file to make; replaced when it is complete")
      ->required()
      ->type_name("OUT.weft");
  app.add_option(
         "--to", options->to,
         "The format to write: weft (the default). A time (--to 40%, as elsewhere): only what "
         "lies before it; may be given beside a format")
      ->type_name("ID|T")
      ->expected(1)
      ->take_all();
  options->filters.declare(app, {"category", "lane", "type", "from", "where"});
  return [options] {
    for (const std::string& to : options->to) {
      if (to != kFormat) options->filters.use("to", to);
    }
    return run_export(*options);
  };
}

}  // namespace weft::cli

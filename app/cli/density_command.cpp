// weftscope density: how many events begin in equal parts of time.
#include "core/query/density.h"

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/report.h"

namespace weft::cli {
namespace {

constexpr uint32_t kMaxBins = 10'000'000;

struct DensityOptions {
  Input input;
  FilterOptions filters;
  uint32_t count = 0;
  bool is_json = false;
};

Result<int> run_density(const DensityOptions& options) {
  ThreadPool pool;
  WEFT_TRY_ASSIGN(const store::TracePtr trace, options.input.open(pool));
  const auto selection = options.filters.select(*trace);
  if (!selection) return usage_error(selection.error().message);
  const auto bins = query::density(*trace, *selection, options.count, pool);
  Output output;
  print_json(
      output,
      {{"from", selection->range.begin.ticks}, {"to", selection->range.end.ticks}, {"bins", bins}});
  return finish(output, *trace, options.input.shown_file());
}

}  // namespace

Run declare_density(CLI::App& app) {
  auto options = std::make_shared<DensityOptions>();
  options->input.declare(app);
  options->filters.declare(app, {"category", "lane", "type", "where", "from", "to"});
  app.add_option("--count", options->count, "How many parts")
      ->required()
      ->check(CLI::Range(1u, kMaxBins))
      ->type_name("N");
  app.add_flag("--json", options->is_json, "Accepted; the output is JSON in any case");
  return [options] { return run_density(*options); };
}

}  // namespace weft::cli

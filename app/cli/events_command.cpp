// weftscope events: the events in order of time.
#include <limits>

#include "app/cli/command.h"
#include "app/cli/event_writer.h"
#include "app/cli/input.h"
#include "app/cli/report.h"

namespace weft::cli {
namespace {

struct EventsOptions {
  Input input;
  FilterOptions filters;
  uint64_t limit = std::numeric_limits<uint64_t>::max();
  std::string format = "table";
};

Result<int> run_events(const EventsOptions& options) {
  ThreadPool pool;
  WEFT_TRY_ASSIGN(const store::TracePtr trace, options.input.open(pool));
  auto selection = options.filters.select(*trace);
  if (!selection) return usage_error(selection.error().message);
  Output output;
  const auto writer = make_event_writer(options.format, *trace, output);
  query::EventStream stream(trace, std::move(*selection));
  query::Event event{};
  for (uint64_t i = 0; i < options.limit && output.is_open() && stream.next(event); ++i) {
    writer->write(event);
  }
  return finish(output, *trace, options.input.shown_file());
}

}  // namespace

Run declare_events(CLI::App& app) {
  auto options = std::make_shared<EventsOptions>();
  options->input.declare(app, "--input-format");
  options->filters.declare(app, {"category", "lane", "type", "where", "from", "to"});
  app.add_option("--limit", options->limit, "At most N events")
      ->check(whole_number())
      ->type_name("N");
  declare_event_format(app, options->format);
  return [options] { return run_events(*options); };
}

}  // namespace weft::cli

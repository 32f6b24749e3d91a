// weftscope find: the events that an expression lets pass, from a time on, forwards or backwards.

#include "app/cli/command.h"
#include "app/cli/event_writer.h"
#include "app/cli/input.h"
#include "app/cli/report.h"
#include "core/query/filter/filter_compiler.h"
#include "core/query/search.h"

namespace weft::cli {
namespace {

struct FindOptions {
  Input input;
  std::string expression;
  std::string from;
  uint64_t limit = 10;
  bool is_backwards = false;
  bool counts = false;
  std::string format = "table";
};

class Finder {
 public:
  Finder(const FindOptions& options, store::TracePtr trace, query::Selection selection,
         ThreadPool& pool)
      : options_(options),
        trace_(std::move(trace)),
        selection_(std::move(selection)),
        pool_(pool) {}

  void count(Output& output) {
    query::Search search(trace_, selection_, 1);
    search.run(pool_);
    if (options_.format == "jsonl") {
      print_json(output, {{"hits", search.hits_in(0)}});
    } else {
      output.print("{}\n", search.hits_in(0));
    }
  }

  void list(Output& output) {
    const auto writer = make_event_writer(options_.format, *trace_, output);
    options_.is_backwards ? backwards(*writer, output) : forwards(*writer, output);
  }

 private:
  // On all threads to the first one; from there on in a stream.
  void forwards(EventWriter& writer, Output& output) {
    const Time from = selection_.range.begin;
    const auto first = next_hit(*trace_, selection_, query::EventPlace::before(from), pool_);
    if (!first) return;
    selection_.range.begin = first->place.time;
    query::EventStream stream(trace_, selection_);
    query::Event event{};
    for (uint64_t i = 0; i < options_.limit && output.is_open() && stream.next(event);) {
      if (event.record->begin < first->place.time) continue;  // reaches over it
      writer.write(event);
      ++i;
    }
  }

  void backwards(EventWriter& writer, Output& output) {
    auto place = query::EventPlace::after(selection_.range.end);
    for (uint64_t i = 0; i < options_.limit && output.is_open(); ++i) {
      const auto hit = previous_hit(*trace_, selection_, place, pool_);
      if (!hit) return;
      writer.write({&trace_->row(hit->place.row), &hit->record});
      place = hit->place;
    }
  }

  const FindOptions& options_;
  store::TracePtr trace_;
  query::Selection selection_;
  ThreadPool& pool_;
};

Result<int> run_find(const FindOptions& options) {
  ThreadPool pool;
  WEFT_TRY_ASSIGN(const store::TracePtr trace, options.input.open(pool));
  const auto filter = query::compile_filter(options.expression, *trace);
  if (!filter) return usage_error(filter.error().one_line(options.expression));
  query::Selection selection{*filter, query::whole_range(*trace)};
  if (!options.from.empty()) {
    const auto from = parse_time(options.from, trace->range(), trace->dictionary().time_base);
    if (!from) return usage_error(from.error().message);
    (options.is_backwards ? selection.range.end : selection.range.begin) = *from;
  }
  Output output;
  Finder finder(options, trace, std::move(selection), pool);
  options.counts ? finder.count(output) : finder.list(output);
  return finish(output, *trace, options.input.shown_file());
}

}  // namespace

Run declare_find(CLI::App& app) {
  auto options = std::make_shared<FindOptions>();
  options->input.declare(app, "--input-format");
  app.add_option("EXPR", options->expression,
                 "A name, or an expression such as 'dur > 5ms && type =~ /irq/'")
      ->required();
  app.add_option("--from", options->from,
                 "Where to begin: ticks, +12.5ms or 40% (default: the begin; backwards: the end)")
      ->type_name("T");
  app.add_option("--limit", options->limit, "At most N hits (default 10)")
      ->check(whole_number())
      ->type_name("N");
  app.add_flag("--backwards", options->is_backwards, "From there towards the begin");
  app.add_flag("--count", options->counts, "Only how many there are from there on");
  exclude(app, "--limit", {"--count"});
  declare_event_format(app, options->format);
  return [options] { return run_find(*options); };
}

}  // namespace weft::cli

// weftscope info: what a trace holds.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/report.h"
#include "app/cli/table.h"
#include "app/session/losses.h"
#include "core/base/text.h"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;

struct InfoOptions {
  Input input;
  bool is_json = false;
};

ordered_json symbols_json(const app::NamedTrace& named) {
  const symbols::Symbols& symbols = *named.symbols;
  const symbols::Naming& naming = named.naming;
  return {{"files", symbols.files},
          {"constants", symbols.constants.size()},
          {"structs", symbols.structs.size()},
          {"lanes", {{"family", naming.queues}, {"named", naming.lanes_named}}},
          {"types", {{"family", naming.types}, {"named", naming.types_named}}},
          {"losses", losses_json(symbols.report, named.trace->dictionary())}};
}

ordered_json info_json(const store::Trace& trace) {
  const trace::Dictionary& dictionary = trace.dictionary();
  ordered_json counts;
  for (int i = 0; i < trace::kCategoryCount; ++i) {
    const auto category = static_cast<trace::Category>(i);
    counts[std::string(name_of(category))] = trace.counts()[category];
  }
  ordered_json metadata = ordered_json::object();
  for (const auto& [key, value] : dictionary.metadata) metadata[key] = value;
  return {{"format", dictionary.format},
          {"begin", trace.range().begin.ticks},
          {"end", trace.range().end.ticks},
          {"time_base", name_of(dictionary.time_base)},
          {"lanes", dictionary.lanes.size()},
          {"rows", trace.rows().size()},
          {"event_types", dictionary.types.size()},
          {"counts", std::move(counts)},
          {"losses", losses_json(dictionary.report, dictionary)},
          {"bytes", trace.size_bytes()},
          {"metadata", std::move(metadata)}};
}

// The place in the input; for losses found only later, the place on the time line.
std::string place_of(const trace::Loss& loss, const store::Trace& trace) {
  constexpr size_t kMostShown = 6;
  std::string text = app::in_input(loss, kMostShown);
  if (!text.empty() || loss.first.empty()) return text;
  const trace::LossPlace& place = loss.first.front();
  const trace::Dictionary& dictionary = trace.dictionary();
  if (place.time)
    text = format_time(*place.time, dictionary.time_base, trace.range().length(), Duration{1});
  if (!place.lane.is_none()) {
    if (!text.empty()) text += ", ";
    text += dictionary.path_text(place.lane);
  }
  return text;
}

void print_losses(const trace::ImportReport& report, const store::Trace& trace,
                  std::string_view title, Output& output) {
  if (report.losses().empty()) return;
  output.print("\n{}\n", title);
  Table table({{"count", Align::kRight}, {"kind"}, {"first at"}, {"damage"}});
  for (const trace::Loss& loss : report.losses()) {
    table.add({format_count(loss.count), loss.kind, place_of(loss, trace),
               loss.is_damage ? "yes" : "no"});
  }
  table.print(output);
}

void print_symbols(const app::NamedTrace& named, Output& output) {
  output.print("\n{} ({} constants in {} files)\n", named.news(),
               format_count(named.symbols->constants.size()), format_count(named.symbols->files));
  print_losses(named.symbols->report, *named.trace, "Not understood", output);
}

void print_info(const store::Trace& trace, const std::string& file, Output& output) {
  const trace::Dictionary& dictionary = trace.dictionary();
  const TimeRange range = trace.range();
  const auto time = [&](Time t) {
    return format_time(t, dictionary.time_base, range.length(), Duration{1});
  };
  Table table({{""}, {""}});
  table.add({"File", file});
  table.add({"Format", dictionary.format});
  table.add({"Begin", time(range.begin)});
  table.add({"End", time(range.end)});
  table.add({"Length", trace.is_instant() ? "one instant"
                                          : format_duration(range.length(), dictionary.time_base)});
  table.add({"Time base", std::string(name_of(dictionary.time_base))});
  table.add({"Lanes", format_count(dictionary.lanes.size())});
  table.add({"Rows", format_count(trace.rows().size())});
  table.add({"Event types", format_count(dictionary.types.size())});
  for (int i = 0; i < trace::kCategoryCount; ++i) {
    const auto category = static_cast<trace::Category>(i);
    table.add(
        {fmt::format("Events: {}", name_of(category)), format_count(trace.counts()[category])});
  }
  if (trace.counts().total() == 0) table.add({"Note", "The trace holds no events"});
  table.add({"Size as .weft", format_bytes(trace.size_bytes())});
  for (const auto& [key, value] : dictionary.metadata) table.add({key, value});
  table.print(output);
  print_losses(dictionary.report, trace, "Losses", output);
}

Result<int> run_info(const InfoOptions& options) {
  ThreadPool pool;
  WEFT_TRY_ASSIGN(const app::NamedTrace named, options.input.open_named(pool));
  Output output;
  if (options.is_json) {
    ordered_json info = info_json(*named.trace);
    if (named.symbols) info["symbols"] = symbols_json(named);
    print_json(output, info);
  } else {
    print_info(*named.trace, options.input.shown_file(), output);
    if (named.symbols) print_symbols(named, output);
  }
  return finish(output, *named.trace, options.input.shown_file());
}

}  // namespace

Run declare_info(CLI::App& app) {
  auto options = std::make_shared<InfoOptions>();
  options->input.declare(app);
  app.add_flag("--json", options->is_json, "One JSON object");
  return [options] { return run_info(*options); };
}

}  // namespace weft::cli

#include "app/cli/picture.h"

#include <fmt/core.h>

#include <tuple>

#include "app/cli/command.h"
#include "core/query/filter/filter_compiler.h"

namespace weft::cli {

void Picture::declare(CLI::App& app) {
  input.declare_file(app);
  app.add_option("--panel", shown.panel, "Which panel (default gantt); workbench draws all of them")
      ->check(CLI::IsMember(app::picture_panels()))
      ->type_name("ID");
  input.declare_symbols(app);
  input.type.declare(app);
  size.declare(app);
  app.add_option("--from", shown.from, "Begin of the time shown: ticks, +12.5ms or 40%")
      ->type_name("T");
  app.add_option("--to", shown.to, "End of the time shown")->type_name("T");
  app.add_option("--where", shown.where,
                 "The filter: an expression such as 'dur > 5ms && type =~ /irq/' (dim by default)")
      ->type_name("EXPR");
  app.add_option("--filter", shown.filter,
                 "What does not pass it: off (as it is), dim (default: in grey) or hide")
      ->check(CLI::IsMember({"off", "dim", "hide"}))
      ->type_name("off|dim|hide");
  app.add_option("--theme", shown.theme, "dark (default) or light")
      ->check(CLI::IsMember({"dark", "light"}))
      ->type_name("dark|light");
}

void Picture::declare_several(CLI::App& app) {
  declare(app);
  app.add_option("MORE", also, "Further traces, drawn below on the same time line")
      ->type_name("FILE");
  app.add_option("--align", shown.align,
                 "Several traces: by their clocks (default) or their beginnings")
      ->check(CLI::IsMember({"clock", "begins"}))
      ->type_name("clock|begins");
}

app::PictureOptions Picture::options() const {
  app::PictureOptions options = shown;
  options.file = input.file;
  options.type = input.type;
  options.also = {also.begin(), also.end()};
  options.width = size.width;
  options.height = size.height;
  options.symbols = {input.symbols.begin(), input.symbols.end()};
  return options;
}

Result<int> Picture::check_input() const {
  if (input.file == "-") return kSuccess;
  ThreadPool pool;
  for (const std::string& file : also) {
    Input other = input;
    other.file = file;
    WEFT_TRY(other.open_all(pool));
  }
  WEFT_TRY_ASSIGN(const std::vector<store::TracePtr> traces, input.open_all(pool));
  const store::TracePtr& trace = traces.front();
  const std::string &from = shown.from, &to = shown.to, &where = shown.where;
  TimeRange range = trace->range();
  for (const auto& [name, time, end] :
       {std::tuple("from", &from, &range.begin), std::tuple("to", &to, &range.end)}) {
    if (time->empty()) continue;
    const auto parsed = parse_time(*time, trace->range(), trace->dictionary().time_base);
    if (!parsed) return usage_error(fmt::format("{}: {}", name, parsed.error().message));
    *end = *parsed;
  }
  if (range.is_empty() && from.empty() != to.empty())
    return usage_error(to.empty() ? "the range begins where the trace is over"
                                  : "the range ends before the trace begins");
  if (range.is_empty() && !from.empty())
    return usage_error(range.end == range.begin ? "the range is empty"
                                                : "the range ends before it begins");
  if (!where.empty()) {
    const auto compiled = query::compile_filter(where, *trace);
    if (!compiled) return usage_error("--where: " + compiled.error().one_line(where));
  }
  return kSuccess;
}

}  // namespace weft::cli

// weftscope columns: what each row of states holds in equal columns of time.
#include "core/query/columns.h"

#include "app/base/json_text.h"
#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/report.h"

namespace weft::cli {
namespace {

constexpr uint32_t kMaxColumns = 10'000'000;  // per row; about 100 bytes each as text

struct ColumnsOptions {
  Input input;
  FilterOptions filters;
  uint32_t count = 0;
  bool is_json = false;
};

// `,"name":[…]`, one value per column.
template <class Columns, class Value>
void print_array(Output& output, std::string_view name, const Columns& columns,
                 const Value& value) {
  output.print(",\"{}\":[", name);
  bool is_first = true;
  for (const auto& column : columns) {
    if (!is_first) output.text(",");
    is_first = false;
    value(column);
  }
  output.text("]");
}

void print_row(Output& output, const trace::Dictionary& dictionary, const store::Row& row,
               const std::vector<aggregate::Column>& columns) {
  using aggregate::Column;
  output.text("{\"lane\":[");
  bool is_first = true;
  for (const std::string& name : dictionary.path(row.lane)) {
    output.print("{}{}", is_first ? "" : ",", app::json_string(name));
    is_first = false;
  }
  output.print("],\"depth\":{}", row.depth);
  print_array(output, "count", columns, [&](const Column& c) { output.print("{}", c.count); });
  print_array(output, "busy", columns, [&](const Column& c) { output.print("{}", c.busy); });
  print_array(output, "type", columns, [&](const Column& c) {
    const bool is_known = c.type.value() < dictionary.types.size();
    output.text(is_known ? app::json_string(dictionary.type(c.type).name) : "null");
  });
  print_array(output, "share", columns, [&](const Column& c) {
    const double share =
        c.busy > 0 ? static_cast<double>(c.type_busy) / static_cast<double>(c.busy) : 0;
    output.print("{}", share);
  });
  output.text("}\n");
}

Result<int> run_columns(const ColumnsOptions& options) {
  ThreadPool pool;
  WEFT_TRY_ASSIGN(const store::TracePtr trace, options.input.open(pool));
  const auto selection = options.filters.select(*trace);
  if (!selection) return usage_error(selection.error().message);
  if (const Status status = query::check_columns(selection->range, options.count); !status) {
    return usage_error(status.error().message);
  }
  Output output;
  for (const store::Row& row : trace->rows()) {
    if (row.kind != store::RowKind::kState ||
        selection->of(*trace, row).filter().leaves_row_out()) {
      continue;
    }
    if (!output.is_open()) break;
    print_row(output, trace->dictionary(), row,
              query::columns(*trace, row, *selection, options.count));
  }
  return finish(output, *trace, options.input.shown_file());
}

}  // namespace

Run declare_columns(CLI::App& app) {
  auto options = std::make_shared<ColumnsOptions>();
  options->input.declare(app);
  options->filters.declare(app, {"lane", "type", "where", "from", "to"});
  options->filters.require(app, {"from", "to"});
  app.add_option("--count", options->count, "How many columns; must divide the range")
      ->required()
      ->check(CLI::Range(1u, kMaxColumns))
      ->type_name("N");
  app.add_flag("--json", options->is_json, "Accepted; the output is JSON lines in any case");
  return [options] { return run_columns(*options); };
}

}  // namespace weft::cli

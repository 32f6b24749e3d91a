// weftscope order: in which order the lanes of a message diagram stand, and how long its arrows
// are.
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/report.h"
#include "app/cli/table.h"
#include "core/layout/sequence_order.h"

namespace weft::cli {
namespace {

using layout::MessageOrder;
using nlohmann::ordered_json;

constexpr MessageOrder kOrders[] = {MessageOrder::kFirst, MessageOrder::kGroups,
                                    MessageOrder::kForce, MessageOrder::kShort};

struct OrderOptions {
  Input input;
  FilterOptions filters;
  std::string method = std::string(name_of(MessageOrder::kShort));
  bool compares = false;
  bool is_json = false;
};

Result<int> run_order(const OrderOptions& options) {
  ThreadPool pool;
  WEFT_TRY_ASSIGN(const store::TracePtr trace, options.input.open(pool));
  const auto selection = options.filters.select(*trace);
  if (!selection) return usage_error(selection.error().message);
  const query::Traffic traffic = measure_traffic(*trace, *selection, pool);
  const trace::Dictionary& dictionary = trace->dictionary();
  const auto ordered = [&, shown = layout::all_shown(dictionary)](MessageOrder method) {
    return layout::order_lanes(traffic, shown, method);
  };
  const MessageOrder method = *layout::message_order_from_name(options.method);
  const layout::SequenceOrder order = ordered(method);
  Output output;
  if (options.is_json) {
    auto lanes = ordered_json::array();
    for (const LaneId lane : order.lanes) lanes.push_back(dictionary.path(lane));
    ordered_json json{
        {"method", options.method}, {"length", order.length}, {"lanes", std::move(lanes)}};
    if (options.compares) {
      for (const MessageOrder other : kOrders)
        json["lengths"][std::string(name_of(other))] = ordered(other).length;
    }
    print_json(output, json);
  } else {
    Table table({{"", Align::kRight}, {"lane"}});
    for (size_t place = 0; place < order.lanes.size(); ++place)
      table.add({std::to_string(place + 1), dictionary.path_text(order.lanes[place])});
    table.print(output);
    output.print("\nlength of all arrows ({}): {}\n", options.method, order.length);
    for (const MessageOrder other : kOrders) {
      if (options.compares && other != method)
        output.print("length of all arrows ({}): {}\n", name_of(other), ordered(other).length);
    }
  }
  return finish(output, *trace, options.input.shown_file());
}

}  // namespace

Run declare_order(CLI::App& app) {
  auto options = std::make_shared<OrderOptions>();
  options->input.declare(app);
  std::set<std::string> methods;
  for (const MessageOrder order : kOrders) methods.emplace(name_of(order));
  app.add_option(
         "--method", options->method,
         "first (as they appear), groups (that talk among themselves), force (springs), short "
         "(the shortest arrows known; default)")
      ->check(CLI::IsMember(methods))
      ->type_name("METHOD");
  options->filters.declare(app, {"lane", "type", "where", "from", "to"});
  app.add_flag("--compare", options->compares, "Also the length that each method gives");
  app.add_flag("--json", options->is_json, "One JSON object");
  return [options] { return run_order(*options); };
}

}  // namespace weft::cli

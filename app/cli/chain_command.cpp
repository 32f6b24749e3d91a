// weftscope chain: what caused a message, or what it caused.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/report.h"
#include "app/cli/table.h"
#include "core/query/filter/causal_filter.h"
#include "core/query/filter/param_predicate.h"
#include "core/query/messages/causality.h"
#include "core/trace/message_id.h"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;
using query::CausalMessage;
using query::CausalTree;

constexpr size_t kMostIndented = 40;  // levels: lines of a long chain stay readable

struct ChainOptions {
  Input input;
  std::string message;
  std::string at;
  std::string field;
  bool asks_cause = false;
  bool asks_effect = false;
  uint64_t limit = 10'000;
  std::string format = "table";
};

std::optional<uint64_t> id_of(const store::Trace& trace, const CausalMessage& message) {
  return trace::message_id(trace.params(message.record.params).json);
}

class ChainPrinter {
 public:
  ChainPrinter(const store::Trace& trace, const CausalTree& tree, std::string_view field,
               Output& output)
      : trace_(trace),
        dictionary_(trace.dictionary()),
        tree_(tree),
        field_(field),
        output_(output) {}

  void json(query::Causal direction) {
    auto messages = ordered_json::array();
    for (const CausalMessage& message : tree_.messages) messages.push_back(json_of(message));
    // A chain of a state may be empty.
    const ordered_json json{{"message", messages.empty() ? ordered_json() : messages[0]["id"]},
                            {"direction", direction == query::Causal::kCauses ? "cause" : "effect"},
                            {"messages", std::move(messages)},
                            {"is_cut", tree_.is_cut}};
    print_json(output_, json);
  }

  void table() {
    std::vector<Table::Column> columns = {{"message"},
                                          {"type"},
                                          {"from"},
                                          {"to"},
                                          {"sent", Align::kRight},
                                          {"on its way", Align::kRight},
                                          {"waited", Align::kRight},
                                          {"handled in", Align::kRight}};
    if (!field_.empty()) columns.push_back({std::string(field_)});
    Table table(std::move(columns));
    for (const uint32_t i : depth_first(tree_)) table.add(cells_of(tree_.messages[i]));
    table.print(output_);
    if (tree_.is_cut) output_.text("There are more: --limit\n");
  }

 private:
  ordered_json json_of(const CausalMessage& message) const {
    const query::LinkEnds& ends = message.ends;
    ordered_json json;
    const auto set = [&](const char* key, bool is_known, const auto& value) {
      json[key] = is_known ? ordered_json(value) : ordered_json(nullptr);
    };
    const auto id = id_of(trace_, message);
    set("id", id.has_value(), id.value_or(0));
    set("parent", message.from != CausalMessage::kNone, message.from);
    json["distance"] = message.distance;
    json["type"] = dictionary_.type(ends.type).name;
    set("sender", ends.is_sent(), path(ends.source));
    set("receiver", ends.is_received(), path(ends.target));
    set("send", ends.is_sent(), ends.send.ticks);
    set("receive", ends.is_received(), ends.receive.ticks);
    set("begin", ends.is_received(), message.handling.begin.ticks);
    const auto& state = message.handling.state;
    set("end", state.has_value(), state ? state->record.end().ticks : 0);
    if (field_.empty()) return json;
    const auto value = value_of(message);
    set("value", value.has_value(), value.value_or(""));
    json["changed"] = has_changed(message);
    return json;
  }

  std::vector<std::string> path(LaneId lane) const {
    return lane.is_none() ? std::vector<std::string>() : dictionary_.path(lane);
  }

  std::optional<std::string> value_of(const CausalMessage& message) const {
    return query::field_text(trace_, message.record, field_);
  }
  // From the message next to it, towards the one that was asked about.
  bool has_changed(const CausalMessage& message) const {
    if (message.from == CausalMessage::kNone) return false;
    const auto value = value_of(message);
    const auto other = value_of(tree_.messages[message.from]);
    return value && other && *value != *other;
  }

  std::vector<std::string> cells_of(const CausalMessage& message) const {
    const query::LinkEnds& ends = message.ends;
    const TimeBase base = dictionary_.time_base;
    const auto lane = [&](LaneId id, const char* none) {
      return id.is_none() ? std::string(none) : dictionary_.path_text(id);
    };
    const auto duration = [&](std::optional<Duration> value) {
      return value ? format_duration(*value, base) : std::string();
    };
    const auto id = id_of(trace_, message);
    const auto& state = message.handling.state;
    std::vector<std::string> cells = {
        std::string(std::min<size_t>(message.distance, kMostIndented) * 2, ' ') +
            (id ? std::to_string(*id) : "(no id)"),
        std::string(dictionary_.type(ends.type).name),
        lane(ends.source, "(unknown)"),
        lane(ends.target, "(never received)"),
        ends.is_sent() ? format_time(ends.send, base, trace_.range().length(), Duration{1}) : "",
        duration(query::latency_of(trace_, ends)),
        ends.is_received() ? duration(message.waiting()) : "",
        state ? duration(message.handling.work()) : ""};
    if (field_.empty()) return cells;
    cells.push_back((has_changed(message) ? "≠ " : "  ") + value_of(message).value_or(""));
    return cells;
  }

  const store::Trace& trace_;
  const trace::Dictionary& dictionary_;
  const CausalTree& tree_;
  std::string_view field_;  // that is followed; empty: none
  Output& output_;
};

// The message of that id, of several the one that `at` names; or what is named by its place.
Result<query::Element> element_asked(const query::Elements& elements, const ChainOptions& options,
                                     std::optional<Time> at) {
  if (const auto id = trace::message_id_from_text(options.message)) {
    WEFT_TRY_ASSIGN(const query::EventPlace place,
                    query::message_with_id(*elements.trace(), *id, at));
    return *elements.at(place);
  }
  WEFT_TRY_ASSIGN(const std::vector<query::Element> found,
                  query::elements_named(elements, options.message));
  return found.front();
}

Result<int> run_chain(const ChainOptions& options) {
  if (options.asks_cause == options.asks_effect) return usage_error("say --cause or --effect");
  if (!options.at.empty() && !trace::message_id_from_text(options.message))
    return usage_error("--at tells messages of one id apart, and --message is none");
  ThreadPool pool;
  WEFT_TRY_ASSIGN(const store::TracePtr trace, options.input.open(pool));
  std::optional<Time> at;
  if (!options.at.empty()) {
    const auto time = parse_time(options.at, trace->range(), trace->dictionary().time_base);
    if (!time) return usage_error(time.error().message);
    at = *time;
  }
  const query::Elements elements(trace);
  auto element = element_asked(elements, options, at);
  if (!element) return fail(std::move(element).error().context(options.input.shown_file()));
  const query::Causality causality(elements);
  const auto direction = options.asks_cause ? query::Causal::kCauses : query::Causal::kEffects;
  const CausalTree tree = causality.tree(*element, direction, options.limit);
  Output output;
  ChainPrinter printer(*trace, tree, options.field, output);
  options.format == "json" ? printer.json(direction) : printer.table();
  return finish(output, *trace, options.input.shown_file());
}

}  // namespace

Run declare_chain(CLI::App& app) {
  auto options = std::make_shared<ChainOptions>();
  options->input.declare(app, "--input-format");
  app.add_option("--message", options->message,
                 "The message, by its id: 77, 0x4D or 4d; or by where it is sent: LANE@TIME")
      ->required()
      ->type_name("ID|LANE@TIME");
  app.add_flag("--cause", options->asks_cause, "What may have led to it");
  app.add_flag("--effect", options->asks_effect, "What may have followed from it");
  app.add_option("--at", options->at, "Where several have the id: the one of this time")
      ->type_name("T");
  app.add_option(
         "--field", options->field,
         "Follow this parameter, or field of the payload (payload.NAME): its value in each message")
      ->type_name("NAME");
  app.add_option("--limit", options->limit, "At most N messages, the nearest (default 10000)")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1'000'000}))
      ->type_name("N");
  declare_print_format(app, "How to print them: table (default) or json", {"table", "json"}, "json",
                       options->format);
  return [options] { return run_chain(*options); };
}

}  // namespace weft::cli

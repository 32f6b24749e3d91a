// weftscope trace-type: definitions of the user's own trace types, tried out, guessed and kept.
#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/report.h"
#include "app/cli/table.h"
#include "app/opening/trace_types.h"
#include "app/session/losses.h"
#include "core/base/text.h"
#include "core/formats/general/custom/guess.h"
#include "core/formats/general/custom/preview.h"
#include "core/formats/user_formats.h"
#include "core/io/paths.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
namespace custom = formats::custom;
using custom::Preview;
using custom::PreviewEvent;
using custom::PreviewRecord;

struct TraceTypeOptions {
  std::string definition, trace, name;
  size_t most = 20;
  bool is_json = false;
};

template <class T>
Result<T> named(const std::string& file, Result<T> result) {
  if (result) return result;
  return fail(std::move(result).error().context(printable(file, 0)));
}

Result<custom::RulesPtr> rules_of(const std::string& file) {
  const auto made = [&]() -> Result<custom::RulesPtr> {
    WEFT_TRY_ASSIGN(const std::string text, formats::definition_text(file));
    WEFT_TRY_ASSIGN(custom::Definition definition, custom::definition_from_text(text));
    return custom::Rules::compile(std::move(definition));
  };
  return named(file, made());
}

std::string rule_text(const PreviewRecord& record) {
  return record.rule ? std::to_string(*record.rule) : "none";
}

nlohmann::ordered_json json_from(const PreviewRecord& record) {
  auto fields = nlohmann::ordered_json::array();
  for (const custom::PreviewMark& mark : record.marks) {
    fields.push_back({{"role", mark.role ? name_of(*mark.role) : "parameter"},
                      {"text", valid_utf8(record.text.substr(mark.begin, mark.end - mark.begin))}});
  }
  return {{"line", record.line},
          {"offset", record.offset},
          {"rule", record.rule ? nlohmann::ordered_json(*record.rule) : nullptr},
          {"text", valid_utf8(record.text)},
          {"fields", std::move(fields)}};
}

nlohmann::ordered_json json_from(const PreviewEvent& event) {
  nlohmann::ordered_json json{{"category", trace::name_of(event.category)},
                              {"time", event.time.ticks},
                              {"lane", event.lane},
                              {"type", event.type}};
  switch (event.category) {
    case trace::Category::kState:
      json["duration"] = (*event.end - event.time).ticks;
      break;
    case trace::Category::kLink:
      json["target_lane"] = event.target;
      json["target_time"] = event.end ? nlohmann::ordered_json(event.end->ticks) : nullptr;
      break;
    case trace::Category::kVariable:
      json["value"] = event.value;
      break;
    case trace::Category::kPunctual:
      break;
  }
  if (!event.params.empty()) json["params"] = nlohmann::ordered_json::parse(event.params);
  return json;
}

void print_object(Output& output, const Preview& preview, size_t most) {
  auto records = nlohmann::ordered_json::array(), events = nlohmann::ordered_json::array();
  for (size_t i = 0; i < std::min(most, preview.records.size()); ++i)
    records.push_back(json_from(preview.records[i]));
  for (size_t i = 0; i < std::min(most, preview.events.size()); ++i)
    events.push_back(json_from(preview.events[i]));
  print_json(output, {{"records", preview.record_count},
                      {"unknown", preview.unknown_count},
                      {"events", preview.event_count},
                      {"time_base", name_of(preview.time_base)},
                      {"losses", losses_json(preview.report, {})},
                      {"first_records", std::move(records)},
                      {"first_events", std::move(events)}});
}

// The properties of an event besides its lane and type.
std::string more_of(const PreviewEvent& event, TimeBase base) {
  std::string text;
  if (event.category == trace::Category::kVariable) text = fmt::format("{}", event.value);
  if (event.category == trace::Category::kState)
    text = format_duration(*event.end - event.time, base);
  if (event.category == trace::Category::kLink)
    text = event.end ? fmt::format("to {} after {}", event.target,
                                   format_duration(*event.end - event.time, base))
                     : "never arrived";
  if (!text.empty() && !event.params.empty()) text += ' ';
  return text + event.params;
}

void print_tables(Output& output, const Preview& preview, size_t most) {
  Table records({{"line", Align::kRight}, {"rule", Align::kRight}, {"text"}});
  for (size_t i = 0; i < std::min(most, preview.records.size()); ++i) {
    const PreviewRecord& record = preview.records[i];
    records.add({std::to_string(record.line), rule_text(record), record.text});
  }
  records.print(output);
  output.print("\n");
  const Duration span = preview.events.empty()
                            ? Duration{}
                            : preview.events.back().time - preview.events.front().time;
  Table events({{"time", Align::kRight}, {"category"}, {"lane"}, {"type"}, {""}});
  for (size_t i = 0; i < std::min(most, preview.events.size()); ++i) {
    const PreviewEvent& event = preview.events[i];
    events.add({format_time(event.time, preview.time_base, span, Duration{1}),
                std::string(trace::name_of(event.category)), event.lane, event.type,
                more_of(event, preview.time_base)});
  }
  events.print(output);
  output.print("\n{} of {} records taken, {} events\n",
               format_count(preview.record_count - preview.unknown_count),
               format_count(preview.record_count), format_count(preview.event_count));
  for (const trace::Loss& loss : preview.report.losses())
    output.print("{} x {}, first at {}\n", loss.kind, format_count(loss.count),
                 app::in_input(loss.first.front()));
}

Result<int> run_check(const TraceTypeOptions& options) {
  WEFT_TRY_ASSIGN(const custom::RulesPtr rules, rules_of(options.definition));
  if (options.trace.empty()) return kSuccess;
  WEFT_TRY_ASSIGN(const std::string sample,
                  named(options.trace, custom::read_sample(options.trace)));
  const Preview preview = custom::preview(*rules, sample);
  if (!preview.error.empty() && preview.records.empty())
    return fail(fmt::format("{}: {}", printable(options.trace, 0), preview.error));
  Output output;
  options.is_json ? print_object(output, preview, options.most)
                  : print_tables(output, preview, options.most);
  WEFT_TRY(output.finish());
  return preview.report.has_damage() || !preview.error.empty() ? kDamaged : kSuccess;
}

Result<int> run_guess(const TraceTypeOptions& options) {
  WEFT_TRY_ASSIGN(const std::string sample,
                  named(options.trace, custom::read_sample(options.trace)));
  Output output;
  output.print("{}\n", custom::json_from_definition(custom::guess(sample)).dump(2));
  WEFT_TRY(output.finish());
  return kSuccess;
}

fs::path folder() { return formats::user_format_folder(io::config_folder()); }

Result<int> run_add(const TraceTypeOptions& options) {
  WEFT_TRY_ASSIGN(const custom::RulesPtr rules, rules_of(options.definition));
  const std::string id = fs::path(options.definition).stem();
  WEFT_TRY(app::save_trace_type(folder(), id, rules->definition));
  return kSuccess;
}

Result<int> run_remove(const TraceTypeOptions& options) {
  WEFT_TRY_ASSIGN(const fs::path file, app::trace_type_file(folder(), options.name));
  std::error_code error;
  if (fs::remove(file, error)) return kSuccess;
  return fail(fmt::format("{}: {}", printable(file.string()),
                          error ? error.message() : "there is no such trace type"));
}

}  // namespace

Run declare_trace_type(CLI::App& app) {
  const auto options = std::make_shared<TraceTypeOptions>();
  const auto chosen = std::make_shared<Run>();
  app.require_subcommand(1);
  const auto add = [&](const char* name, const char* summary,
                       Result<int> (*run)(const TraceTypeOptions&)) {
    CLI::App* const sub = app.add_subcommand(name, summary);
    sub->callback([=] { *chosen = [=] { return run(*options); }; });
    return sub;
  };
  CLI::App* const check = add("check", "What the first lines of a trace become", run_check);
  check->add_option("DEFINITION", options->definition, "The definition, in JSON")->required();
  check->add_option("TRACE", options->trace, "Without one, the definition alone is checked");
  check->add_option("--limit", options->most, "Records and events to print (default 20)")
      ->check(CLI::Range(size_t{0}, custom::kMostPreviewed))
      ->type_name("N");
  check->add_flag("--json", options->is_json, "One JSON object");
  CLI::App* const guess = add("guess", "A definition for a trace, to begin with", run_guess);
  guess->add_option("TRACE", options->trace, "The trace")->required();
  CLI::App* const keep = add("add", "Keep a definition as a trace type", run_add);
  keep->add_option("DEFINITION", options->definition, "NAME.json: NAME is the type's")->required();
  CLI::App* const remove = add("remove", "Forget a trace type that was added", run_remove);
  remove->add_option("NAME", options->name, "Of the trace type")->required();
  return [chosen] { return (*chosen)(); };
}

}  // namespace weft::cli

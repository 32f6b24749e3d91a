#include "app/session/commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/pinned_scope.h"
#include "app/session/typed_time.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

std::vector<View> views_of(const Session& session) {
  std::vector<View> views;
  views.reserve(session.traces.size());
  for (const auto& trace : session.traces) views.push_back(trace->view());
  return views;
}

// What is coupled with the trace that has moved moves, too.
void follow_changes(Session& session, const std::vector<View>& before) {
  if (before.size() != session.traces.size()) {  // one was opened or closed
    if (const OpenTrace* trace = session.trace()) session.follow(*trace);
    return;
  }
  for (size_t i = 0; i < before.size(); ++i) {
    if (session.traces[i]->view() != before[i]) return session.follow(*session.traces[i]);
  }
}

// What the last message offers is done by it, or no longer meant: another hit is looked for. What
// had failed has now been done.
bool is_answer(const Command& command, const Message& message) {
  if (message.command == command.name) return true;
  return message.offer &&
         (command.name == message.offer->command || command.name.starts_with("find."));
}

// Asks for the file that the command writes to.
Command ask_where(const char* title, const char* command, const char* argument, Json args,
                  const std::string& file) {
  return {"file.ask",
          {{"title", title},
           {"command", command},
           {"argument", argument},
           {"args", std::move(args)},
           {"file", file}}};
}

}  // namespace

std::span<const CommandRow> command_table() {
  static const std::vector<CommandRow> table = [] {
    std::vector<CommandRow> rows;
    for (const auto group : {file_commands(),          view_commands(),       lane_commands(),
                             element_commands(),       filter_commands(),     marker_commands(),
                             panel_commands(),         view_group_commands(), table_commands(),
                             slice_commands(),         trace_commands(),      symbol_commands(),
                             color_commands(),         sql_commands(),        trace_type_commands(),
                             journal_commands(),       loss_commands(),       sequence_commands(),
                             message_class_commands(), setting_commands(),    workbench_commands(),
                             live_commands()}) {
      rows.insert(rows.end(), group.begin(), group.end());
    }
    return rows;
  }();
  return table;
}

const CommandRow* find_command(std::string_view name) {
  const auto table = command_table();
  const auto row = std::ranges::find(table, name, &CommandRow::name);
  return row == table.end() ? nullptr : &*row;
}

std::string obstacle_to(std::string_view command, const Session& session) {
  const CommandRow* row = find_command(command);
  return row && row->obstacle ? row->obstacle(session) : std::string();
}

namespace {

Status check_names(const CommandRow& row, const Json& args) {
  for (const auto& [name, value] : args.items()) {
    if (name == "in" || row.arguments.find(name)) continue;
    return fail(fmt::format("no argument is called '{}'; {}", printable(name),
                            row.arguments.empty() ? "it has none" : in_words(row.arguments)));
  }
  return {};
}

Status run(Session& session, const CommandRow& row, const Command& command) {
  if (!command.args.is_object()) return fail("arguments must be an object");
  WEFT_TRY(check_names(row, command.args));
  WEFT_TRY_ASSIGN(const std::string panel, text_arg(command.args, "in", ""));
  const PinnedScope scope(session, panel);
  return row.apply(session, command);
}

// Which of two times is meant, where one of the arguments could be either; else empty.
std::string note_on_times(const Session& session, const Json& args) {
  const OpenTrace* trace = session.trace();
  if (!trace || !args.is_object()) return {};
  for (const char* name : {"at", "from", "to"}) {
    const auto time = args.find(name);
    if (time == args.end() || !time->is_string()) continue;
    std::string note = note_on(time->get_ref<const std::string&>(), *trace);
    if (!note.empty()) return note;
  }
  return {};
}

}  // namespace

Status apply_command(Session& session, const Command& command) {
  const CommandRow* row = find_command(command.name);
  if (!row) return fail(fmt::format("'{}' is not a command", command.name));
  const std::vector<View> before = views_of(session);
  std::string note = note_on_times(session, command.args);
  if (Status status = run(session, *row, command); !status)
    return fail(std::move(status).error().context(std::string(row->name)));
  if (is_answer(command, session.messages.last)) session.messages.clear_last();
  if (!note.empty()) session.messages.say(std::move(note));
  session.update_reach();
  follow_changes(session, before);
  return {};
}

std::string json_from_command(const Command& command) {
  // Ordered by hand: the name first reads better.
  return "{\"command\":" + json_line(Json(command.name)) + ",\"args\":" + json_line(command.args) +
         "}";
}

Result<Command> command_from_json(std::string_view line) {
  const Json json = parse_json(line);
  if (!json.is_object()) return fail("not a JSON object");
  const auto name = json.find("command");
  if (name == json.end() || !name->is_string()) return fail("'command' must be a text");
  Command command;
  command.name = name->get<std::string>();
  if (const auto args = json.find("args"); args != json.end()) command.args = *args;
  if (!command.args.is_object()) return fail("'args' must be an object");
  for (const auto& [key, value] : json.items()) {
    if (key == "command" || key == "args") continue;
    return fail(fmt::format("'{}' is neither 'command' nor 'args', where arguments belong",
                            printable(key, 40)));
  }
  return command;
}

Json symbols_args(const std::vector<std::filesystem::path>& paths) {
  Json list = Json::array();
  for (const auto& path : paths) list.push_back(path.string());
  return {{"paths", std::move(list)}};
}

Command ask_for_symbols(const std::filesystem::path& trace) {
  return {"file.ask",
          {{"title", "C sources, or a program with debug information"},
           {"command", "symbols.load"},
           {"argument", "paths"},
           {"file", (trace.parent_path() / "").string()},
           {"is_there", true}}};
}

Command ask_for_picture(const std::string& file, std::string_view panel) {
  return ask_where("Save a picture (PNG, or .svg)", "snapshot", "output",
                   {{"panel", panel}, {"context", true}}, file);
}

Command ask_for_table(const std::string& file, std::string_view panel, std::string_view table) {
  Json args = {{"panel", panel}};
  if (!table.empty()) args["table"] = table;
  return ask_where("Write a table (CSV, or .json)", "table.export", "file", std::move(args), file);
}

Command ask_for_export(const std::string& file, std::string_view part) {
  return ask_where("Save a trace (.weft, .json, .pftrace, .csv, .paje, .pjdump)", "trace.export",
                   "file", {{"part", part}}, file);
}

Command view_set_command(const TimeWindow& window, uint32_t gesture) {
  const TimeRange range = window.range();
  Json args = {{"from", range.begin.ticks}, {"to", range.end.ticks}};
  if (TimeWindow::from_range(range) != window) {
    args["fraction"] = window.begin_fraction;
    args["length"] = window.length;
  }
  return {"view.set", std::move(args), gesture};
}

}  // namespace weft::app

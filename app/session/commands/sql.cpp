// Commands on the SQL panel.
#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/panel_options.h"

namespace weft::app {
namespace {

constexpr size_t kMostRecent = 50;

// The panel named or, where none is, the first there is.
Result<PanelInstance*> sql_panel(Session& session, const Json& args) {
  WEFT_TRY(clear_of(needs_sql(session)));
  const std::string& first = session.desk.layout.first_of("sql")->id;
  WEFT_TRY_ASSIGN(const std::string id, text_arg(args, "panel", first));
  PanelInstance* panel = session.desk.layout.find(id);
  if (panel && panel->kind == "sql") return panel;
  return fail("'panel' must be the id of an SQL panel");
}

// Also what was asked before is kept, the newest first.
Status sql_run(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(PanelInstance * panel, sql_panel(session, command.args));
  WEFT_TRY_ASSIGN(const std::string query, text_arg(command.args, "query"));
  Json recent = Json::array({query});
  if (const auto old = panel->options.find("recent");
      old != panel->options.end() && old->is_array()) {
    for (const Json& text : *old) {
      if (text != query && recent.size() < kMostRecent) recent.push_back(text);
    }
  }
  panel->options["recent"] = std::move(recent);
  panel->options["query"] = query;
  for (const char* option : {"limit", "sort", "widths"}) panel->options.erase(option);
  set_option_in(session, *panel, "filters", Json());
  return {};
}

Status sql_stop(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(PanelInstance * panel, sql_panel(session, command.args));
  panel->options.erase("query");
  return {};
}

constexpr Argument kSqlPanel = {"panel", "id", "the first"};

constexpr CommandRow kSqlCommands[] = {
    {"sql.run", "Ask in SQL", "", {{"query", "text"}, kSqlPanel}, sql_run, needs_sql},
    {"sql.stop", "Stop the SQL query", "", {kSqlPanel}, sql_stop, needs_sql},
};

}  // namespace

std::span<const CommandRow> sql_commands() { return kSqlCommands; }

}  // namespace weft::app

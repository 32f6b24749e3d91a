// Commands on tables: to the clipboard and to files.
#include <algorithm>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "core/base/ascii.h"

namespace weft::app {
namespace {

constexpr Choice kFormats[] = {{"csv"}, {"json"}};

// The panel named or, where none is, the one that has the focus; in front from now on, since only
// what is drawn knows its rows.
Result<TableOrder> order_of(Session& session, const Json& args) {
  WEFT_TRY_ASSIGN(const PanelInstance* panel, panel_arg(session, args));
  TableOrder order;
  order.panel = panel->id;
  (void)session.desk.layout.focus(std::string(order.panel));
  WEFT_TRY_ASSIGN(order.table, text_arg(args, "table", ""));
  return order;
}

Status table_copy(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(TableOrder order, order_of(session, command.args));
  WEFT_TRY_ASSIGN(const std::string format, choice_arg(command.args, "format", kFormats, "csv"));
  order.format = *sheet_format_from_name(format);
  session.orders.add(std::move(order));
  return {};
}

Status table_export(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(TableOrder order, order_of(session, command.args));
  WEFT_TRY_ASSIGN(order.file, output_arg(session, command.args, "file"));
  order.format = sheet_format_of(order.file);
  session.orders.add(std::move(order));
  return {};
}

// As a click on its title, for who has no mouse at hand. Only what is drawn knows its columns: it
// is answered there, and taken back where there is none of that name.
Status table_sort(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string title, text_arg(command.args, "column"));
  WEFT_TRY_ASSIGN(const TableOrder table, order_of(session, command.args));
  std::string column = lower_case(title);
  std::ranges::replace(column, ' ', '_');
  SortOrder order{table.panel, table.table, column.substr(column.starts_with('-') ? 1 : 0), {}};
  Json& options = session.desk.layout.find(order.panel)->options;
  order.before = options.value(order.option(), Json());
  options[order.option()] = column;
  session.orders.sorts.push_back(std::move(order));
  return {};
}

Status job_cancel(Session& session, const Command&) {
  WEFT_TRY(clear_of(needs_jobs(session)));
  for (const auto& job : session.jobs) job->cancel();
  return {};
}

constexpr Argument kTable = {"table", "of several in the panel", "the one clicked"};

constexpr CommandRow kTableCommands[] = {
    {"table.copy",
     "Copy a table",
     "",
     {kPanel, kTable, one_of("format", kFormats, "csv")},
     table_copy,
     needs_panel},
    {"table.export",
     "Write a table to a file",
     "",
     {{"file", "CSV, or JSON where it ends in .json"}, kPanel, kTable},
     table_export,
     needs_panel},
    {"table.sort",
     "Sort a table",
     "",
     {{"column", "as duration, or -duration for the largest first"}, kPanel, kTable},
     table_sort,
     needs_table},
    {"job.cancel", "Stop what is being written", "", {}, job_cancel, needs_jobs},
};

}  // namespace

std::span<const CommandRow> table_commands() { return kTableCommands; }

}  // namespace weft::app

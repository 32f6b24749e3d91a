// Commands on tables.
#include "app/commands/arguments.h"
#include "app/commands/groups.h"

namespace weft::app {
namespace {

Status export_table(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(std::string panel, text_arg(command.args, "panel"));
  WEFT_TRY_ASSIGN(std::string file, text_arg(command.args, "file"));
  if (file.empty()) return fail("'file' is empty");
  const uint64_t serial = session.table_export ? session.table_export->serial + 1 : 1;
  session.table_export = TableExport{std::move(panel), std::move(file), serial};
  return {};
}

constexpr CommandRow kCommands[] = {
    {"table.export", "Write a table as CSV", "", "panel: id; file", export_table},
};

}  // namespace

std::span<const CommandRow> table_commands() { return kCommands; }

}  // namespace weft::app

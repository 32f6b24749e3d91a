// Commands on the user's own trace types.
#include "app/opening/trace_types.h"
#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/panel_kinds.h"

namespace weft::app {
namespace {

Status begin(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string sample, text_arg(command.args, "sample"));
  const auto id = open_panel(session.desk.layout, *find_panel_kind("trace-type"));
  PanelInstance* const panel = id ? session.desk.layout.find(*id) : nullptr;
  if (panel == nullptr) return fail("there is no room for another panel");
  for (const char* option : {"pasted", "definition"}) panel->options.erase(option);
  panel->options["sample"] = sample;
  return {};
}

Status save(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string name, text_arg(command.args, "name"));
  const auto json = command.args.find("definition");
  if (json == command.args.end()) return fail("'definition' is missing");
  WEFT_TRY_ASSIGN(const auto definition, formats::custom::definition_from_json(OrderedJson(*json)));
  if (!session.host.trace_type_folder) return fail("trace types cannot be kept here");
  WEFT_TRY_ASSIGN(const std::filesystem::path folder, session.host.trace_type_folder());
  WEFT_TRY(save_trace_type(folder, name, definition));
  session.messages.say("The trace type is kept as '" + name + "'");
  return {};
}

constexpr CommandRow kTraceTypeCommands[] = {
    {"trace_type.begin",
     "Make a trace type for a file",
     "",
     {{"sample", "path of the file"}},
     begin},
    {"trace_type.save",
     "Keep a trace type of one's own",
     "",
     {{"name", "a word of a-z, 0-9 and -"}, {"definition", "as docs/custom-trace-types.md has it"}},
     save},
};

}  // namespace

std::span<const CommandRow> trace_type_commands() { return kTraceTypeCommands; }

}  // namespace weft::app

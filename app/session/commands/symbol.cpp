// Commands on what the sources of the traced program know: names of numbers, fields of payloads.
#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <vector>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"

namespace weft::app {
namespace {

Status load_symbols(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, trace_arg(session, command.args));
  std::vector<std::filesystem::path> paths;
  if (command.args.contains("paths")) {
    const Json& list = command.args["paths"];
    if (!list.is_array()) return fail("'paths' must be a list of texts");
    for (const Json& path : list) {
      if (!path.is_string()) return fail("'paths' must be a list of texts");
      paths.emplace_back(path.get<std::string>());
    }
  } else {
    WEFT_TRY_ASSIGN(const std::string path, text_arg(command.args, "path"));
    paths.emplace_back(path);
  }
  if (command.args.value("add", false)) {
    const auto known = trace->symbol_paths();
    paths.insert(paths.begin(), known.begin(), known.end());
  }
  trace->set_symbols(std::move(paths), session.host.wake);
  return {};
}

Status clear_symbols(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, trace_arg(session, command.args));
  trace->set_symbols({}, {});
  return {};
}

}  // namespace

std::span<const CommandRow> symbol_commands() {
  static constexpr CommandRow kCommands[] = {
      {"symbols.load", "Take names from sources", "",
       "path: of a folder of C sources, a file of them, a program with debug information or a "
       "symbol "
       "map; or paths: several; add: true keeps those before; index: of the trace",
       load_symbols, needs_trace},
      {"symbols.clear", "Show numbers again", "", "index: of the trace (default: the current one)",
       clear_symbols, needs_symbols},
  };
  return kCommands;
}

}  // namespace weft::app

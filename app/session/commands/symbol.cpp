// Commands on what the sources of the traced program know: names of numbers, fields of payloads.
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
    WEFT_TRY_ASSIGN(const std::vector<std::string> list, texts_arg(command.args, "paths"));
    paths.assign(list.begin(), list.end());
  } else {
    WEFT_TRY_ASSIGN(const std::string path, text_arg(command.args, "path"));
    paths.emplace_back(path);
  }
  WEFT_TRY_ASSIGN(const bool is_added, flag_arg(command.args, "add", false));
  if (is_added) {
    const auto known = trace->names().paths();
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

constexpr CommandRow kSymbolCommands[] = {
    {"symbols.load",
     "Take names from sources",
     "",
     {{"path",
       "of a folder of C sources, a file of them, a program with debug information or a symbol "
       "map"},
      instead({"paths", "several"}),
      {"add", "true keeps those before", "false"},
      kIndex},
     load_symbols,
     needs_trace},
    {"symbols.clear", "Show numbers again", "", {kIndex}, clear_symbols, needs_symbols},
};

}  // namespace

std::span<const CommandRow> symbol_commands() { return kSymbolCommands; }

}  // namespace weft::app

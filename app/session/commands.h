// Commands: every action of the user, by name and with JSON arguments.
//
// Menus, shortcuts, gestures, journals and tests all issue commands; apply_command is the one place
// that changes a session. A new action is one row in app/session/commands/. Commands change the
// session only: what needs pixels (a snapshot) is asked for there and done by the host.
//
// Every command takes one more argument, "in": the id of a panel. Where that panel is pinned, the
// command acts on its view and its trace.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/base/json.h"
#include "app/session/argument.h"
#include "app/session/session.h"
#include "core/base/result.h"

namespace weft::app {

struct Command {
  std::string name;
  Json args = Json::object();
  // Commands of one continuous gesture (a drag, a held key) share a number: they are one step of
  // undo and one line of the journal. 0: by itself.
  uint32_t gesture = 0;
};

struct CommandRow {
  std::string_view name;
  std::string_view title;     // as menus show it
  std::string_view shortcut;  // "Ctrl+O"; several: "F Home"; empty: none
  Arguments arguments;        // that it takes besides "in", and no others
  Status (*apply)(Session& session, const Command& command);
  // Why it can do nothing now, unless its arguments name what else is the selected or the current
  // one; empty: it can. Null: it always can.
  std::string (*obstacle)(const Session& session) = nullptr;
  bool wants_time = false;    // its keys give it "at": the time under the pointer
  bool is_of_dialog = false;  // it opens or closes one and no more: no step of what was done
};

std::span<const CommandRow> command_table();
// Null where there is none of that name.
const CommandRow* find_command(std::string_view name);
// What its row says of it now; empty, too, where there is none of that name.
std::string obstacle_to(std::string_view command, const Session& session);

// An error names the command and leaves the session as it was.
Status apply_command(Session& session, const Command& command);

// {"command":…,"args":{…}}: a line of a journal.
std::string json_from_command(const Command& command);
Result<Command> command_from_json(std::string_view line);

// The arguments of symbols.load, and what asks for one of these paths.
Json symbols_args(const std::vector<std::filesystem::path>& paths);
Command ask_for_symbols(const std::filesystem::path& trace);

// Those that ask for the file that a picture, or a table, of a panel goes to; `file` is suggested.
Command ask_for_picture(const std::string& file, std::string_view panel);
Command ask_for_table(const std::string& file, std::string_view panel, std::string_view table = "");
// … or the trace, or its selected part.
Command ask_for_export(const std::string& file, std::string_view part);

// The arguments of view.set for a window; exact.
Command view_set_command(const TimeWindow& window, uint32_t gesture = 0);

// Opens a file as this type.
Command open_command(const std::filesystem::path& path, const TypeChoice& type);

}  // namespace weft::app

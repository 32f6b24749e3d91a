// Commands on what was done: the journal and its file.
#include <fmt/format.h>

#include "app/commands/arguments.h"
#include "app/commands/groups.h"
#include "app/text_file.h"

namespace weft::app {
namespace {

// Every command as a line, as `weftscope replay` reads them.
Status journal_save(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string file, text_arg(command.args, "file"));
  if (file.empty()) return fail("'file' is empty");
  std::string text;
  for (const JournalEntry& entry : session.journal) {
    text += json_from_command({entry.command, entry.args}) + "\n";
  }
  const size_t count = session.journal.size();
  session.jobs.push_back(std::make_unique<Job>(
      "Writing " + file,
      [text = std::move(text), file, count](Job::Progress&) -> Result<Job::Outcome> {
        WEFT_TRY(write_text(text, file));
        return Job::Outcome{fmt::format("{} commands written to {}", count, file), std::nullopt};
      },
      session.wake));
  return {};
}

// Back to how its trace was looked at after that command.
Status journal_return(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const double number, number_arg(command.args, "entry"));
  const auto at = static_cast<size_t>(number);
  if (number < 0 || at >= session.journal.size()) return fail("there is no such entry");
  const JournalEntry& entry = session.journal[at];
  OpenTrace* trace = session.find_trace(entry.trace_id);
  if (!trace) return fail("its trace is no longer open");
  trace->navigate(entry.view, 0);
  session.select_trace(entry.trace_id);
  return {};
}

constexpr CommandRow kCommands[] = {
    {"journal.save", "Write what was done to a journal", "", "file: for weftscope replay",
     journal_save},
    {"journal.return", "Look at the trace as after a command", "", "entry: from 0", journal_return},
};

}  // namespace

std::span<const CommandRow> journal_commands() { return kCommands; }

}  // namespace weft::app

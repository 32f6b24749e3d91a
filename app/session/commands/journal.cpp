// Commands on what was done: the journal and its file.
#include <fmt/core.h>

#include <iterator>

#include "app/base/text_file.h"
#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/files_beside.h"
#include "app/session/html_report.h"
#include "app/session/markdown_report.h"
#include "app/session/panel_kinds.h"

namespace weft::app {
namespace {

// By a job; what is in it is said when it is there.
Status write_file(Session& session, const Json& args, std::string text, const std::string& what) {
  WEFT_TRY_ASSIGN(const std::string file, output_arg(session, args, "file"));
  session.jobs.push_back(std::make_unique<Job>(
      "Writing " + file,
      [text = std::move(text), file, what](Job::Progress&) -> Result<Job::Outcome> {
        WEFT_TRY(write_text(text, file));
        return Job::Outcome{fmt::format("{} written to {}", what, file), std::nullopt};
      },
      session.host.wake));
  return {};
}

// Every command as a line, as `weftscope replay` reads them.
Status journal_save(Session& session, const Command& command) {
  std::string text;
  for (const JournalEntry& entry : session.journal) {
    text += json_from_command({entry.command, entry.args}) + "\n";
  }
  return write_file(session, command.args, std::move(text),
                    fmt::format("{} commands", session.journal.size()));
}

// A panel's picture and table, as they are now.
Status report_add(Session& session, const Command& command) {
  constexpr size_t kMostItems = 1'000;
  WEFT_TRY_ASSIGN(const PanelInstance* instance, panel_arg(session, command.args));
  WEFT_TRY_ASSIGN(const std::string note, text_arg(command.args, "note", ""));
  const std::string panel = instance->id;
  const PanelKind* row = find_panel_kind(instance->kind);
  if (session.report.items.size() == kMostItems) return fail("the report is full");
  ReportItem item;
  item.id = session.report.items.empty() ? 1 : session.report.items.back().id + 1;
  item.title = row->title;
  item.note = note;
  SnapshotRequest request;
  request.panel = panel;
  request.report_item = item.id;
  session.orders.snapshots.push_back(std::move(request));
  if (row->has_table) {  // of a panel in front: only what is drawn knows its rows
    (void)session.desk.layout.focus(panel);
    TableOrder order;
    order.panel = panel;
    order.report_item = item.id;
    session.orders.add(std::move(order));
  }
  session.report.items.push_back(std::move(item));
  return {};
}

Status report_clear(Session& session, const Command&) {
  session.report.items.clear();
  return {};
}

// What was looked at, marked, saved and done, for people: HTML with pictures and tables in it, or
// Markdown with links to them.
Status journal_report(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string file, output_arg(session, command.args, "file"));
  const bool is_markdown = file.ends_with(".md");
  std::vector<std::filesystem::path> items;
  if (is_markdown) {
    WEFT_TRY_ASSIGN(items, items_beside(session, file, session.report.items.size()));
  }
  session.jobs.push_back(std::make_unique<Job>(
      "Writing " + file,
      [report = gather_report(session), file, is_markdown,
       items](Job::Progress& progress) -> Result<Job::Outcome> {
        WEFT_TRY(is_markdown ? write_markdown(report, file, items, progress)
                             : write_text(html_of(report, progress), file));
        return Job::Outcome{"The report was written to " + file, std::nullopt};
      },
      session.host.wake));
  return {};
}

// Back to how its trace was looked at after that command.
Status journal_return(Session& session, const Command& command) {
  if (session.journal.empty()) return fail("the journal is empty");
  WEFT_TRY_ASSIGN(const int64_t number,
                  integer_arg(command.args, "entry", 0, std::ssize(session.journal) - 1));
  const JournalEntry& entry = session.journal[static_cast<size_t>(number)];
  OpenTrace* trace = session.find_trace(entry.trace_id);
  if (!trace) return fail("its trace is no longer open");
  const uint64_t step = new_step();  // undone as one
  if (entry.look.cut_rule != trace->cut_rule()) session.set_cut(*trace, entry.look.cut_rule, step);
  trace->history().return_to(entry.look.lanes, step);
  trace->history().navigate(entry.look.view, 0, step);
  session.select_trace(entry.trace_id);
  return {};
}

constexpr CommandRow kJournalCommands[] = {
    {"journal.save",
     "Write what was done to a journal",
     "",
     {{"file", "for weftscope replay"}},
     journal_save},
    {"journal.report",
     "Write a report of what was done",
     "",
     {{"file", "HTML; Markdown where it ends in .md"}},
     journal_report},
    {"report.add",
     "Add a panel to the report",
     "",
     {kPanel, {"note", "text", "none"}},
     report_add,
     needs_panel},
    {"report.clear", "Remove every panel from the report", "", {}, report_clear, needs_report},
    {"journal.return",
     "Look at the trace as after a command",
     "",
     {{"entry", "from 0"}},
     journal_return},
};

}  // namespace

std::span<const CommandRow> journal_commands() { return kJournalCommands; }

}  // namespace weft::app

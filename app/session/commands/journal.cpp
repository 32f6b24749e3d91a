// Commands on what was done: the journal and its file.
#include <fmt/core.h>

#include <algorithm>

#include "app/base/text_file.h"
#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/html_report.h"
#include "app/session/panel_kinds.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

// By a job; what is in it is said when it is there.
Status write_file(Session& session, const Json& args, std::string text, const std::string& what) {
  WEFT_TRY_ASSIGN(const std::string file, text_arg(args, "file"));
  if (file.empty()) return fail("'file' is empty");
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

// Text that is not ours, within Markdown: it acts as nothing there.
std::string as_code(std::string_view text) {
  std::string safe = printable(text, 0);
  std::ranges::replace(safe, '`', '\'');
  return safe.empty() ? std::string("(no name)") : "`" + safe + "`";
}

void append_trace(std::string& text, const OpenTrace& trace) {
  const TimeRange all = trace.range();
  const TimeBase base = trace.time_base();
  const auto time = [&](Time at) {
    return format_time({(at - all.begin).ticks}, base, all.length(), Duration{1});
  };
  const auto range = [&](TimeRange of) {
    return time(of.begin) + " to " + time(of.end) + ", " + format_duration(of.length(), base);
  };
  text += "\n## " + as_code(trace.name()) + "\n\n";
  text += "- file: " + as_code(trace.path().string()) + "\n";
  text += "- shown: " + range(trace.view().window.range()) + "\n";
  if (trace.selection) text += "- selected: " + range(*trace.selection) + "\n";
  for (const Marker& marker : trace.markers.all()) {
    text += "- marker " + as_code(marker.name) + " at " + time(marker.range.begin);
    if (!marker.note.empty()) text += ": " + as_code(marker.note);
    text += "\n";
  }
}

// A panel's picture and table, as they are now.
Status report_add(Session& session, const Command& command) {
  constexpr size_t kMostItems = 1'000;
  WEFT_TRY(clear_of(needs_panel(session)));
  std::string panel = session.desk.layout.focused(), note;
  if (command.args.contains("panel")) {
    WEFT_TRY_ASSIGN(panel, text_arg(command.args, "panel"));
  }
  if (command.args.contains("note")) {
    WEFT_TRY_ASSIGN(note, text_arg(command.args, "note"));
  }
  WEFT_TRY_ASSIGN(const PanelInstance* instance, open_panel_named(session, panel));
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

Status html_report(Session& session, const std::string& file) {
  session.jobs.push_back(std::make_unique<Job>(
      "Writing " + file,
      [report = gather_report(session), file](Job::Progress& progress) -> Result<Job::Outcome> {
        WEFT_TRY(write_text(html_of(report, progress), file));
        return Job::Outcome{"The report was written to " + file, std::nullopt};
      },
      session.host.wake));
  return {};
}

// What was looked at, marked, saved and done, for people: HTML with pictures and tables in it, or
// Markdown with links to those that were saved on the way.
Status journal_report(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string file, text_arg(command.args, "file"));
  if (!file.ends_with(".md")) return html_report(session, file);
  std::string text = "# What was found\n";
  for (const auto& trace : session.traces) append_trace(text, *trace);
  std::string saved, steps;
  size_t number = 0;
  for (const JournalEntry& entry : session.journal) {
    const CommandRow* row = find_command(entry.command);
    steps += fmt::format("{}. {}", ++number, row ? row->title : std::string_view(entry.command));
    if (!entry.args.empty()) {
      steps += ": " + as_code(entry.args.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
    steps += "\n";
    const bool is_picture = entry.command == "snapshot";
    const auto file = entry.args.find(is_picture ? "output" : "file");
    const bool is_saved = (is_picture || entry.command == "table.export") &&
                          file != entry.args.end() && file->is_string();
    if (!is_saved) continue;
    const std::string name = printable(file->get<std::string>(), 0);
    saved += fmt::format("\n{}[{}](<{}>)\n", is_picture ? "!" : "",
                         as_code(entry.args.value("panel", "the window")), name);
  }
  if (!saved.empty()) text += "\n## Pictures and tables\n" + saved;
  text += "\n## Steps\n\n" + steps;
  return write_file(session, command.args, std::move(text), "The report was");
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

}  // namespace

std::span<const CommandRow> journal_commands() {
  static constexpr CommandRow kCommands[] = {
      {"journal.save", "Write what was done to a journal", "", "file: for weftscope replay",
       journal_save},
      {"journal.report", "Write a report of what was done", "",
       "file: HTML; Markdown where it ends in .md", journal_report},
      {"report.add", "Add a panel to the report", "",
       "panel: id (default: the one in front); note: text", report_add, needs_panel},
      {"report.clear", "Remove every panel from the report", "", "", report_clear, needs_report},
      {"journal.return", "Look at the trace as after a command", "", "entry: from 0",
       journal_return},
  };
  return kCommands;
}

}  // namespace weft::app

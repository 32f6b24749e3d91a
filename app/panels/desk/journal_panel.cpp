#include "app/panels/desk/journal_panel.h"

#include <algorithm>

#include "app/base/json.h"
#include "app/panels/toolbar.h"
#include "app/session/palette_entries.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr TableColumn kJournalColumns[] = {
    {.id = "step", .title = "Step", .width_px = 46, .is_number = true},
    {.id = "what", .title = "What was done", .width_px = 180},
    {.id = "args", .title = "With", .width_px = 220}};
enum Column : size_t { kStep, kWhat, kArgs };
constexpr const char* kMenu[] = {"Look at the trace as it was then", "Do it again"};

std::string title_of(const JournalEntry& entry) {
  const CommandRow* row = find_command(entry.command);
  return row ? std::string(row->title) : entry.command;
}

std::string text_of(const Json& args) { return args.empty() ? std::string() : json_line(args); }

// The newest at the top.
class JournalRows final : public TableRows {
 public:
  explicit JournalRows(const std::vector<JournalEntry>& journal) : journal_(journal) {}

  size_t entry_of(uint64_t row) const { return journal_.size() - 1 - row; }
  uint64_t count() const override { return journal_.size(); }
  TableRow row(uint64_t) const override { return {}; }
  // Its row moves down with every command.
  std::string identity(uint64_t row) const override { return std::to_string(entry_of(row)); }
  std::string cell(uint64_t row, size_t column) const override {
    const JournalEntry& entry = journal_[entry_of(row)];
    if (column == kStep) return format_count(entry_of(row) + 1);
    if (column == kWhat) return title_of(entry);
    return entry.args.empty() ? std::string() : text_from_arguments(entry.args);
  }
  Sheet sheet() const override {
    return sheet_of_cells({"step", "command", "title", "args"}, journal_.size(),
                          [journal = journal_](uint64_t row, size_t column) -> Cell {
                            if (column == 0) return row + 1;
                            if (column == 1) return journal[row].command;
                            return column == 2 ? title_of(journal[row])
                                               : text_of(journal[row].args);
                          });
  }

 private:
  const std::vector<JournalEntry>& journal_;
};

}  // namespace

void JournalPanel::draw(const PanelInput& input, PanelOutput& output) {
  const std::vector<JournalEntry>& journal = input.session.journal;
  Area area;
  {
    Toolbar bar(input, output);
    const auto ask = [&](const char* title, const char* command, const char* file) {
      output.commands.push_back(
          {"file.ask",
           {{"title", title}, {"command", command}, {"argument", "file"}, {"file", file}}});
    };
    if (bar.button("Save…", !journal.empty())) {
      ask("Save what was done, for replay", "journal.save", "weftscope-journal.jsonl");
    }
    if (bar.button("Report…", !journal.empty())) {
      ask("Write a report", "journal.report", "weftscope-report.html");
    }
    area = bar.below();
  }
  const JournalRows rows(journal);
  TableInput table{input, area, kJournalColumns};
  table.swatch_column = std::size(kJournalColumns);
  table.menu = kMenu;
  table.obstacle = [&](size_t entry, uint64_t row) -> std::string {
    const uint64_t id = journal[rows.entry_of(row)].trace_id;
    const bool is_open = std::ranges::any_of(input.session.traces,
                                             [&](const auto& trace) { return trace->id() == id; });
    return entry == 0 && !is_open ? "its trace is no longer open" : "";
  };
  table.is_in_own_order = true;
  table.footer = counted(journal.size(), "command");
  const TableAnswer answer = view_.draw(table, rows, output);
  const auto go_back = [&](uint64_t row) {
    output.commands.push_back({"journal.return", {{"entry", rows.entry_of(row)}}});
  };
  if (answer.clicked) go_back(*answer.clicked);
  if (!answer.menu) return;
  const JournalEntry& entry = journal[rows.entry_of(answer.menu_row)];
  if (*answer.menu == 0) go_back(answer.menu_row);
  if (*answer.menu == 1) output.commands.push_back({entry.command, entry.args});
}

}  // namespace weft::app

#include "app/session/markdown_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "app/base/text_file.h"
#include "app/session/files_beside.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

// Text that is not ours: it acts as nothing there.
std::string as_code(std::string_view text) {
  std::string safe = printable(text, 0);
  std::ranges::replace(safe, '`', '\'');
  return safe.empty() ? std::string("(no name)") : "`" + safe + "`";
}

std::string link_to(const fs::path& file, std::string_view title, bool is_picture) {
  return fmt::format("\n{}[{}]{}\n", is_picture ? "!" : "", as_code(title), markdown_target(file));
}

// A panel, whose picture and table are written beside the report.
Result<std::string> item_text(const ReportItem& item, const fs::path& name,
                              Job::Progress& progress) {
  const auto with_ending = [&](const char* ending) {
    fs::path path = name;
    return path += ending;
  };
  std::string text = "\n### " + as_code(item.title) + "\n";
  if (!item.note.empty()) text += "\n" + as_code(item.note) + "\n";
  if (item.picture) {
    const fs::path picture = with_ending(".svg");
    WEFT_TRY(write_text(item.picture->document(), picture));
    text += link_to(picture.filename(), item.title, true);
  }
  if (!item.table.columns.empty() && item.table.read) {
    const fs::path table = with_ending(".csv");
    WEFT_TRY(write_sheet(item.table, SheetFormat::kCsv, progress, table));
    text += link_to(table.filename(), "its table", false);
  }
  return text;
}

}  // namespace

std::string markdown_target(const fs::path& file) {
  return "(<" + printable(file.string(), 0) + ">)";
}

Status write_markdown(const SessionReport& report, const fs::path& file,
                      std::span<const fs::path> items, Job::Progress& progress) {
  std::string text = kMarkdownBegin;
  for (const SessionReport::Section& section : report.traces) {
    text += "\n## " + as_code(section.title) + "\n\n";
    for (const SessionReport::Line& line : section.lines)
      text += "- " + as_code(line.name) + ": " + as_code(line.text) + "\n";
  }
  if (!report.items.empty() || !report.saved.empty()) text += "\n## Panels\n";
  for (size_t i = 0; i < report.items.size(); ++i) {
    WEFT_TRY_ASSIGN(const std::string item, item_text(report.items[i], items[i], progress));
    text += item;
  }
  for (const SessionReport::Saved& saved : report.saved)
    text += link_to(saved.file, saved.title, saved.is_picture);
  text += "\n## Steps\n\n";
  size_t number = 0;
  for (const std::string& step : report.steps)
    text += fmt::format("{}. {}\n", ++number, as_code(step));
  return write_text(text, file);
}

}  // namespace weft::app

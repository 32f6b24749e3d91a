#include "app/session/html_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

#include "app/session/orders.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr std::uintmax_t kMostPictureBytes = 32u << 20;

constexpr std::string_view kStyle = R"(
body { font: 15px/1.5 system-ui, sans-serif; color: #1d232b; max-width: 1100px; margin: 2em auto;
       padding: 0 1em; }
h1, h2, h3 { line-height: 1.25; }
figure { margin: 1.5em 0; }
img { max-width: 100%; border: 1px solid #c8ced6; }
table { border-collapse: collapse; font-size: 13px; }
td, th { border: 1px solid #d5dae1; padding: 2px 8px; text-align: left; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
pre { background: #f2f4f7; padding: .7em; font-size: 12px; overflow-x: auto; }
.note { font-size: 17px; }
)";

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : printable(text, 0)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

// Line by line: a control character within one is shown, not obeyed.
std::string escaped_lines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines += escaped(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t word = 0;
    for (size_t k = 0; k < 3; ++k) {
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (size_t k = 0; k < 4; ++k) {
      text += i + k > bytes.size() ? '=' : kDigits[word >> (18 - 6 * k) & 63];
    }
  }
  return text;
}

void append_picture(std::string& html, std::string_view type, std::string_view bytes,
                    std::string_view title) {
  html += fmt::format("<figure><img alt=\"{}\" src=\"data:{};base64,", escaped(title), type);
  html += base64(bytes) + "\"></figure>\n";
}

void append_cell(std::string& html, const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    html += "<td>" + escaped(*text) + "</td>";
    return;
  }
  html += "<td class=\"n\">";
  if (const auto* whole = std::get_if<int64_t>(&cell)) html += fmt::format("{}", *whole);
  if (const auto* count = std::get_if<uint64_t>(&cell)) html += fmt::format("{}", *count);
  if (const auto* number = std::get_if<double>(&cell)) html += fmt::format("{:g}", *number);
  html += "</td>";
}

void append_table(std::string& html, const Sheet& sheet, const std::stop_token& stop) {
  if (sheet.columns.empty() || !sheet.read) return;
  std::string body;
  uint64_t rows = 0;
  bool is_cut = false;
  const auto take = [&](std::span<const Cell> cells) {
    is_cut = rows == kMostReportRows;
    if (is_cut) return false;
    body += "<tr>";
    for (const Cell& cell : cells) append_cell(body, cell);
    body += "</tr>\n";
    ++rows;
    return true;
  };
  const Status read = sheet.read(take, stop);
  const std::string all = sheet.row_count ? format_count(*sheet.row_count)
                          : is_cut        ? "more than " + format_count(rows)
                                          : format_count(rows);
  html += fmt::format("<details><summary>{} {}</summary><div class=\"wide\"><table>\n<tr>", all,
                      rows == 1 && !is_cut ? "row" : "rows");
  for (const std::string& column : sheet.columns) html += "<th>" + escaped(column) + "</th>";
  html += "</tr>\n" + body + "</table></div>\n";
  if (is_cut) {
    html += fmt::format("<p>The first {} of {} rows. Times are in ticks.</p>\n", format_count(rows),
                        all);
  }
  if (!read) html += "<p>Rows are missing: " + escaped(read.error().message) + "</p>\n";
  html += "</details>\n";
}

void append_item(std::string& html, const ReportItem& item, const std::stop_token& stop) {
  html += "<section>\n<h3>" + escaped(item.title) + "</h3>\n";
  if (!item.note.empty()) html += "<p class=\"note\">" + escaped_lines(item.note) + "</p>\n";
  if (item.picture) append_picture(html, "image/svg+xml", item.picture->document(), item.title);
  append_table(html, item.table, stop);
  if (!item.context.empty()) {
    html += "<details><summary>What is seen</summary><pre>" + escaped_lines(item.context) +
            "</pre></details>\n";
  }
  html += "</section>\n";
}

void append_saved(std::string& html, const SessionReport::Saved& saved) {
  if (!saved.is_picture) {
    html += "<p>The table of " + escaped(saved.title) + " is in " + escaped(saved.file.string()) +
            ".</p>\n";
    return;
  }
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(saved.file, error);
  html += "<h3>" + escaped(saved.title) + "</h3>\n";
  std::ifstream in(saved.file, std::ios::binary);
  if (error || bytes > kMostPictureBytes || !in) {
    html += "<p>" + escaped(saved.file.string()) + " cannot be read any more.</p>\n";
    return;
  }
  const std::string content{std::istreambuf_iterator<char>(in), {}};
  append_picture(html,
                 is_vector_picture(saved.file).value_or(false) ? "image/svg+xml" : "image/png",
                 content, saved.title);
}

}  // namespace

std::string html_of(const SessionReport& report, Job::Progress& progress) {
  progress.total = report.items.size() + report.saved.size();
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">";
  html += "<title>What was found</title><style>";
  html += kStyle;
  html += "</style></head>\n<body>\n<h1>What was found</h1>\n";
  for (const SessionReport::Section& section : report.traces) {
    html += "<h2>" + escaped(section.title) + "</h2>\n<table>\n";
    for (const SessionReport::Line& line : section.lines) {
      html += "<tr><th>" + escaped(line.name) + "</th><td>" + escaped(line.text) + "</td></tr>\n";
    }
    html += "</table>\n";
  }
  if (!report.items.empty() || !report.saved.empty()) html += "<h2>Panels</h2>\n";
  for (const ReportItem& item : report.items) {
    append_item(html, item, progress.stop);
    progress.done += 1;
  }
  for (const SessionReport::Saved& saved : report.saved) {
    append_saved(html, saved);
    progress.done += 1;
  }
  html += "<h2>Steps</h2>\n<ol>\n";
  for (const std::string& step : report.steps) html += "<li>" + escaped(step) + "</li>\n";
  return html + "</ol>\n</body>\n</html>\n";
}

}  // namespace weft::app

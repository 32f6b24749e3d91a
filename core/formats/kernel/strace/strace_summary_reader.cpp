#include "core/formats/kernel/strace/strace_summary_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/kernel/summary_tables.h"

namespace weft::formats {
namespace {

constexpr std::string_view kShare = "% time", kSeconds = "seconds", kCalls = "calls";
constexpr std::array<std::string_view, 9> kTitles = {
    kShare, kSeconds, "usecs/call", kCalls, "errors", "syscall", "function", "shortest", "longest"};

bool is_name(std::string_view title) { return title == "syscall" || title == "function"; }

// "System call usage summary for 32 bit mode:", above a table.
constexpr std::string_view kMode = "System call usage summary for ";

// The titles of a table; none: it is not a line of titles.
std::optional<std::vector<std::string_view>> titles_of(std::string_view line) {
  std::vector<std::string_view> titles;
  bool has_name = false;
  for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
    const auto title = std::ranges::find_if(kTitles, [&](std::string_view each) {
      return line.starts_with(each) && (line.size() == each.size() || is_space(line[each.size()]));
    });
    if (title == kTitles.end() || titles.size() == kTitles.size()) return std::nullopt;
    titles.push_back(*title);
    has_name |= is_name(*title);
    line.remove_prefix(title->size());
  }
  return has_name && titles.size() > 1 ? std::optional(std::move(titles)) : std::nullopt;
}

// Returns the ends of the columns, from the line of dashes below the titles; empty: it is none.
std::vector<size_t> ends_of(std::string_view line) {
  std::vector<size_t> ends;
  if (line.find_first_not_of("- \t\r") != std::string_view::npos) return ends;
  for (size_t i = 0; i < line.size(); ++i) {
    const bool is_last = i + 1 == line.size() || line[i + 1] != '-';
    if (line[i] == '-' && is_last) ends.push_back(i + 1);
  }
  return ends;
}

bool begins_figure(std::string_view cell) {
  const size_t sign = cell.starts_with('-') ? 1 : 0;
  return cell.size() > sign && (is_digit(cell[sign]) || cell.substr(sign).starts_with("nan"));
}

class StraceSummaryReader {
 public:
  explicit StraceSummaryReader(trace::EventSink& sink) : sink_(sink) {}

  void add(const io::Line& line) {
    const std::string_view text = trimmed(line.text);
    if (auto titles = titles_of(text)) {
      titles_ = std::move(*titles);
      ends_.clear();
      table_mode_ = std::exchange(mode_, {});
      if (tables_.begin_table(table_mode_.empty() ? "calls" : table_mode_)) return;
      titles_.clear();
      return sink_.loss("table beyond the first 4096", line.offset);
    }
    if (text.starts_with(kMode)) {
      mode_ = valid_utf8(text.substr(kMode.size()));
      if (mode_.ends_with(':')) mode_.pop_back();
      titles_.clear();
      return;
    }
    const std::vector<size_t> ends = ends_of(line.text);
    if (!titles_.empty() && ends.size() == titles_.size()) {
      ends_ = ends;
      return;
    }
    if (titles_.empty() || ends_.empty()) return sink_.note("line of no table", line.offset);
    add_row(line);
  }

  void finish() { tables_.give(sink_, "system calls"); }

 private:
  using Row = SummaryTables::Row;

  // Figures begin before their titles end; one may lack. Where they were moved, as by what strips
  // the white space that lines begin with, a name is none of them.
  void add_row(const io::Line& line) {
    Row row;
    ArgsText params;
    std::string_view rest = line.text;
    for (size_t column = 0; column < titles_.size(); ++column) {
      const size_t begin = rest.find_first_not_of(" \t\r");
      if (begin == std::string_view::npos) break;
      rest.remove_prefix(begin);
      const bool is_last = column + 1 == titles_.size();
      const std::string_view title = titles_[column];
      const bool is_figure = begins_figure(rest);
      if (!is_last &&
          (line.text.size() - rest.size() >= ends_[column] || (!is_name(title) && !is_figure)))
        continue;
      const std::string_view cell = is_last ? trimmed(std::exchange(rest, {})) : take_word(rest);
      if (is_name(title)) {
        row.name = valid_utf8(cell);
      } else {
        add_figure(title, cell, params, row, line.offset);
      }
    }
    if (row.name.empty() || params.is_empty()) return sink_.loss("line of no table", line.offset);
    row.params = params.take();
    if (row.name == "total") {
      sink_.set_metadata(table_mode_.empty() ? "total" : "total of " + table_mode_, row.params);
      titles_.clear();
      return;
    }
    if (!tables_.add(std::move(row))) sink_.loss("row beyond the first 65536", line.offset);
  }

  void add_figure(std::string_view title, std::string_view cell, ArgsText& params, Row& row,
                  uint64_t offset) {
    std::string figure(cell);
    std::ranges::replace(figure, ',', '.');  // of some languages
    params.name(title);
    params.json(figure);
    if (title == kCalls) row.count = parse_number<int64_t>(cell).value_or(0);
    if (title != kSeconds) return;
    if (const auto time = nearest_time(figure, DecimalUnit::kSeconds)) {
      row.ns = time->ticks;
    } else {
      sink_.loss("time that is not a number", offset);
    }
  }

  trace::EventSink& sink_;
  std::vector<std::string_view> titles_;  // of the table; none: it is over
  std::vector<size_t> ends_;              // of its columns
  std::string mode_, table_mode_;         // of the next table, and of this one
  SummaryTables tables_;
};

}  // namespace

// Programs may have printed before it. Traces with a summary at their end are the other reader's.
int sniff_strace_summary(std::span<const std::byte> head) {
  constexpr int kLinesLookedAt = 256;
  constexpr int kSure = 85, kRatherSure = 60;
  HeadLines lines(as_chars(head), kLinesLookedAt);
  size_t titles = 0;  // in the line before
  bool is_first = true;
  while (const auto next = lines.next()) {
    const std::string_view line = *next;
    if (trimmed(line).empty()) continue;
    if (titles > 0 && ends_of(line).size() == titles) return is_first ? kSure : kRatherSure;
    const auto found = titles_of(line);
    if (titles > 0) is_first = false;
    titles = found ? found->size() : 0;
    if (titles == 0 && !trimmed(line).starts_with(kMode)) is_first = false;
  }
  return 0;
}

Status read_strace_summary(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  StraceSummaryReader reader(sink);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

std::vector<Page> strace_summary_pages() {
  return {{"calls", "Calls",
           "SELECT type AS call, params ->> '$.calls' AS calls, params ->> '$.errors' AS errors, "
           "params ->> '$.seconds' AS seconds, params ->> '$.\"usecs/call\"' AS usecs_a_call "
           "FROM punctuals WHERE time >= :from AND time <= :to "
           "ORDER BY seconds DESC, calls DESC"}};
}

}  // namespace weft::formats

#include "core/formats/kernel/perf/perf_summary_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/kernel/summary_tables.h"

namespace weft::formats {
namespace {

constexpr std::string_view kCall = "syscall", kTask = "Task ";

// "sleep (17964), 218 events, 97.3%", above a table.
std::optional<std::string_view> thread_above(std::string_view line) {
  const size_t events = line.find(" events");
  const size_t comma = line.substr(0, events).rfind(", ");
  if (events == std::string_view::npos || comma == std::string_view::npos) return std::nullopt;
  const bool is_count =
      parse_number<uint64_t>(line.substr(comma + 2, events - comma - 2)).has_value();
  return is_count ? std::optional(line.substr(0, comma)) : std::nullopt;
}

bool is_call_titles(std::string_view line) {
  return line.starts_with(kCall) && line.contains(" calls ") && line.contains(" avg ");
}

bool is_task_titles(std::string_view line) {
  return line.starts_with(kTask) && line.contains("| Switches |") && line.contains("Runtime ms");
}

// "Avg delay ms" → "avg_delay_ms".
std::string key_of_title(std::string_view title) {
  std::string key = lower_case(std::string(trimmed(title)));
  std::ranges::replace(key, ' ', '_');
  return key;
}

constexpr double kMostNs = 9e17;

int64_t ns_of_ms(std::string_view figure) {
  const Time time = nearest_time(figure, DecimalUnit::kMilliseconds).value_or(Time{});
  return std::max<int64_t>(time.ticks, 0);
}

class PerfSummaryReader {
 public:
  explicit PerfSummaryReader(trace::EventSink& sink) : sink_(sink) {}

  void add(const io::Line& line) {
    const std::string_view text = trimmed(line.text);
    const bool is_rule = text.find_first_not_of("-| ") == std::string_view::npos;
    if (is_rule || text == "Summary of events:" || text.starts_with("(msec)")) return;
    if (const auto thread = thread_above(text)) {
      sink_.set_metadata("events of " + valid_utf8(*thread),
                         valid_utf8(trimmed(text.substr(thread->size() + 1))));
      thread_ = valid_utf8(*thread);
    } else if (is_call_titles(text) || is_task_titles(text)) {
      begin_table(text);
    } else if (text.starts_with("TOTAL:") || text.starts_with("INFO: ")) {
      std::string_view value = text;
      const std::string_view name = take_to(value, ':');
      value = value.substr(0, value.find_last_not_of("| ") + 1);
      sink_.set_metadata(
          name, valid_utf8(value.substr(std::min(value.size(), value.find_first_not_of("| ")))));
    } else if (titles_.empty()) {
      sink_.note("line of no table", line.offset);
    } else if (is_tasks_ ? !add_task(text) : !add_call(text)) {
      sink_.loss("line of no table", line.offset);
    }
  }

  void finish() { tables_.give(sink_, is_tasks_ ? "tasks" : "system calls"); }

 private:
  using Row = SummaryTables::Row;

  void begin_table(std::string_view titles) {
    titles_.clear();
    is_tasks_ = is_task_titles(titles);
    const std::string name = is_tasks_ ? "tasks" : thread_.empty() ? "calls" : thread_;
    if (!tables_.begin_table(name)) return sink_.loss("table beyond the first 4096", 0);
    while (!trimmed(titles).empty())
      titles_.push_back(is_tasks_ ? key_of_title(take_to(titles, '|'))
                                  : std::string(take_word(titles)));
  }

  // If a call failed, lines below may tell how ("ENOENT: 13").
  bool add_call(std::string_view text) {
    Row row;
    std::string_view rest = text;
    row.name = valid_utf8(take_word(rest));
    ArgsText params;
    if (row.name.ends_with(':')) return parse_number<uint64_t>(trimmed(rest)).has_value();
    for (size_t i = 1; i < titles_.size(); ++i) {
      std::string_view figure = take_word(rest);
      if (figure.ends_with('%')) figure.remove_suffix(1);
      if (!parse_number<double>(figure)) return false;
      const std::string& title = titles_[i];
      const bool is_count = title == "calls" || title == "errors";
      params.name(is_count ? title : title + (title == "stddev" ? "_percent" : "_ms"));
      params.json(figure);
      if (title == "calls") row.count = parse_number<int64_t>(figure).value_or(0);
      if (title == "total") row.ns = ns_of_ms(figure);
      // Without a sum, as before Linux 4.
      if (title == "avg" && row.ns == 0)
        row.ns = static_cast<int64_t>(std::min(
            static_cast<double>(ns_of_ms(figure)) * static_cast<double>(row.count), kMostNs));
    }
    row.params = params.take();
    return add(std::move(row));
  }

  // "bash:17681 |  2.534 ms |  1 | avg:  13.872 ms | max:  13.872 ms | max at: 14118.977685 s |"
  bool add_task(std::string_view text) {
    Row row;
    ArgsText params;
    row.name = valid_utf8(trimmed(take_to(text, '|')));
    for (size_t i = 1; i < titles_.size(); ++i) {
      std::string_view cell = trimmed(take_to(text, '|'));
      if (const size_t colon = cell.find(':'); colon != std::string_view::npos)
        cell = trimmed(cell.substr(colon + 1));
      const auto figure = take_word(cell);
      if (!parse_number<double>(figure)) return false;
      params.name(trimmed(cell) == "s" ? titles_[i] + "_s" : titles_[i]);
      params.json(figure);
      if (titles_[i] == "runtime_ms") row.ns = ns_of_ms(figure);
      if (titles_[i] == "switches") row.count = parse_number<int64_t>(figure).value_or(0);
    }
    row.params = params.take();
    return add(std::move(row));
  }

  bool add(Row row) {
    if (!tables_.add(std::move(row)))
      sink_.loss("row beyond the first 65536", trace::LossPlace::nowhere());
    return true;
  }

  trace::EventSink& sink_;
  std::string thread_;               // of the next table
  std::vector<std::string> titles_;  // of the table; none: it has not begun
  bool is_tasks_ = false;
  SummaryTables tables_;
};

}  // namespace

int sniff_perf_summary(std::span<const std::byte> head) {
  constexpr int kLinesLookedAt = 256, kSure = 85;
  HeadLines lines(as_chars(head), kLinesLookedAt);
  bool is_first = true;
  while (const auto next = lines.next()) {
    const std::string_view line = trimmed(*next);
    const bool is_rule = line.find_first_not_of("-| ") == std::string_view::npos;
    if (is_rule || line == "Summary of events:" || thread_above(line)) continue;
    if (is_call_titles(line) || is_task_titles(line)) return kSure - (is_first ? 0 : 40);
    is_first = false;
  }
  return 0;
}

Status read_perf_summary(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  PerfSummaryReader reader(sink);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats

#include "core/formats/kernel/perf/perf_summary_reader.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
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

constexpr std::string_view kCall = "syscall", kTask = "Task ", kAnalyzed = "Analyze events for ";

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

bool is_lock_titles(std::string_view line) {
  return line.starts_with("contended ") && line.contains(" total wait ");
}

bool is_exit_titles(std::string_view line) {
  return line.contains(" Samples ") && line.contains(" Time% ") && line.ends_with("Avg time");
}

// "contended   total wait   type": at least two spaces are between titles.
std::vector<std::string> spaced_titles(std::string_view line) {
  std::vector<std::string> titles;
  for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
    const size_t end = std::min(line.find("  "), line.size());
    titles.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return titles;
}

// "1.13 ms", "0.55us"
std::optional<int64_t> take_ns(std::string_view& text) {
  struct Unit {
    std::string_view name;
    DecimalUnit scale;
    int64_t factor = 1;
  };
  constexpr Unit kUnits[] = {
      {"ns", DecimalUnit::kNanoseconds},  {"us", DecimalUnit::kMicroseconds},
      {"ms", DecimalUnit::kMilliseconds}, {"s", DecimalUnit::kSeconds},
      {"m", DecimalUnit::kSeconds, 60},   {"h", DecimalUnit::kSeconds, 3600}};
  std::string_view word = take_word(text);
  const size_t digits = std::min(word.find_first_not_of("0123456789."), word.size());
  const std::string_view unit = digits == word.size() ? take_word(text) : word.substr(digits);
  const auto* const known = std::ranges::find(kUnits, unit, &Unit::name);
  if (known == std::end(kUnits)) return std::nullopt;
  const auto time = nearest_time(word.substr(0, digits), known->scale);
  constexpr int64_t kMost = INT64_MAX / 3600;
  if (!time || time->ticks > kMost) return std::nullopt;
  return time->ticks * known->factor;
}

// "Avg delay ms" → "avg_delay_ms".
std::string key_of_title(std::string_view title) {
  std::string key = lower_case(std::string(trimmed(title)));
  std::ranges::replace(key, ' ', '_');
  return key;
}

// What the rows of a table are.
enum class Kind : uint8_t { kNone, kCalls, kTasks, kLocks, kExits };

Kind kind_of_titles(std::string_view line) {
  if (is_call_titles(line)) return Kind::kCalls;
  if (is_task_titles(line)) return Kind::kTasks;
  if (is_lock_titles(line)) return Kind::kLocks;
  return is_exit_titles(line) ? Kind::kExits : Kind::kNone;
}

// Empty: tables are called as their threads.
std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kTasks:
      return "tasks";
    case Kind::kLocks:
      return "contended locks";
    case Kind::kExits:
      return "exits of virtual machines";
    default:
      return {};
  }
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
    } else if (const Kind kind = kind_of_titles(text); kind != Kind::kNone) {
      begin_table(kind, text);
    } else if (text.starts_with(kAnalyzed)) {
      const std::string_view which = text.substr(kAnalyzed.size());
      sink_.set_metadata("events", valid_utf8(which.substr(0, which.find_last_not_of(':') + 1)));
    } else if (text.starts_with("Total Samples:")) {
      std::string_view rest = text;
      while (!rest.empty()) {
        std::string_view value = trimmed(take_to(rest, ','));
        const std::string_view name = take_to(value, ':');
        sink_.set_metadata(name, valid_utf8(value.substr(0, value.find_last_not_of('.') + 1)));
      }
    } else if (text.starts_with("TOTAL:") || text.starts_with("INFO: ")) {
      std::string_view value = text;
      const std::string_view name = take_to(value, ':');
      value = value.substr(0, value.find_last_not_of("| ") + 1);
      sink_.set_metadata(
          name, valid_utf8(value.substr(std::min(value.size(), value.find_first_not_of("| ")))));
    } else if (titles_.empty()) {
      sink_.note("line of no table", line.offset);
    } else if (!add_row(text)) {
      sink_.loss("line of no table", line.offset);
    }
  }

  void finish() {
    const std::string_view name = name_of(kind_);
    tables_.give(sink_, name.empty() ? "system calls" : name);
  }

 private:
  using Row = SummaryTables::Row;

  void begin_table(Kind kind, std::string_view titles) {
    kind_ = kind;
    titles_.clear();
    const std::string_view name = name_of(kind);
    const std::string_view of_calls = thread_.empty() ? std::string_view("calls") : thread_;
    if (!tables_.begin_table(std::string(name.empty() ? of_calls : name)))
      return sink_.loss("table beyond the first 4096", trace::LossPlace::nowhere());
    if (kind == Kind::kLocks || kind == Kind::kExits) {
      titles_ = spaced_titles(titles);
      return;
    }
    while (!trimmed(titles).empty())
      titles_.push_back(kind == Kind::kTasks ? key_of_title(take_to(titles, '|'))
                                             : std::string(take_word(titles)));
  }

  bool add_row(std::string_view text) {
    switch (kind_) {
      case Kind::kTasks:
        return add_task(text);
      case Kind::kLocks:
        return add_lock(text);
      case Kind::kExits:
        return add_exit(text);
      default:
        return add_call(text);
    }
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

  // "172   1.13 ms   27.13 us   6.57 us   spinlock   futex_wait_setup+0x13": the last column, which
  // may hold spaces, says where or who.
  bool add_lock(std::string_view text) {
    Row row;
    ArgsText params;
    for (size_t i = 0; i < titles_.size(); ++i) {
      const std::string& title = titles_[i];
      if (title == "contended") {
        const auto count = parse_number<int64_t>(take_word(text));
        if (!count) return false;
        params.add(title, row.count = *count);
      } else if (title.ends_with(" wait")) {
        const auto ns = take_ns(text);
        if (!ns) return false;
        params.add(key_of_title(title) + "_ns", *ns);
        if (title.starts_with("total")) row.ns = *ns;
      } else {
        const bool is_last = i + 1 == titles_.size();
        const std::string_view cell = is_last ? trimmed(text) : take_word(text);
        if (!cell.empty()) row.name = valid_utf8(cell);
        if (is_last) continue;
        if (const auto number = parse_number<int64_t>(cell)) {
          params.add(key_of_title(title), *number);
        } else {
          params.add(key_of_title(title), cell);
        }
      }
    }
    row.params = params.take();
    return !row.name.empty() && add(std::move(row));
  }

  // "MSR_WRITE  1143  49.30%  0.13%  0.55us  37.42us  1.20us ( +-  4.91% )", a reason of several
  // words, too: behind it are a number and a share.
  bool add_exit(std::string_view text) {
    std::string_view rest = text, figures;
    std::optional<int64_t> count;
    while (!rest.empty()) {
      figures = rest;
      const auto number = parse_number<int64_t>(take_word(rest));
      std::string_view behind = rest;
      if (number && take_word(behind).ends_with('%')) {
        count = number;
        break;
      }
    }
    Row row;
    row.name = valid_utf8(trimmed(text.substr(0, text.size() - figures.size())));
    if (!count || row.name.empty()) return false;
    row.count = *count;
    ArgsText params;
    params.add("samples", row.count);
    for (const std::string& title : titles_) {
      const std::string key = key_of_title(title);
      if (key.ends_with('%')) {
        std::string_view share = take_word(rest);
        if (!share.ends_with('%')) return false;
        share.remove_suffix(1);
        if (!parse_number<double>(share)) return false;
        params.name(key.substr(0, key.size() - 1) + "_percent");
        params.json(share);
      } else if (key.ends_with("_time")) {
        const auto ns = take_ns(rest);
        if (!ns) return false;
        params.add(key + "_ns", *ns);
        if (key.starts_with("avg"))
          row.ns = static_cast<int64_t>(
              std::min(static_cast<double>(*ns) * static_cast<double>(row.count), kMostNs));
      }
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
  Kind kind_ = Kind::kNone;
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
    if (is_rule || line == "Summary of events:" || line.starts_with(kAnalyzed) ||
        thread_above(line))
      continue;
    if (kind_of_titles(line) != Kind::kNone) return kSure - (is_first ? 0 : 40);
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

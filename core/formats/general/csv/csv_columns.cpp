#include "core/formats/general/csv/csv_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/own_csv.h"
#include "core/formats/base/text.h"
#include "core/formats/base/time_form.h"
#include "core/formats/formats.h"
#include "core/formats/general/csv/csv_cells.h"

namespace weft::formats::csv {
namespace {

// What a column `category` says of a row, and Pajé's `Nature`.
struct CategoryWord {
  std::string_view word;
  trace::Category category;
};
constexpr CategoryWord kCategoryWords[] = {
    {"punctual", trace::Category::kPunctual}, {"state", trace::Category::kState},
    {"link", trace::Category::kLink},         {"variable", trace::Category::kVariable},
    {"Event", trace::Category::kPunctual},    {"State", trace::Category::kState},
    {"Link", trace::Category::kLink},         {"Variable", trace::Category::kVariable},
};

struct Word {
  std::string_view word;
  Meaning meaning;
  std::optional<DecimalUnit> unit = {};  // that it implies
};
// The better name of a meaning stands first.
constexpr Word kWords[] = {
    {"time", Meaning::kTime},
    {"timestamp", Meaning::kTime},
    {"time_stamp", Meaning::kTime},
    {"ts", Meaning::kTime},
    {"begin", Meaning::kTime},
    {"start", Meaning::kTime},
    {"start_time", Meaning::kTime},
    {"start_timestamp", Meaning::kTime, DecimalUnit::kNanoseconds},  // ROCm's
    {"clock_time", Meaning::kTime},
    {"date/time", Meaning::kTime},
    {"date_time", Meaning::kTime},
    {"datetime", Meaning::kTime},
    {"date", Meaning::kTime},
    {"date", Meaning::kDate},
    {"unix_time", Meaning::kTime},
    {"epoch", Meaning::kTime},
    {"uptime", Meaning::kTime},
    {"t", Meaning::kTime},
    {"ns_since_start", Meaning::kTime, DecimalUnit::kNanoseconds},  // tracy-csvexport's
    {"end", Meaning::kEnd},
    {"stop", Meaning::kEnd},
    {"finish", Meaning::kEnd},
    {"end_time", Meaning::kEnd},
    {"end_timestamp", Meaning::kEnd, DecimalUnit::kNanoseconds},
    {"duration", Meaning::kDuration},
    {"dur", Meaning::kDuration},
    {"exec_time", Meaning::kDuration},
    {"elapsed", Meaning::kDuration},
    {"category", Meaning::kCategory},
    {"nature", Meaning::kCategory},  // Pajé's
    {"lane", Meaning::kLane},
    {"thread", Meaning::kLane},
    {"resource", Meaning::kLane},
    {"process", Meaning::kLane},
    {"source", Meaning::kLane},
    {"origin", Meaning::kLane},
    {"from", Meaning::kLane},
    {"cpu", Meaning::kLane},
    {"core", Meaning::kLane},
    {"queue_id", Meaning::kLane},
    {"resource_id", Meaning::kLane},  // Pajé's
    {"container", Meaning::kLane},
    {"thread_name", Meaning::kLane},
    {"thread_id", Meaning::kLane},
    {"tid", Meaning::kLane},
    {"task", Meaning::kLane},
    {"strm", Meaning::kLane},  // Nsight Systems'
    {"stream", Meaning::kLane},
    {"device", Meaning::kLane},
    {"agent_id", Meaning::kLane},
    {"source_agent_id", Meaning::kLane},
    {"worker_id", Meaning::kLane},
    {"worker", Meaning::kLane},
    {"component", Meaning::kLane},
    {"logger", Meaning::kLane},
    {"track", Meaning::kLane},
    {"machine", Meaning::kLane},
    {"node", Meaning::kLane},
    {"process_name", Meaning::kLane},
    {"pid", Meaning::kLane},
    {"type", Meaning::kType},
    {"name", Meaning::kType},
    {"event", Meaning::kType},
    {"event_name", Meaning::kType},
    {"function", Meaning::kType},
    {"state", Meaning::kType},
    {"message", Meaning::kType},
    {"kernel_name", Meaning::kType},
    {"direction", Meaning::kType},
    {"operation", Meaning::kType},
    {"kind", Meaning::kType},
    {"task_type", Meaning::kType},
    {"event_template", Meaning::kType},  // Loghub's
    {"label", Meaning::kType},
    {"protocol", Meaning::kType},  // Wireshark's
    {"job", Meaning::kType},
    {"task", Meaning::kType},  // on a core
    {"signal", Meaning::kType},
    {"metric", Meaning::kType},
    {"counter", Meaning::kType},
    {"variable", Meaning::kType},
    {"sensor", Meaning::kType},
    {"channel", Meaning::kType},
    {"depth", Meaning::kDepth},
    {"imbrication", Meaning::kDepth},
    {"target_lane", Meaning::kTargetLane},
    {"target", Meaning::kTargetLane},
    {"to", Meaning::kTargetLane},
    {"dest", Meaning::kTargetLane},
    {"destination", Meaning::kTargetLane},
    {"target_time", Meaning::kTargetTime},
    {"value", Meaning::kValue},
    {"params", Meaning::kParams},
    {"payload", Meaning::kPayload},
    {"type_group", Meaning::kTypeGroup},
    {"time_base", Meaning::kTimeBase},
};

// What only logs have, beside their times.
constexpr std::string_view kOfLogs[] = {"content",  "message", "msg",
                                        "severity", "level",   "event_template"};

constexpr std::string_view kBegins[] = {"enter", "begin", "entry", "start"};
constexpr std::string_view kEnds[] = {"leave", "end", "exit", "stop"};

// JMeter's results, in milliseconds.
constexpr std::string_view kOfJmeter = "timeStamp,elapsed,";
// Saleae's data table: what an analyzer of that name found.
constexpr std::string_view kOfSaleae = "name,type,start_time,duration,";

// What a lane lies in: the process of a thread, the device of a queue.
struct Nesting {
  std::array<std::string_view, 4> inner, outer;
};
constexpr Nesting kNestings[] = {
    {{"thread", "thread_name", "thread_id", "tid"},
     {"process", "process_name", "process_id", "pid"}},
    {{"queue_id", "strm", "stream"}, {"device", "agent_id", "gpu_id", "gpu"}}};

struct UnitWord {
  std::string_view word;
  DecimalUnit unit;
};
constexpr UnitWord kUnits[] = {{"ns", DecimalUnit::kNanoseconds},
                               {"us", DecimalUnit::kMicroseconds},
                               {"µs", DecimalUnit::kMicroseconds},
                               {"\u03BCs", DecimalUnit::kMicroseconds},  // the Greek letter
                               {"ms", DecimalUnit::kMilliseconds},
                               {"s", DecimalUnit::kSeconds},
                               {"nsec", DecimalUnit::kNanoseconds},
                               {"usec", DecimalUnit::kMicroseconds},
                               {"msec", DecimalUnit::kMilliseconds},
                               {"sec", DecimalUnit::kSeconds},
                               {"nanoseconds", DecimalUnit::kNanoseconds},
                               {"microseconds", DecimalUnit::kMicroseconds},
                               {"milliseconds", DecimalUnit::kMilliseconds},
                               {"seconds", DecimalUnit::kSeconds}};

// "Start Time [us]", "StartTimeUs" and "__start_time_us" as "start_time" and its unit.
std::string normal(std::string_view name, std::optional<DecimalUnit>& unit) {
  std::string text;
  name = trimmed(name);
  name.remove_prefix(std::min(name.find_first_not_of("_# "), name.size()));
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (is_upper(c) && i > 1 && is_lower(name[i - 1]) && is_lower(name[i - 2])) text += '_';
    text += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c == ' ' || c == '-' ? '_' : c;
  }
  for (const UnitWord& each : kUnits) {
    for (const auto& [open, close] : std::array<std::pair<std::string_view, std::string_view>, 5>{
             {{"_[", "]"}, {"_(", ")"}, {"[", "]"}, {"(", ")"}, {"_", ""}}}) {
      const std::string ending = std::string(open) + std::string(each.word) + std::string(close);
      if (!text.ends_with(ending) || text.size() == ending.size()) continue;
      unit = each.unit;
      text.resize(text.size() - ending.size());
      return text;
    }
  }
  return text;
}

std::optional<double> number_of(std::string cell, char separator) {
  if (separator != ',') use_points(cell);
  return number_in(trimmed(cell));
}

// The cells of the first whole lines; empty where one has another number of them, or only one.
Rows first_rows(std::string_view head, char separator) {
  constexpr size_t kMostRows = 100;
  Rows rows;
  for (size_t end = head.find('\n'); end != std::string_view::npos && rows.size() < kMostRows;
       end = head.find('\n')) {
    const std::string_view line = trimmed(head.substr(0, end));
    head.remove_prefix(end + 1);
    if (line.empty()) continue;
    std::vector<std::string>& cells = rows.emplace_back();
    if (!split(line, separator, cells) || cells.size() < 2 || cells.size() != rows[0].size())
      return {};
  }
  return rows;
}

bool has(const std::vector<Column>& columns, Meaning meaning) {
  return std::ranges::find(columns, meaning, &Column::meaning) != columns.end();
}

// Whether most of those that are not empty are times.
bool are_times(const Rows& rows, size_t column, char separator) {
  constexpr size_t kEnough = 20;
  size_t times = 0, others = 0;
  for (size_t i = 0; i < std::min(rows.size(), kEnough); ++i) {
    const std::string& cell = rows[i][column];
    if (trimmed(cell).empty()) continue;
    const bool is_time = number_of(cell, separator) || unit_in(cell) || TimeForm::of(cell);
    ++(is_time ? times : others);
  }
  return times > others;
}

// Whether they are one number after the other: of rows, and not of what is in several of them.
bool are_counted(const Rows& rows, size_t column) {
  constexpr size_t kFewest = 8;
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto number = parse_number<int64_t>(trimmed(rows[i][column]));
    const auto before = i == 0 ? std::nullopt : parse_number<int64_t>(trimmed(rows[i - 1][column]));
    if (!number || (i > 0 && *number - 1 != before)) return false;
  }
  return rows.size() >= kFewest;
}

bool have_fractions(const Rows& rows, size_t column) {
  return std::ranges::any_of(rows, [&](const std::vector<std::string>& cells) {
    const auto number = parse_number<double>(trimmed(cells[column]));
    return number && *number != std::floor(*number);
  });
}

// Whether all say that something begins or ends, and there is one of each. Where there are
// durations as well, ends have them, and some rows may say neither.
bool are_calls(const Rows& rows, size_t column, std::optional<size_t> duration) {
  bool has_begin = false, has_end = false;
  for (const std::vector<std::string>& cells : rows) {
    const auto begins = begins_call(trimmed(cells[column]));
    if (!begins && duration) continue;
    if (!begins) return false;
    if (*begins && duration && !trimmed(cells[*duration]).empty()) return false;
    (*begins ? has_begin : has_end) = true;
  }
  return has_begin && has_end;
}

// Whether one of the columns says what begins and ends; it is then marked in `of_calls`.
bool mark_calls(const Rows& rows, const std::vector<Column>& columns,
                std::vector<Column>& of_calls) {
  const auto at = std::ranges::find(columns, Meaning::kDuration, &Column::meaning);
  std::optional<size_t> duration;
  if (at != columns.end()) duration = static_cast<size_t>(at - columns.begin());
  for (size_t i = 0; i < columns.size(); ++i) {
    if (!are_calls(rows, i, duration)) continue;
    of_calls[i].meaning = Meaning::kCall;
    return true;
  }
  return false;
}

// `words` are the columns' names.
void find_meanings(const std::vector<std::string>& words, const Rows& rows, char separator,
                   std::vector<Column>& columns) {
  const auto is_like = [&](Meaning meaning, size_t column) {
    if (rows.empty()) return true;
    if (meaning == Meaning::kTime) return are_times(rows, column, separator);
    return meaning != Meaning::kLane || !are_counted(rows, column);
  };
  for (const bool is_strict : {true, false}) {
    for (const Word& each : kWords) {
      const auto word = std::ranges::find(words, each.word);
      if (word == words.end() || has(columns, each.meaning)) continue;
      const auto i = static_cast<size_t>(word - words.begin());
      Column& column = columns[i];
      if (column.meaning != Meaning::kParameter) continue;  // a date that is all of the time
      if (is_strict && !is_like(each.meaning, i)) continue;
      const bool is_of_cpu = each.word == "cpu" || each.word == "core";
      if (is_of_cpu && have_fractions(rows, i)) continue;  // its load
      column.meaning = each.meaning;
      if (!column.unit && !have_fractions(rows, i)) column.unit = each.unit;
    }
  }
}

// Those of one name get numbers: "temp", "temp (2)".
void tell_apart(std::vector<Column>& columns) {
  std::unordered_map<std::string, int> seen;
  std::unordered_set<std::string> taken;
  for (const Column& column : columns) taken.insert(column.name);
  for (Column& column : columns) {
    int& number = seen[column.name];
    if (++number == 1) continue;
    const std::string name = column.name;
    do {
      column.name = name + " (" + std::to_string(number) + ')';
    } while (!taken.insert(column.name).second && ++number > 0);
  }
}

// `words` are the columns' names. Of a target nobody says what it lies in.
void find_outer_lane(const std::vector<std::string>& words, std::vector<Column>& columns) {
  const auto lane = std::ranges::find(columns, Meaning::kLane, &Column::meaning);
  if (lane == columns.end() || has(columns, Meaning::kTargetLane)) return;
  const std::string& word = words[static_cast<size_t>(lane - columns.begin())];
  for (const Nesting& nesting : kNestings) {
    if (std::ranges::find(nesting.inner, word) == nesting.inner.end()) continue;
    const auto outer = std::ranges::find_first_of(words, nesting.outer);
    if (outer != words.end())
      columns[static_cast<size_t>(outer - words.begin())].meaning = Meaning::kOuterLane;
  }
}

}  // namespace

char separator_of(std::string_view header) {
  char best = ',';
  for (const char separator : {';', '\t', '|'}) {
    if (std::ranges::count(header, separator) > std::ranges::count(header, best)) best = separator;
  }
  return best;
}

bool is_note(std::string_view line) {
  constexpr std::string_view kSeparator = "sep=";
  constexpr std::string_view kOfTools[] = {"==",
                                           "NOTICE: Existing SQLite export found",
                                           "        It is assumed file was previously exported",
                                           "        Consider using --force-export",
                                           "Generating SQLite file ",
                                           "Processing ["};
  const bool is_of_separator = line.size() == kSeparator.size() + 1 && line.starts_with(kSeparator);
  const bool is_empty = trimmed(line).empty();
  const bool is_comment =
      line.starts_with('#') && !has(columns_of(line, separator_of(line)), Meaning::kTime);
  return is_empty || is_of_separator || is_comment ||
         std::ranges::any_of(kOfTools,
                             [&](std::string_view each) { return line.starts_with(each); });
}

std::string_view without_brackets(std::string_view word) {
  const bool is_round = word.starts_with('(') && word.ends_with(')');
  const bool is_square = word.starts_with('[') && word.ends_with(']');
  return is_round || is_square ? trimmed(word.substr(1, word.size() - 2)) : word;
}

std::optional<DecimalUnit> unit_named(std::string_view word) {
  const auto* const it = std::ranges::find(kUnits, without_brackets(word), &UnitWord::word);
  return it == std::end(kUnits) ? std::nullopt : std::optional(it->unit);
}

std::string_view name_of(DecimalUnit unit) {
  switch (unit) {
    case DecimalUnit::kSeconds:
      return "seconds";
    case DecimalUnit::kMilliseconds:
      return "milliseconds";
    case DecimalUnit::kMicroseconds:
      return "microseconds";
    case DecimalUnit::kNanoseconds:
      return "nanoseconds";
  }
  return {};
}

void use_points(std::string& number) { std::ranges::replace(number, ',', '.'); }

bool split(std::string_view line, char separator, std::vector<std::string>& out, char quote) {
  Cells cells;
  const bool is_whole = cells.split(line, separator, quote);
  out.resize(cells.size());
  for (size_t i = 0; i < cells.size(); ++i) out[i] = cells[i];
  return is_whole;
}

std::optional<bool> begins_call(std::string_view word) {
  const auto is_word = [word](std::string_view each) { return equals_ignoring_case(word, each); };
  if (std::ranges::any_of(kBegins, is_word)) return true;
  return std::ranges::any_of(kEnds, is_word) ? std::optional(false) : std::nullopt;
}

std::vector<Column> columns_of(std::string_view header, char separator, const Rows& rows) {
  std::vector<std::string> names;
  split(header, separator, names);
  std::vector<Column> columns;
  std::vector<std::string> words;
  for (const std::string& name : names) {
    std::optional<DecimalUnit> unit;
    words.push_back(normal(name, unit));
    columns.push_back({.name = valid_utf8(trimmed(name)), .unit = unit});
  }
  std::vector<Column> of_calls = columns;
  find_meanings(words, rows, separator, columns);
  if (mark_calls(rows, columns, of_calls)) {
    find_meanings(words, rows, separator, of_calls);
    constexpr Meaning kOthers[] = {Meaning::kEnd, Meaning::kCategory, Meaning::kTargetLane};
    const bool are_whole =
        has(of_calls, Meaning::kTime) && has(of_calls, Meaning::kType) &&
        std::ranges::none_of(kOthers, [&](Meaning m) { return has(of_calls, m); });
    if (are_whole) columns = std::move(of_calls);
  }
  find_outer_lane(words, columns);
  if (header.starts_with(kOfSaleae)) columns[0].meaning = Meaning::kLane;  // an analyzer
  if (header.starts_with(kOfJmeter)) columns[0].unit = DecimalUnit::kMilliseconds;
  tell_apart(columns);
  return columns;
}

std::vector<Column> columns_in(std::string_view head) {
  constexpr size_t kMostRows = 100;
  HeadLines lines(head);
  auto header = lines.next();
  while (header && is_note(*header)) header = lines.next();
  if (!header || lines.is_open()) return {};
  const char separator = separator_of(*header);
  if (header->starts_with(kOwnCsvColumns)) return columns_of(*header, separator);
  std::vector<std::string> cells;
  split(*header, separator, cells);
  const size_t width = cells.size();
  Rows rows;
  while (const auto line = lines.next()) {
    if (lines.is_open() || rows.size() == kMostRows) break;
    if (split(*line, separator, cells) && cells.size() == width) rows.push_back(cells);
  }
  return columns_of(*header, separator, rows);
}

bool is_time(Meaning meaning) {
  return meaning == Meaning::kTime || meaning == Meaning::kEnd || meaning == Meaning::kDuration ||
         meaning == Meaning::kTargetTime;
}

std::optional<DecimalUnit> unit_of_times(const std::vector<Column>& columns) {
  const auto time = std::ranges::find(columns, Meaning::kTime, &Column::meaning);
  if (time != columns.end() && time->unit) return time->unit;
  const auto other = std::ranges::find_if(
      columns, [](const Column& column) { return is_time(column.meaning) && column.unit; });
  return other == columns.end() ? std::nullopt : other->unit;
}

bool is_trace(const std::vector<Column>& columns) {
  return has(columns, Meaning::kTime) &&
         (has(columns, Meaning::kLane) || has(columns, Meaning::kType));
}

bool is_log(const std::vector<Column>& columns) {
  return std::ranges::any_of(columns, [](const Column& column) {
    std::optional<DecimalUnit> unit;
    return std::ranges::find(kOfLogs, normal(column.name, unit)) != std::end(kOfLogs);
  });
}

bool is_row_of_units(const std::vector<Column>& columns, std::string_view row, char separator) {
  std::vector<std::string> cells;
  split(row, separator, cells);
  const auto time = std::ranges::find(columns, Meaning::kTime, &Column::meaning);
  const auto place = static_cast<size_t>(time - columns.begin());
  return time != columns.end() && place < cells.size() && unit_named(trimmed(cells[place]));
}

bool is_table_of_values(const std::vector<Column>& columns, std::string_view first_row,
                        char separator) {
  std::vector<std::string> cells;
  const bool is_row = split(first_row, separator, cells) && cells.size() == columns.size();
  if (!is_row || columns.size() < 2 || !has(columns, Meaning::kTime) || is_trace(columns))
    return false;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (columns[i].meaning == Meaning::kTime || columns[i].meaning == Meaning::kDate) continue;
    if (separator != ',') use_points(cells[i]);
    const bool may_be_value =
        columns[i].meaning == Meaning::kParameter || columns[i].meaning == Meaning::kValue;
    if (!may_be_value || !number_in(trimmed(cells[i]))) return false;
  }
  return true;
}

std::vector<Column> nameless_columns(std::string_view head) {
  constexpr size_t kFewestRows = 4;
  while (head.starts_with('#') && is_note(head.substr(0, head.find('\n')))) take_to(head, '\n');
  const char separator = separator_of(head.substr(0, head.find('\n')));
  const auto rows = first_rows(head, separator);
  if (rows.size() < kFewestRows) return {};
  double time = -std::numeric_limits<double>::infinity(), first = 0;
  for (const std::vector<std::string>& cells : rows) {
    const auto is_number = [&](const std::string& cell) {
      return number_of(cell, separator).has_value();
    };
    if (!std::ranges::all_of(cells, is_number)) return {};
    const double now = *number_of(cells[0], separator);
    if (now < time) return {};
    if (&cells == &rows[0]) first = now;
    time = now;
  }
  if (time == first) return {};
  std::vector<Column> columns;
  for (size_t i = 1; i <= rows[0].size(); ++i)
    columns.push_back({.name = "column " + std::to_string(i), .unit = {}});
  columns[0].meaning = Meaning::kTime;
  return columns;
}

bool begins_with_row(std::string_view head) {
  constexpr size_t kFewestRows = 3;
  const char separator = separator_of(head.substr(0, head.find('\n')));
  const auto rows = first_rows(head, separator);
  return rows.size() >= kFewestRows && std::ranges::any_of(rows[0], [&](const std::string& cell) {
           return number_of(cell, separator).has_value();
         });
}

std::optional<trace::Category> category_named(std::string_view word) {
  const auto* const it = std::ranges::find(kCategoryWords, word, &CategoryWord::word);
  return it == std::end(kCategoryWords) ? std::nullopt : std::optional(it->category);
}

}  // namespace weft::formats::csv

#include "core/formats/kernel/perf/perf_stat_line.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/time.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/base/text.h"

namespace weft::formats::perf {
namespace {

constexpr std::string_view kDigits = "0123456789";

// "12,345,678", without a copy; nullopt: not only groups of digits, or of too many.
std::optional<double> parse_thousands(std::string_view text) {
  constexpr size_t kMostBytes = 18, kThousands = 3;
  if (text.size() > kMostBytes) return std::nullopt;
  int64_t value = 0;
  size_t digits = 0, groups = 0;
  for (const char c : text) {
    if (is_digit(c)) {
      value = 10 * value + (c - '0');
      ++digits;
    } else {
      const bool is_whole = groups == 0 ? digits > 0 : digits == kThousands;
      if (!is_whole || (c != ',' && c != '.')) return std::nullopt;
      digits = 0;
      ++groups;
    }
  }
  const bool is_whole = groups == 0 ? digits > 0 : digits == kThousands;
  return is_whole ? std::optional(static_cast<double>(value)) : std::nullopt;
}

// "1,234", "1.234" and "1 234" are thousands, "32.76" and "32,76" hundredths, as the locale has it.
std::optional<double> parse_count(std::string_view text) {
  if (const auto value = parse_thousands(text)) return value;
  constexpr size_t kThousands = 3;
  std::string plain;
  std::string without_spaces;
  for (const std::string_view space : {"\u202f", "\u00a0"}) {
    if (!text.contains(space)) continue;
    while (text.contains(space)) {
      without_spaces += text.substr(0, text.find(space));
      text.remove_prefix(text.find(space) + space.size());
    }
    without_spaces += text;
    text = without_spaces;
    break;
  }
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ',' && text[i] != '.') {
      plain += text[i];
      continue;
    }
    const size_t next = text.find_first_not_of(kDigits, i + 1);
    const size_t digits = std::min(next, text.size()) - i - 1;
    if (digits != kThousands) plain += '.';
  }
  return parse_number<double>(plain);
}

bool is_missing(std::string_view text) { return text.starts_with("<not "); }

// A metric that only says the count in another way, with a prefix that changes from line to line.
bool is_rate(std::string_view metric) { return metric.ends_with("/sec"); }

void set_metric(StatLine& line, std::string_view value, std::string_view name) {
  name = trimmed(name);
  line.metric_value = parse_number<double>(trimmed(value));
  if (!line.metric_value || is_rate(name)) return;
  line.metric = name;
}

// Removes the number of CPUs after the name of a core, a node, ….
std::string_view without_count(std::string_view group) {
  std::string_view rest = group;
  const std::string_view name = take_word(rest);
  const bool is_count = parse_number<int>(trimmed(rest)).has_value();
  return is_count && name.find_first_of(kDigits) != std::string_view::npos ? name : group;
}

// "0.328 CPUs utilized", "3.59% of all branches", "0.1 GHz  cycles_frequency", behind the sign.
bool parse_metric(std::string_view text, StatLine& line) {
  std::string_view metric = trimmed(text);
  std::string with_point;
  std::string_view number = with_points(take_word(metric), with_point);
  if (number.ends_with('%')) number.remove_suffix(1);
  metric = trimmed(metric);
  const size_t gap = metric.find("  ");
  std::string_view named = gap == std::string_view::npos ? "" : trimmed(metric.substr(gap));
  metric = metric.substr(0, gap);
  named = take_word(named);
  const bool has_name = named.find_first_not_of("(+-%") == 0;  // else it is noise: "( +- 1.95% )"
  if (!has_name) take_prefix(metric, "% ");
  set_metric(line, number, has_name && metric == "%" ? named : metric);
  if (has_name && metric != "%" && !line.metric.empty())
    line.metric = std::string(named).append(" (").append(metric).append(")");
  return line.metric_value.has_value();
}

// "(83.36%)" or "[83.36%]" at the end: the share of time in which it was counted, which is taken
// off.
void take_running(std::string_view& text, StatLine& line) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  const size_t open = text.find_last_of("([");
  if (open == std::string_view::npos || !(text.ends_with("%)") || text.ends_with("%]"))) return;
  std::string with_point;
  line.running = parse_number<double>(
      with_points(trimmed(text.substr(open + 1, text.size() - open - 3)), with_point));
  if (line.running) text = text.substr(0, open);
}

// Thousands may be apart by spaces: "27 655 923 827". No group is of digits alone.
bool are_thousands(std::string_view before) {
  return !trimmed(before).empty() &&
         std::ranges::all_of(before, [](char c) { return is_digit(c) || c == ' '; });
}

// "CPU0", "S0-D0-L3-ID0", "sh-42".
bool is_group(std::string_view text) {
  constexpr size_t kMostCommand = 15;  // TASK_COMM_LEN
  constexpr std::string_view kPlaces = "ABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789";
  const size_t dash = text.rfind('-');
  const bool has_pid = dash != std::string_view::npos && dash <= kMostCommand &&
                       parse_number<uint32_t>(text.substr(dash + 1)).has_value();
  const bool is_place = text.size() > 1 && text.find_first_not_of(kPlaces) == text.npos &&
                        !is_digit(text.front()) && is_digit(text.back());
  return has_pid || is_place;
}

// "cycles", "cpu_core/event=0x3c/", "r1a8".
bool is_event(std::string_view text) {
  const char first = text.front();
  const bool begins = is_digit(first) || first == '_' || (first >= 'a' && first <= 'z') ||
                      (first >= 'A' && first <= 'Z');
  return begins && (text.contains('/') || text.find_first_of("();<>|") == text.npos);
}

// Whether a line of a time is none of another text that begins with such a time.
bool is_plausible(const StatLine& line) {
  const bool is_metric = !line.value && line.metric_value;  // of a group, which any words name
  return (line.group.empty() || is_group(line.group)) &&
         (line.event.empty() || is_metric || is_event(line.event));
}

// Behind the time. The count is the last number before the event's name.
bool parse_columns(std::string_view text, StatLine& line) {
  take_running(text, line);
  const size_t sign = text.find(" # ");
  std::string_view left = text.substr(0, sign);
  size_t begin = std::string_view::npos, end = 0;
  std::optional<double> count;  // of the last number
  for (std::string_view rest = left; !rest.empty();) {
    const std::string_view word = take_word(rest);
    if (word.empty()) break;
    const auto at = static_cast<size_t>(word.data() - left.data());
    const auto number = is_digit(word.front()) ? parse_count(word) : std::nullopt;
    if (!number && word != "<not") continue;
    if (!number) take_word(rest);
    count = number;
    begin = at;
    end = left.size() - rest.size();
  }
  if (begin == std::string_view::npos) {
    // A further metric, of the event before or of a group of metrics.
    line.event = trimmed(left);
    return sign != std::string_view::npos && parse_metric(text.substr(sign + 2), line);
  }
  if (are_thousands(left.substr(0, begin))) {
    std::string joined(left.substr(0, end));
    std::erase(joined, ' ');
    line.value = parse_count(joined);
  } else {
    line.group = without_count(trimmed(left.substr(0, begin)));
  }
  if (!line.value) line.value = count;
  std::string_view rest = left.substr(end);
  if (const size_t noise = rest.find("( +-"); noise != std::string_view::npos)
    rest = rest.substr(0, noise);
  const bool has_unit = rest.size() > 1 && rest[0] == ' ' && rest[1] != ' ' &&
                        rest.find_first_not_of(' ', rest.find(' ', 1)) != std::string_view::npos;
  if (has_unit) line.unit = take_word(rest);
  line.event = take_word(rest);
  line.cgroup = trimmed(rest);
  if (sign == std::string_view::npos) return !line.event.empty();
  parse_metric(text.substr(sign + 2), line);
  return !line.event.empty();
}

bool is_value(std::string_view field) {
  return is_missing(field) || parse_number<double>(field).has_value();
}

// Behind the time: "S0-D0-C0,1,28.00,msec,task-clock,28003754,100.00,0.280,CPUs utilized".
bool parse_fields(std::string_view text, char sign, StatLine& line) {
  std::vector<std::string_view> fields;
  while (!text.empty()) fields.push_back(take_to(text, sign));
  const auto field = [&](size_t i) { return i < fields.size() ? fields[i] : std::string_view(); };
  size_t at = 0;
  if (!is_value(field(0))) {
    line.group = field(0);
    at = is_value(field(1)) && is_value(field(2)) ? 2 : 1;
  }
  // A further metric has no value and no event.
  if (!is_value(field(at)) && !(field(at).empty() && field(at + 2).empty())) return false;
  if (!is_missing(field(at))) line.value = parse_number<double>(field(at));
  line.unit = field(at + 1);
  line.event = field(at + 2);
  if (line.event.empty() && fields.size() > 2) {
    set_metric(line, fields[fields.size() - 2], fields.back());
    return line.metric_value.has_value();
  }
  at += 3;
  for (; at < fields.size() && !parse_number<uint64_t>(field(at)); ++at) {
    if (!field(at).ends_with('%')) line.cgroup = field(at);  // else noise
  }
  line.running = parse_number<double>(field(at + 1));
  set_metric(line, field(at + 2), field(at + 3));
  return !line.event.empty();
}

bool parse_object(std::string_view text, StatLine& line) {
  const auto object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object()) return false;
  const auto string = [&](const char* key) {
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  const auto number = [&](const char* key) -> std::optional<double> {
    const auto it = object.find(key);
    if (it == object.end() || !it->is_number()) return parse_number<double>(string(key));
    return it->get<double>();
  };
  if (const auto interval = number("interval")) {
    const auto time = stat_time_of_seconds(*interval);
    if (!time) return false;
    line.time = *time;
  }
  for (const char* key : {"core", "die", "socket", "node", "cache", "cluster", "thread"}) {
    if (line.group.empty()) line.group = string(key);
  }
  if (const std::string cpu = string("cpu"); !cpu.empty()) line.group = "CPU" + cpu;
  line.cgroup = string("cgroup");
  line.event = string("event");
  line.unit = string("unit");
  line.value = number("counter-value");
  line.running = number("pcnt-running");
  const std::string metric = string("metric-unit");
  line.metric_value = number("metric-value");
  if (line.metric_value && !is_rate(metric)) line.metric = metric;
  return !line.event.empty() || line.metric_value;
}

bool is_plain_object(std::string_view text) {
  return text.starts_with('{') && text.contains("\"counter-value\"") && text.contains("\"event\"");
}

// Finds the separator, which distinguishes fields from other tables:
// "…,task-clock,28003754,100.00,…" has the counting time and a share, with two decimals, after the
// event. 0: none.
char sign_between_fields(std::string_view text) {
  constexpr size_t kMostBefore = 6;
  const size_t at = text.find_first_of(",;:|\t");
  if (at == std::string_view::npos) return 0;
  const char sign = text[at];
  std::string_view before;
  for (size_t i = 0; i < kMostBefore && !text.empty(); ++i) {
    const std::string_view field = take_to(text, sign);
    const bool is_run = i > 1 && !before.empty() && !kDigits.contains(before.front()) &&
                        parse_number<uint64_t>(field).has_value();
    std::string_view rest = text;
    const std::string_view share = is_run ? take_to(rest, sign) : std::string_view();
    const bool has_cents = share.size() > 3 && share[share.size() - 3] == '.';
    if (has_cents && parse_number<double>(share).has_value()) return sign;
    before = field;
  }
  return 0;
}

}  // namespace

std::optional<Time> take_stat_time(std::string_view& text) {
  constexpr size_t kFraction = 9;
  std::string_view rest = text;
  skip_spaces(rest);
  const auto is_of_number = [](char c) { return is_digit(c) || c == '.'; };
  const auto* const end = std::ranges::find_if_not(rest, is_of_number);
  const std::string_view number(rest.begin(), end);
  const size_t point = number.find('.');
  if (point == 0 || point == std::string_view::npos || number.size() - point - 1 != kFraction)
    return std::nullopt;
  const auto time = nearest_time(number, DecimalUnit::kSeconds);
  if (time) text = rest.substr(number.size());
  return time;
}

std::optional<Time> stat_time_of_seconds(double seconds) {
  constexpr double kMostSeconds = 9e9;
  if (!(seconds >= 0) || seconds > kMostSeconds) return std::nullopt;
  return Time{static_cast<int64_t>(seconds * kNsPerSecond + 0.5)};
}

bool parse_stat_line(std::string_view text, StatLine& line) {
  line = {};
  if (text.starts_with("{\"interval\"")) return parse_object(text, line);
  const auto time = take_stat_time(text);
  if (!time || text.empty()) return false;
  line.time = *time;
  const bool is_count = text.front() == ' ' ? parse_columns(text.substr(1), line)
                                            : parse_fields(text.substr(1), text.front(), line);
  return is_count && is_plausible(line);
}

bool is_stat_table(std::string_view text) {
  return is_plain_object(text) || sign_between_fields(text) != 0;
}

bool parse_stat_line_without_time(std::string_view text, StatLine& line) {
  line = {};
  if (is_plain_object(text)) return parse_object(text, line);
  if (const char sign = sign_between_fields(text); sign != 0) return parse_fields(text, sign, line);
  return parse_columns(text, line);
}

}  // namespace weft::formats::perf

#include "core/formats/kernel/perf/perf_stat_metrics.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/formats/base/text.h"

namespace weft::formats::perf {
namespace {

// Titles of the columns before the metrics.
constexpr std::string_view kOfWhat[] = {"time",   "core",     "die",  "socket", "cpus",
                                        "CPU",    "CPUs",     "node", "cache",  "cluster",
                                        "thread", "comm-pid", "ctrs", "#"};

bool is_of_what(std::string_view word) {
  return std::ranges::find(kOfWhat, word) != std::end(kOfWhat);
}

// "0.61", "3.24%".
std::optional<double> figure_of(std::string_view word) {
  if (word.ends_with('%')) word.remove_suffix(1);
  return parse_number<double>(word);
}

StatLine metric_of(StatLine line, std::string_view name, std::optional<double> value) {
  take_prefix(name, "% ");
  line.metric = trimmed(name);
  line.metric_value = value;
  return line;
}

// Each object of "{…}{…}".
template <class Take>
bool for_each_object(std::string_view text, const Take& take) {
  while (!trimmed(text).empty()) {
    const size_t end = text.find('}');
    if (end == std::string_view::npos) return false;
    const auto object = nlohmann::json::parse(text.substr(0, end + 1), nullptr, false);
    if (!object.is_object()) return false;
    take(object);
    text.remove_prefix(end + 1);
  }
  return true;
}

std::string shown_text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

bool StatMetrics::take_titles(std::string_view line) {
  const std::string_view text = trimmed(line);
  constexpr std::string_view kTime = "time";
  if (text.starts_with("{\"unit\"")) {
    units_.clear();
    return for_each_object(text, [&](const nlohmann::json& object) {
      for (const auto& [key, value] : object.items()) units_.push_back(shown_text(value));
    });
  }
  const bool is_fields =
      text.starts_with(kTime) && text.size() > kTime.size() && !is_space(text[kTime.size()]);
  std::string_view rest = text;
  const bool is_columns =
      take_prefix(rest, "#") && take_word(rest) == kTime && !text.contains(" counts ");
  if (!is_fields && !is_columns) return false;
  set_titles(is_fields ? text : line);
  sign_ = is_fields ? text[kTime.size()] : '\0';
  return true;
}

void StatMetrics::set_titles(std::string_view line) {
  titles_ = line;
  columns_.clear();
  sign_ = 0;
}

bool StatMetrics::add_without_time(std::string_view line, std::vector<StatLine>& out) {
  return take_columns(line, {}, out);
}

bool StatMetrics::add(std::string_view text, std::vector<StatLine>& out) {
  if (text.starts_with('{')) return take_objects(text, out);
  StatLine line;
  const size_t whole = text.size();
  const auto time = take_stat_time(text);
  if (!has_titles() || !time) return false;
  line.time = *time;
  if (sign_ != 0) return take_fields(text, line, out);
  // Columns are told apart by where they end in the line.
  return take_columns(std::string(whole - text.size(), ' ').append(text), line, out);
}

// {"interval" : 0.1}{"metric-value" : "0.79"} below the units, or {"interval" : 0.1, "GHz" : "3"}.
bool StatMetrics::take_objects(std::string_view text, std::vector<StatLine>& out) {
  StatLine line;
  bool has_time = false;
  size_t unit = 0;
  const bool is_good = for_each_object(text, [&](const nlohmann::json& object) {
    for (const auto& [key, value] : object.items()) {
      const std::string member = shown_text(value);
      if (key == "interval") {
        const auto time = stat_time_of_seconds(parse_number<double>(member).value_or(-1));
        has_time = time.has_value();
        line.time = time.value_or(Time{});
      }
    }
    for (const auto& [key, value] : object.items()) {
      const std::string member = shown_text(value);
      if (key == "interval" || key == "aggregate-number" || key == "counters") continue;
      if (key == "metric-value") {
        if (unit < units_.size()) out.push_back(metric_of(line, units_[unit], figure_of(member)));
        ++unit;
      } else if (key == "cpu") {
        line.group = "CPU" + member;
      } else if (is_of_what(key)) {
        line.group = member;
      } else if (key == "cgroup") {
        line.cgroup = member;
      } else {
        out.push_back(metric_of(line, key, figure_of(member)));
      }
    }
  });
  for (StatLine& each : out) each.group = line.group;
  return is_good && has_time;
}

// "time,socket,cpus,GHz,insn per cycle," and ",S0,8,0.593,2.00,".
bool StatMetrics::take_fields(std::string_view text, StatLine line, std::vector<StatLine>& out) {
  if (!take_prefix(text, {&sign_, 1})) return false;
  std::string_view titles = titles_;
  take_to(titles, sign_);
  while (!titles.empty() && !text.empty()) {
    const std::string_view title = trimmed(take_to(titles, sign_));
    const std::string_view field = trimmed(take_to(text, sign_));
    if (!is_of_what(title)) {
      if (!title.empty()) out.push_back(metric_of(line, title, figure_of(field)));
    } else if (line.group.empty()) {
      line.group = field;
    }
  }
  return true;
}

bool StatMetrics::take_columns(std::string_view text, StatLine line, std::vector<StatLine>& out) {
  std::vector<std::pair<size_t, double>> figures;  // where they end
  std::string_view rest = text;
  for (size_t i = words_before_figures(); i > 0; --i) {
    const std::string_view word = take_word(rest);
    if (line.group.empty()) line.group = word;
  }
  std::string_view next = rest;
  const std::string_view cgroup = take_word(next);
  if (!cgroup.empty() && !figure_of(cgroup)) {
    line.cgroup = cgroup;
    rest = next;
  }
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    const auto figure = figure_of(word);
    if (!figure) return false;
    figures.emplace_back(text.size() - rest.size(), *figure);
  }
  if (figures.empty()) out.push_back(line);  // nothing could be counted
  std::vector<size_t> ends;
  ends.reserve(figures.size());
  for (const auto& [end, figure] : figures) ends.push_back(end);
  if (columns_.size() < ends.size()) split_titles(ends);
  for (const auto& [end, figure] : figures) {
    const auto far = [&](const Column& column) {
      return std::max(column.end, end) - std::min(column.end, end);
    };
    const auto nearest = std::ranges::min_element(columns_, {}, far);
    out.push_back(metric_of(line, nearest->name, figure));
  }
  return true;
}

// "#" and "time" have none in a row without its time; of a socket there is how many CPUs it has.
size_t StatMetrics::words_before_figures() const {
  size_t words = 0;
  for (std::string_view titles = titles_; !titles.empty();) {
    const std::string_view word = take_word(titles);
    if (!is_of_what(word)) break;
    if (word != "#" && word != "time") ++words;
  }
  return words;
}

// A title is right-aligned to the figures. Both are kWidth wide, or as wide as the title, behind
// which the figures then have one place more.
void StatMetrics::split_titles(const std::vector<size_t>& ends) {
  constexpr size_t kWidth = 20;
  columns_.clear();
  std::string_view titles = titles_;
  while (!titles.empty() && is_space(titles.back())) titles.remove_suffix(1);
  for (size_t i = ends.size(); i-- > 0;) {
    size_t width = titles.size();
    if (i > 0) {
      const size_t step = ends[i] - ends[i - 1];
      width = std::min(width, step > kWidth + 1 ? step - 2 : kWidth);
    }
    std::string_view name = titles.substr(titles.size() - width);
    if (i == 0) {
      for (std::string_view rest = name; is_of_what(take_word(rest));) name = rest;
    }
    columns_.push_back({std::string(trimmed(name)), ends[i]});
    titles.remove_suffix(width);
    while (!titles.empty() && is_space(titles.back())) titles.remove_suffix(1);
  }
}

}  // namespace weft::formats::perf

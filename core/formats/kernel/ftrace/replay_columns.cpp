#include "core/formats/kernel/ftrace/replay_columns.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/formats/base/decimal_time.h"
#include "core/formats/base/text.h"

namespace weft::formats::ftrace {
namespace {

struct Unit {
  std::string_view name;
  double ns;
};
// The kernel has only the first.
constexpr Unit kUnits[] = {{" us", 1e3}, {" ms", 1e6}, {" s", 1e9}, {" m", 60e9}, {" h", 3600e9}};

size_t end_of(std::string_view text, std::string_view rest) { return text.size() - rest.size(); }

}  // namespace

bool parse_duration(std::string_view column, Duration& took) {
  constexpr double kMostNs = 1e15;
  const auto* const unit =
      std::ranges::find_if(kUnits, [&](const Unit& each) { return column.ends_with(each.name); });
  if (unit == std::end(kUnits)) return false;
  column.remove_suffix(unit->name.size());
  const auto count = parse_number<double>(column.substr(column.rfind(' ') + 1));
  if (!count || *count < 0 || *count * unit->ns > kMostNs) return false;
  took = {std::llround(*count * unit->ns)};
  return true;
}

std::optional<ReplayColumns::What> ReplayColumns::what_of(std::string_view name) {
  struct Name {
    std::string_view name;
    What what;
  };
  // Source: uftrace, cmds/replay.c; "DELTA" is of older versions.
  static constexpr Name kNames[] = {
      {"TIMESTAMP", What::kTime},      {"DURATION", What::kTook},   {"ELAPSED", What::kElapsed},
      {"TIMEDELTA", What::kSinceLast}, {"DELTA", What::kSinceLast}, {"TID", What::kThread},
      {"ADDRESS", What::kAddress},     {"TASK", What::kTask},       {"MODULE", What::kModule}};
  const auto* const it = std::ranges::find(kNames, name, &Name::name);
  return it == std::end(kNames) ? std::nullopt : std::optional(it->what);
}

bool ReplayColumns::take_header(std::string_view line) {
  std::string_view rest = line;
  if (!take_prefix(rest, "#")) return false;
  std::vector<Column> columns;
  for (std::string_view word = take_word(rest); word != "FUNCTION"; word = take_word(rest)) {
    const auto what = what_of(word);
    const bool has_two_words = what == What::kTask || what == What::kModule;
    if (!what || (has_two_words && take_word(rest) != "NAME")) return false;
    columns.push_back({*what, end_of(line, rest)});
  }
  if (columns.empty() || !trimmed(rest).empty()) return false;
  columns_ = std::move(columns);
  return true;
}

bool ReplayColumns::parse(std::string_view text, ReplayValues& values) const {
  std::string_view rest = text;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    const auto begin = static_cast<size_t>(word.data() - text.data());
    if (word.starts_with('[')) {  // "[ 6126]", but "[kernel]" is a module
      const size_t close = text.find(']', begin);
      const auto tid = parse_number<int32_t>(
          trimmed(text.substr(begin + 1, std::min(close, text.size()) - begin - 1)));
      if (tid && *tid > 0 && close != std::string_view::npos) {
        values.tid = *tid;
        rest = text.substr(close + 1);
        continue;
      }
    }
    std::string_view behind_unit = rest;
    take_word(behind_unit);
    const size_t end = end_of(text, behind_unit);
    Duration length;
    bool is_known = false;
    if (is_digit(word.front()) && parse_duration(text.substr(begin, end - begin), length)) {
      rest = behind_unit;
      is_known = take_length(end, length, values);
    } else if (word.contains('.') && nearest(begin, {What::kTime})) {
      values.time = nearest_time(word, DecimalUnit::kSeconds);
      is_known = values.time.has_value();
    }
    if (!is_known && !take_text(text, begin, end_of(text, rest), values)) return false;
  }
  return true;
}

std::optional<ReplayColumns::What> ReplayColumns::nearest(size_t end,
                                                          std::initializer_list<What> kinds) const {
  std::optional<What> found;
  size_t least = 0;
  for (const Column& column : columns_) {
    const size_t far = std::max(column.end, end) - std::min(column.end, end);
    if (std::ranges::find(kinds, column.what) == kinds.end() || (found && far >= least)) continue;
    found = column.what;
    least = far;
  }
  return found;
}

bool ReplayColumns::take_length(size_t end, Duration length, ReplayValues& values) const {
  const auto what = nearest(end, {What::kTook, What::kElapsed, What::kSinceLast});
  if (what == What::kTook) values.took = length;
  if (what == What::kElapsed) values.elapsed = length;
  return what.has_value();
}

// A name may be of several words.
bool ReplayColumns::take_text(std::string_view text, size_t begin, size_t end,
                              ReplayValues& values) const {
  const auto what = nearest(end, {What::kAddress, What::kTask, What::kModule});
  if (what == What::kTask || what == What::kModule) {
    std::string_view& name = what == What::kTask ? values.task : values.module;
    if (!name.empty()) begin = static_cast<size_t>(name.data() - text.data());
    name = text.substr(begin, end - begin);
  }
  return what.has_value();
}

}  // namespace weft::formats::ftrace

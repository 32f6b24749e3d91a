#include "core/formats/messages/shiviz/log_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "core/formats/base/json_cursor.h"
#include "core/formats/base/text.h"

namespace weft::formats::shiviz {
namespace {

// How many events: of digits alone, and of 31 bits.
std::optional<int64_t> take_count(std::string_view& text) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  int64_t count = 0;
  size_t digits = 0;
  for (; digits < text.size() && is_digit(text[digits]) && count <= kMost; ++digits)
    count = count * 10 + (text[digits] - '0');
  if (digits == 0 || count > kMost) return std::nullopt;
  text.remove_prefix(digits);
  return count;
}

// The clock that begins at the brace; how long it is, 0 where it is none.
size_t parse_clock(std::string_view text, std::vector<ClockEntry>& out) {
  const size_t whole = text.size();
  out.clear();
  text.remove_prefix(1);
  for (;;) {
    skip_white_space(text);
    if (!text.starts_with('"')) return 0;
    const size_t quote = text.find('"', 1);
    if (quote == std::string_view::npos || quote == 1) return 0;
    const std::string_view host = text.substr(1, quote - 1);
    text.remove_prefix(quote + 1);
    skip_white_space(text);
    if (!take_prefix(text, ":")) return 0;
    skip_white_space(text);
    const auto count = take_count(text);
    if (!count) return 0;
    out.emplace_back(host, *count);
    skip_white_space(text);
    if (text.starts_with('}')) return whole - text.size() + 1;
    if (!take_prefix(text, ",")) return 0;
  }
}

constexpr std::array<std::string_view, 3> kGroups = {"host", "clock", "event"};

size_t line_feeds_in(std::string_view pattern) {
  size_t count = 0;
  for (size_t i = 0; i + 1 < pattern.size(); ++i) {
    if (pattern[i] == '\\') count += pattern[++i] == 'n';
  }
  return count;
}

Result<Regex> compile_pattern(std::string_view pattern, Place place) {
  pattern = trimmed(pattern);
  WEFT_TRY(Regex::compile(pattern));  // for what is said of it
  return Regex::compile(place == Place::kWholeLines ? fmt::format("^(?:{})$", pattern)
                                                    : fmt::format("(?m-s){}", pattern));
}

}  // namespace

bool parse_clock_line(std::string_view line, ClockLine& out) {
  line = trimmed(line);
  for (size_t brace = line.find("{\""); brace != std::string_view::npos;
       brace = line.find("{\"", brace + 1)) {
    const size_t length = parse_clock(line.substr(brace), out.clock);
    if (length == 0) continue;
    out.before = trimmed(line.substr(0, brace));
    out.behind = trimmed(line.substr(brace + length));
    return true;
  }
  return false;
}

size_t host_of(const ClockLine& line) {
  const size_t space = line.before.find_last_of(" \t");
  const std::string_view word = line.before.substr(space + 1);  // npos + 1 is 0
  for (size_t i = 0; i < line.clock.size(); ++i) {
    if (line.clock[i].first == word) return i;
  }
  size_t last = kNoHost, last_at = 0;
  for (size_t i = 0; i < line.clock.size(); ++i) {
    const size_t at = line.before.rfind(line.clock[i].first);
    if (at == std::string_view::npos || (last != kNoHost && at < last_at)) continue;
    last = i;
    last_at = at;
  }
  return last;
}

LogExpression::LogExpression(Regex regex, size_t lines, bool ends_in_text)
    : regex_(std::move(regex)), lines_(lines), ends_in_text_(ends_in_text) {}

Result<LogExpression> LogExpression::compile(std::string_view pattern, Place place) {
  WEFT_TRY_ASSIGN(Regex regex, compile_pattern(pattern, place));
  for (const std::string_view group : kGroups) {
    if (std::ranges::find(regex.groups(), group) == regex.groups().end())
      return fail(fmt::format("the expression of the log has no group (?<{}>…)", group));
  }
  return LogExpression(std::move(regex), line_feeds_in(pattern) + 1,
                       trimmed(pattern).ends_with("(?<event>.*)"));
}

LogExpression LogExpression::of_tlc() {
  constexpr std::string_view kState =
      R"re(State \d+: <(?<event>.*)>\n/\\ Host = "?(?<host>.*?)"?\n/\\ Clock = "(?<clock>.*)")re";
  return {compile_pattern(kState, Place::kWholeLines).value(), line_feeds_in(kState) + 1, true};
}

Regex::Found LogExpression::take_apart(std::string_view text, LogFields& out) {
  const Regex::Found found = regex_.find(text, groups_);
  if (found != Regex::Found::kYes) return found;
  out.others.clear();
  for (size_t i = 0; i < groups_.size(); ++i) {
    const std::string_view name = regex_.groups()[i], value = trimmed(groups_[i]);
    if (name == "host") {
      out.host = value;
    } else if (name == "clock") {
      out.clock = value;
    } else if (name == "event") {
      out.event = value;
    } else if (!name.empty() && !value.empty()) {
      out.others.emplace_back(name, value);
    }
  }
  return found;
}

bool is_log_expression(std::string_view line) {
  return std::ranges::all_of(kGroups, [&](std::string_view group) {
    return line.find(fmt::format("(?<{}>", group)) != std::string_view::npos;
  });
}

bool is_of_tlc(std::string_view head) {
  return head.find("\n/\\ Host = ") != std::string_view::npos &&
         head.find("\n/\\ Clock = \"{") != std::string_view::npos;
}

Result<ExecutionExpression> ExecutionExpression::compile(std::string_view pattern, Place place) {
  WEFT_TRY_ASSIGN(Regex regex, compile_pattern(pattern, place));
  return ExecutionExpression(std::move(regex));
}

bool ExecutionExpression::begins_at(std::string_view line, std::string_view& name) {
  if (regex_.find(line, groups_) != Regex::Found::kYes) return false;
  const auto group = std::ranges::find(regex_.groups(), "trace");
  name = trimmed(line);
  if (group != regex_.groups().end())
    name = trimmed(groups_[static_cast<size_t>(group - regex_.groups().begin())]);
  return true;
}

}  // namespace weft::formats::shiviz

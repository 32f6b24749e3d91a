#include "core/formats/kernel/ctf_text/event_line.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "core/formats/base/text.h"

namespace weft::formats::ctf_text {
namespace {

constexpr int kMostDepth = 32;
constexpr std::string_view kUnknownLabel = "<unknown>";

// Takes what precedes a separator, and skips it; nullopt if it does not occur.
std::optional<std::string_view> take_until(std::string_view& rest, std::string_view sign) {
  const size_t at = rest.find(sign);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view before = rest.substr(0, at);
  rest.remove_prefix(at + sign.size());
  return before;
}

bool take_sign(std::string_view& rest, char sign) {
  if (rest.empty() || rest.front() != sign) return false;
  rest.remove_prefix(1);
  return true;
}

// Takes a number or another bare word.
std::string_view take_bare(std::string_view& rest) {
  static constexpr CharSet kEnds(" ,}])");
  const char* const begin = std::to_address(rest.begin());
  const char* const end = begin + rest.size();
  const char* behind = begin;
  while (behind != end && !kEnds.contains(*behind)) ++behind;
  rest = {behind, end};
  return {begin, behind};
}

// A number as most are: decimal, without a sign.
bool parse_plain_integer(std::string_view word, Value& value) {
  if (word.front() == '0' && word.size() > 1) return false;
  const char* at = std::to_address(word.begin());
  const char* const end = at + word.size();
  int64_t number = 0;
  if (!take_few_digits(at, end, number) || at != end) return false;
  value.kind = ValueKind::kInteger;
  value.integer = static_cast<uint64_t>(number);
  return true;
}

// In the base that its sign tells: "0x1F", "017", "0b101".
bool parse_integer(std::string_view word, Value& value) {
  const bool is_negative = take_prefix(word, "-");
  int base = 10;
  if (take_prefix(word, "0x") || take_prefix(word, "0X")) {
    base = 16;
  } else if (take_prefix(word, "0b") || take_prefix(word, "0B")) {
    base = 2;
  } else if (word.size() > 1 && word.front() == '0') {
    base = 8;
  }
  const auto bits = parse_number<uint64_t>(word, base);
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  if (!bits || (is_negative && *bits > kMost + 1)) return false;
  value.kind = ValueKind::kInteger;
  value.is_large = !is_negative && *bits > kMost;
  value.integer = is_negative ? 0 - *bits : *bits;
  return true;
}

bool parse_real(std::string_view word, Value& value) {
  const auto real = parse_number<double>(word);
  if (!real) return false;
  value.kind = ValueKind::kReal;
  value.real = *real;
  return true;
}

// The sign that an escape stands for; the text is behind the backslash.
char take_escaped(std::string_view& rest) {
  const char sign = rest.front();
  rest.remove_prefix(1);
  switch (sign) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'v':
      return '\v';
    case 'x': {
      std::string_view digits = rest.substr(0, 2);
      const auto value = take_hexadecimal(digits);
      rest = {digits.begin(), rest.end()};
      return static_cast<char>(value.value_or(0));
    }
    default:
      return sign;
  }
}

Group::Scope scope_of(std::string_view name) {
  if (name == "stream.packet.context") return Group::Scope::kPacket;
  if (name == "event.fields") return Group::Scope::kPayload;
  return Group::Scope::kContext;
}

}  // namespace

bool EventLine::parse(std::string_view line) {
  origin = model = {};
  level.reset();
  groups.clear();
  values.clear();
  texts_.clear();
  texts_.reserve(line.size());
  skip_spaces(line);
  const bool is_named = take_prefix(line, "timestamp = ");
  if (is_named ? !parse_named_head(line) : !take_prefix(line, "[") || !parse_plain_head(line))
    return false;
  if (name.empty()) return false;
  is_broken = !parse_groups(line);
  return true;
}

// Behind the bracket: "12:00:00.000000000] (+0.1) host LEVEL (13) name:".
bool EventLine::parse_plain_head(std::string_view& rest) {
  const auto in_brackets = take_until(rest, "]");
  if (!in_brackets) return false;
  time = *in_brackets;
  skip_spaces(rest);
  if (rest.starts_with("(+") && !take_until(rest, ")")) return false;
  skip_spaces(rest);
  const auto head = take_until(rest, ": ");
  if (!head || find_any<'{', '}', '"'>(*head) != head->size()) return false;
  name = *head;
  // "host:TRACE_DEBUG (13):http://model name": the level that the event has in its source, and
  // where its model lies.
  const size_t level_at = name.find(" (");
  const size_t level_end = name.find(')', std::min(level_at, name.size()));
  if (level_end != std::string_view::npos) {
    const std::string_view before = name.substr(0, level_at);
    const size_t end = before.find_last_of(": ");
    origin = end == std::string_view::npos ? "" : before.substr(0, end);
    take_level(name);
    name.remove_prefix(level_end + 1);
    if (take_prefix(name, ":")) model = take_word(name);
    name = trimmed(name);
    return true;
  }
  const size_t space = name.find(' ');
  if (space == std::string_view::npos) return true;
  origin = name.substr(0, space);
  name.remove_prefix(space + 1);
  return true;
}

// Behind "timestamp = ": what is said before the fields.
bool EventLine::parse_named_head(std::string_view& rest) {
  const auto stamp = take_until(rest, ",");
  if (!stamp) return false;
  time = *stamp;
  name = {};
  for (skip_spaces(rest); !rest.empty(); skip_spaces(rest)) {
    if (take_prefix(rest, ",")) continue;
    std::string_view look = rest;
    const auto key = take_until(look, " = ");
    if (!key) break;
    if (look.starts_with('{')) break;
    const size_t size = std::min(look.find(", "), look.size());
    const std::string_view value = look.substr(0, size);
    if (*key == "name") name = value;
    if (*key == "trace:hostname") origin = value;
    if (*key == "model.emf.uri") model = value;
    if (*key == "loglevel") take_level(value);
    rest = look.substr(size);
  }
  return true;
}

// "TRACE_DEBUG (13)".
void EventLine::take_level(std::string_view text) {
  text.remove_prefix(std::min(text.find('(') + 1, text.size()));
  level = take_number<int>(text);
  constexpr int kMostLevel = 14;
  if (level && (*level < 0 || *level > kMostLevel)) level.reset();
}

bool EventLine::parse_groups(std::string_view rest) {
  skip_spaces(rest);
  while (!rest.empty()) {
    Group group{.begin = values.size()};
    if (rest.front() != '{') {
      const auto scope = take_until(rest, " = ");
      if (!scope) return false;
      group.scope = scope_of(*scope);
    }
    if (!take_sign(rest, '{') || !parse_members(rest, '}', 0)) {
      values.resize(group.begin);
      return false;
    }
    group.end = values.size();
    groups.push_back(group);
    skip_spaces(rest);
    if (!rest.empty() && !take_sign(rest, ',')) return false;
    skip_spaces(rest);
  }
  return true;
}

// Up to the end's sign, which is passed over.
bool EventLine::parse_members(std::string_view& rest, char end, int depth) {
  if (depth > kMostDepth) return false;
  for (skip_spaces(rest); !rest.empty() && rest.front() != end; skip_spaces(rest)) {
    // "name = 1" in a structure, "[0] = 1" in an array; with `--names none` the value alone.
    std::string_view member;
    std::string_view behind = rest;
    if (end == ']') {
      if (take_sign(behind, '[')) (void)take_until(behind, "]");
    } else if (rest.front() != '"') {
      member = take_bare(behind);
    }
    constexpr size_t kIs = 3;  // " = "
    if (behind.size() >= kIs && behind[0] == ' ' && behind[1] == '=' && behind[2] == ' ') {
      rest = behind.substr(kIs);
    } else {
      member = {};
    }
    if (!parse_value(rest, member, depth)) return false;
    skip_spaces(rest);
    if (!take_sign(rest, ',') && !rest.starts_with(end)) return false;
  }
  return take_sign(rest, end);
}

bool EventLine::parse_value(std::string_view& rest, std::string_view member, int depth) {
  const size_t at = values.size();
  const std::string_view from = rest;
  Value value{.name = member};
  if (rest.starts_with('{') || rest.starts_with('[')) {
    const bool is_array = rest.front() == '[';
    rest.remove_prefix(1);
    value.kind = is_array ? ValueKind::kArray : ValueKind::kStructure;
    values.push_back(value);
    if (!parse_members(rest, is_array ? ']' : '}', depth + 1)) return false;
    values[at].within = static_cast<uint32_t>(values.size() - at - 1);
    values[at].text = from.substr(0, from.size() - rest.size());
    return true;
  }
  if (rest.starts_with('"')) {
    value.kind = ValueKind::kText;
    if (!parse_text(rest, value.text)) return false;
  } else if (rest.starts_with('(')) {
    if (!parse_enumeration(rest, value)) return false;
  } else {
    const std::string_view word = take_bare(rest);
    if (word.empty()) return false;
    if (!parse_plain_integer(word, value) && !parse_integer(word, value) &&
        !parse_real(word, value)) {
      value.kind = ValueKind::kText;
      value.text = word;
    }
  }
  values.push_back(value);
  return true;
}

bool EventLine::parse_text(std::string_view& rest, std::string_view& text) {
  rest.remove_prefix(1);
  const size_t plain = find_any<'"', '\\'>(rest);
  text = rest.substr(0, plain);
  rest.remove_prefix(plain);
  if (take_sign(rest, '"')) return true;
  const size_t begin = texts_.size();
  texts_ += text;
  while (!rest.empty() && rest.front() != '"') {
    const size_t next = find_any<'"', '\\'>(rest);
    texts_.append(rest.substr(0, next));
    rest.remove_prefix(next);
    if (!take_prefix(rest, "\\")) continue;
    if (rest.empty()) return false;
    texts_ += take_escaped(rest);
  }
  text = std::string_view(texts_).substr(begin);
  return take_prefix(rest, "\"");
}

// ( "LABEL" : container = 5 ), ( "A" | "B" : container = 3 ), ( <unknown> : container = 5 )
bool EventLine::parse_enumeration(std::string_view& rest, Value& value) {
  rest.remove_prefix(1);
  const auto labels = take_until(rest, " : container = ");
  if (!labels || !parse_integer(take_bare(rest), value)) return false;
  const std::string_view quoted = trimmed(*labels);
  const size_t begin = texts_.size();
  if (quoted != kUnknownLabel) std::ranges::remove_copy(quoted, std::back_inserter(texts_), '"');
  value.text = std::string_view(texts_).substr(begin);
  value.kind = ValueKind::kEnumeration;
  skip_spaces(rest);
  return take_prefix(rest, ")");
}

}  // namespace weft::formats::ctf_text

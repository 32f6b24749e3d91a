#include "core/formats/base/args_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "core/formats/base/json_members.h"
#include "core/formats/base/json_text.h"

namespace weft::formats {
namespace {

// Returns where the value at the start of the text ends: at a comma or bracket of its own depth.
size_t end_of_value(std::string_view text) {
  int depth = 0;
  bool is_in_text = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_in_text) {
      if (c == '\\') ++i;
      is_in_text = c != '"';
    } else if (c == '"') {
      is_in_text = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (--depth < 0) return i;
    } else if (c == ',' && depth == 0) {
      return i;
    }
  }
  return text.size();
}

using Members = std::vector<std::pair<std::string_view, std::string_view>>;  // quoted names

Members members_of(std::string_view object) {
  Members members;
  std::string_view rest = object.substr(1, object.size() - 2);
  while (!rest.empty()) {
    // A name holds no bracket outside its quotes, so it ends where its text does.
    size_t end = 1;
    while (end < rest.size() && rest[end] != '"') end += rest[end] == '\\' ? 2 : 1;
    const std::string_view name = rest.substr(0, end + 1);
    rest.remove_prefix(std::min(end + 2, rest.size()));
    const size_t value = end_of_value(rest);
    members.emplace_back(name, rest.substr(0, value));
    rest.remove_prefix(std::min(value + 1, rest.size()));
  }
  return members;
}

// Appends the fewest digits that read back as the value. A quotient of so few digits is the double
// that they read as, and no fewer digits read as the same: such values, most of those in traces,
// need no search.
void append_real(std::string& text, double value) {
  constexpr double kThousand = 1000, kMost = 1e12;
  const double size = std::abs(value);
  const auto thousandths = static_cast<uint64_t>(size < kMost ? size * kThousand + 0.5 : 0);
  if (static_cast<double>(thousandths) / kThousand != size) {
    fmt::format_to(std::back_inserter(text), "{}", value);
    return;
  }
  if (std::signbit(value)) text += '-';
  append_number(text, thousandths / 1000);
  // Many read "-0" as a whole number, which has no sign.
  if (size == 0 && std::signbit(value)) text += ".0";
  const auto rest = static_cast<uint32_t>(thousandths % 1000);
  if (rest == 0) return;
  const char digits[] = {'.', static_cast<char>('0' + rest / 100),
                         static_cast<char>('0' + rest / 10 % 10),
                         static_cast<char>('0' + rest % 10)};
  text.append(digits, rest % 100 == 0 ? 2 : rest % 10 == 0 ? 3 : 4);
}

bool is_filled(std::string_view value, char bracket) {
  return value.size() > 2 && value.front() == bracket;
}

}  // namespace

QuotedName::QuotedName(std::string_view name) { json::append_quoted_name(text_, name); }

std::string ArgsText::take() {
  if (!text_.empty()) text_ += '}';
  return std::exchange(text_, {});
}

std::string_view ArgsText::whole() {
  if (!text_.empty()) text_ += '}';
  return text_;
}

std::string ArgsText::take_value() {
  const std::string text = std::exchange(text_, {});
  return text.empty() ? text : text.substr(1);
}

void ArgsText::separate() {
  constexpr size_t kUsualBytes = 126;  // which hold most objects, so that they need not grow
  if (text_.empty()) {
    text_.reserve(kUsualBytes);
    text_ = '{';
    return;
  }
  const char last = text_.back();
  if (last != '{' && last != '[' && last != ':') text_ += ',';
}

void ArgsText::add_plain(std::string_view text) {
  separate();
  text_ += text;
}

void ArgsText::name(std::string_view name) {
  separate();
  json::append_quoted_name(text_, name);
}

void ArgsText::add(std::string_view member, std::string_view value) {
  name(member);
  json::append_quoted_bytes(text_, value);
}

void ArgsText::add_as_written(std::string_view member, std::string_view value) {
  name(member);
  if (is_exact_number(value)) {
    text_ += value;
  } else {
    json::append_quoted_bytes(text_, value);
  }
}

void ArgsText::text(std::string_view value) {
  separate();
  json::append_quoted_bytes(text_, value);
}

void ArgsText::known_text(std::string_view quoted) {
  separate();
  text_ += '"';
  text_ += quoted;
  text_ += '"';
}

void ArgsText::number(double value) {
  if (!std::isfinite(value)) return text(fmt::format("{}", value));
  separate();
  append_real(text_, value);
}

void ArgsText::pointer(uint64_t value) { text(fmt::format("{:#x}", value)); }

void ArgsText::json(std::string_view value) {
  if (is_json_number(value) || value == "true" || value == "false" || value == "null")
    return add_plain(value);
  std::string padded(value);
  padded.append(json::kTextPadding, '\0');
  json::Cursor cursor(padded.data());
  cursor.skip_space();
  json::RawValue raw;
  bool is_json = !value.empty() && cursor.value(raw) && (raw.traits & json::kIsDeep) == 0;
  cursor.skip_space();
  is_json &= cursor.p == padded.data() + value.size();
  if (!is_json) return text(value);
  separate();
  json::append_compact(text_, raw);
}

void ArgsText::begin(char bracket) {
  separate();
  text_ += bracket;
}

void ArgsText::end(char bracket) { text_ += bracket; }

std::string merged_args(std::string_view first, std::string_view second) {
  if (!is_filled(first, '{')) return std::string(second);
  if (!is_filled(second, '{')) return std::string(first);
  const Members theirs = members_of(second);
  std::vector<bool> is_taken(theirs.size());
  std::string text;
  const auto add = [&](std::string_view name, std::string_view value) {
    text += text.empty() ? '{' : ',';
    text.append(name).append(":").append(value);
  };
  for (const auto& [name, value] : members_of(first)) {
    const auto it = std::ranges::find(theirs, name, &Members::value_type::first);
    if (it == theirs.end()) {
      add(name, value);
      continue;
    }
    is_taken[static_cast<size_t>(it - theirs.begin())] = true;
    const std::string_view other = it->second;
    if (is_filled(value, '{') && is_filled(other, '{')) {
      add(name, merged_args(value, other));
    } else if (is_filled(value, '[') && is_filled(other, '[')) {
      add(name,
          std::string(value.substr(0, value.size() - 1)) + ',' + std::string(other.substr(1)));
    } else {
      add(name, other);
    }
  }
  for (size_t i = 0; i < theirs.size(); ++i) {
    if (!is_taken[i]) add(theirs[i].first, theirs[i].second);
  }
  return text + '}';
}

}  // namespace weft::formats

#include "core/formats/embedded/tlv/tlv_line.h"

#include <algorithm>

#include "core/base/ascii.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"

namespace weft::formats::tlv {
namespace {

// How much of the text, which begins with '(', belongs to that parenthesis; 0 where it stays open.
size_t length_of_parenthesis(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i + 1;
  }
  return 0;
}

// `"[1]A.b=c",` as `[1]A.b=c`.
std::string_view without_quotes_and_comma(std::string_view text) {
  text.remove_prefix(1);
  if (text.ends_with(',')) text.remove_suffix(1);
  if (text.ends_with('"')) text.remove_suffix(1);
  return text;
}

}  // namespace

bool parse_line(std::string_view text, Line& out) {
  text = trimmed(text);
  if (text.starts_with('"')) text = without_quotes_and_comma(text);
  if (!text.starts_with('[')) return false;
  const size_t bracket = text.find(']');
  if (bracket == std::string_view::npos) return false;
  out.time = text.substr(1, bracket - 1);
  if (out.time.empty() || !std::ranges::all_of(out.time, is_alphanumeric)) return false;
  text = trimmed(text.substr(bracket + 1));

  const size_t resource_end = find_any<'.', '(', '=', ' '>(text);
  if (resource_end == 0 || resource_end == text.size()) return false;
  out.resource = text.substr(0, resource_end);
  text.remove_prefix(resource_end);
  out.has_condition = text.front() == '(';
  out.condition = {};
  if (out.has_condition) {
    const size_t length = length_of_parenthesis(text);
    if (length == 0) return false;
    out.condition = text.substr(1, length - 2);
    text.remove_prefix(length);
  }
  if (!take_prefix(text, ".")) return false;

  const size_t name_end = find_any<'=', '('>(text);
  out.name = trimmed(text.substr(0, name_end));
  if (out.name.empty() || name_end == text.size()) return false;
  out.is_behavior = text[name_end] == '(';
  out.value = trimmed(text.substr(name_end + 1));
  if (!out.is_behavior) return true;
  if (!out.value.ends_with(')')) return false;
  out.value = trimmed(out.value.substr(0, out.value.size() - 1));
  return true;
}

bool is_raw_log(std::string_view head) {
  constexpr int kLinesLookedAt = 32, kFewest = 3;
  HeadLines lines(head, kLinesLookedAt);
  int right = 0, wrong = 0;
  while (const auto next = lines.next()) {
    const std::string_view line = trimmed(*next);
    if (line.empty()) continue;
    const size_t bracket = line.find(']');
    const std::string_view time =
        bracket == std::string_view::npos ? "" : line.substr(1, bracket - 1);
    const bool is_time = line.starts_with('[') && !time.empty() &&
                         std::ranges::all_of(time, [](char c) { return is_digit(c); });
    ++(is_time && bracket + 1 < line.size() ? right : wrong);
  }
  return right >= kFewest && right > 4 * wrong;
}

void split_arguments(std::string_view text, std::vector<std::string_view>& out) {
  out.clear();
  if (text.empty()) return;
  int depth = 0;
  bool is_quoted = false;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') is_quoted = !is_quoted;
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c != ',' || is_quoted || depth > 0) continue;
    out.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  out.push_back(trimmed(text.substr(begin)));
}

}  // namespace weft::formats::tlv

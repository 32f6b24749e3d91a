#include "core/formats/profiles/jvm_log/old_record.h"

#include <algorithm>

#include "core/formats/base/text.h"
#include "core/formats/profiles/jvm_log/jvm_log_line.h"

namespace weft::formats::jvm_log {
namespace {

// Takes off what a part of a stamp may be: "64.322: ".
bool take_part(std::string_view& text, Stamp& stamp) {
  constexpr size_t kMostPart = 40;
  const size_t colon = text.substr(0, kMostPart).find(": ");
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view part = text.substr(0, colon);
  const bool is_number = part[0] == '#' && parse_number<uint32_t>(part.substr(1)).has_value();
  if (!is_number && !is_digit(part[0])) return false;
  const auto date = is_number ? std::nullopt : date_of(part);
  const bool is_seconds = part.find_first_of(".,") != std::string_view::npos;
  const auto time =
      is_seconds && !date ? time_of(part, DecimalUnit::kSeconds) : std::optional<Time>();
  if (!date && !time && !is_number) return false;
  if (date) stamp.date = date;
  if (time) stamp.uptime = time;
  text.remove_prefix(colon + 2);
  return true;
}

// Up to what is not a name: a size, a length, a group, a stamp. Arguments of it stand in brackets:
// "GC (System.gc())".
size_t name_size(std::string_view text) {
  int open = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '[') return i;
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (open > 0 || i == 0) continue;
    if (c == ',' || c == ':') return i;
    if (!is_digit(c)) continue;
    std::string_view rest = text.substr(i);
    if (text[i - 1] == ' ' || take_stamp(rest)) return i;
  }
  return text.size();
}

}  // namespace

std::optional<Stamp> take_stamp(std::string_view& text) {
  Stamp stamp;
  if (!take_part(text, stamp)) return std::nullopt;
  while (take_part(text, stamp)) {
  }
  return stamp;
}

size_t stamp_before(std::string_view text, size_t end) {
  constexpr size_t kMostBytes = 64;
  for (size_t at = end > kMostBytes ? end - kMostBytes : 0; at < end; ++at) {
    if (!is_digit(text[at]) && text[at] != '#') continue;
    std::string_view rest = text.substr(at, end - at);
    if (take_stamp(rest) && rest.empty()) return at;
  }
  return end;
}

size_t group_end(std::string_view text, size_t begin) {
  int open = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '[') ++open;
    if (text[i] == ']' && --open == 0) return i + 1;
  }
  return std::string_view::npos;
}

Group parse_group(std::string_view text, int depth) {
  constexpr int kMostDepth = 8;
  Group out;
  const size_t name = name_size(text);
  out.name = trimmed(text.substr(0, name));
  size_t at = name;
  while (at < text.size()) {
    const size_t bracket = std::min(text.find('[', at), text.size());
    const size_t end = bracket < text.size() && depth < kMostDepth ? group_end(text, bracket)
                                                                   : std::string_view::npos;
    if (end == std::string_view::npos) break;
    const size_t stamp = stamp_before(text.substr(at, bracket - at), bracket - at) + at;
    out.own.append(text.substr(at, stamp - at));
    Group inner = parse_group(text.substr(bracket + 1, end - bracket - 2), depth + 1);
    std::string_view said = text.substr(stamp, bracket - stamp);
    inner.stamp = take_stamp(said);
    out.groups.push_back(std::move(inner));
    at = end;
  }
  out.own.append(text.substr(std::min(at, text.size())));
  return out;
}

std::optional<Duration> length_of(std::string_view own) {
  constexpr std::string_view kSeconds = " secs";
  own = trimmed(own);
  if (!own.ends_with(kSeconds)) return std::nullopt;
  own.remove_suffix(kSeconds.size());
  const size_t begin = own.find_last_not_of("0123456789.,");
  own = own.substr(begin == std::string_view::npos ? 0 : begin + 1);
  // A comma may stand in the number, and before it.
  while (own.starts_with(',')) own.remove_prefix(1);
  const auto length = time_of(own, DecimalUnit::kSeconds);
  return length && length->ticks >= 0 ? std::optional(Duration{length->ticks}) : std::nullopt;
}

std::string_view sizes_of(std::string_view own) {
  const size_t end = own.rfind(')');
  const size_t open = own.rfind('(', end);
  if (end == std::string_view::npos || open == std::string_view::npos) return {};
  if (open + 1 >= end || !is_digit(own[open + 1])) return {};
  constexpr std::string_view kSigns = "0123456789.BKMG->()";
  size_t begin = open;
  // "438765 K (1922432 K)" has spaces.
  while (begin > 0 && (kSigns.find(own[begin - 1]) != std::string_view::npos ||
                       (own[begin - 1] == ' ' && begin >= 2 && is_digit(own[begin - 2])) ||
                       (own[begin - 1] == ' ' && own[begin] == '(')))
    --begin;
  return trimmed(own.substr(begin, end + 1 - begin));
}

}  // namespace weft::formats::jvm_log

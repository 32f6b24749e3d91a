#include "core/formats/profiles/jvm_log/jvm_log_line.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/formats/base/text.h"
#include "core/formats/base/time_form.h"

namespace weft::formats::jvm_log {
namespace {

struct Decoration {
  Time time;
  bool is_of_day;
};

// Numbers of seconds that are too many for a VM that began this century count since 1970.
std::optional<Decoration> decoration_of(std::string_view text) {
  constexpr int64_t kNobodyRunsSoLong = 900'000'000'000'000'000;
  struct Suffix {
    std::string_view text;
    DecimalUnit unit;
  };
  constexpr std::array kSuffixes = {Suffix{"ms", DecimalUnit::kMilliseconds},
                                    Suffix{"ns", DecimalUnit::kNanoseconds},
                                    Suffix{"s", DecimalUnit::kSeconds}};
  if (const auto date = date_of(text)) return Decoration{*date, true};
  for (const Suffix& each : kSuffixes) {
    if (!text.ends_with(each.text)) continue;
    const auto time = time_of(text.substr(0, text.size() - each.text.size()), each.unit);
    if (time) return Decoration{*time, time->ticks > kNobodyRunsSoLong};
  }
  return std::nullopt;
}

bool is_level(std::string_view text) {
  constexpr std::array<std::string_view, 5> kLevels = {"trace", "debug", "info", "warning",
                                                       "error"};
  return std::ranges::find(kLevels, text) != kLevels.end();
}

bool are_tags(std::string_view text) {
  return !text.empty() && is_lower(text[0]) &&
         std::ranges::all_of(text, [](char c) { return is_lower(c) || is_digit(c) || c == ','; });
}

}  // namespace

std::optional<Time> date_of(std::string_view text) {
  constexpr size_t kLeast = sizeof "2024-05-13T10:00:00" - 1;
  if (text.size() < kLeast || text[10] != 'T') return std::nullopt;
  return parse_date(text);
}

bool parse_line(std::string_view text, Line& out) {
  out = {};
  std::optional<Decoration> first;
  while (text.starts_with('[')) {
    const size_t end = text.find(']');
    if (end == std::string_view::npos) return false;
    const std::string_view part = trimmed(text.substr(1, end - 1));
    if (!out.tags.empty()) break;  // of the message
    const auto stamp = decoration_of(part);
    if (stamp) {
      if (!first) first = stamp;
    } else if (is_level(part)) {
      out.level = part;
    } else if (are_tags(part) && text.substr(end + 1).starts_with(' ')) {
      out.tags = part;
    }
    text.remove_prefix(end + 1);
  }
  if (!first) return false;
  out.time = first->time;
  out.is_of_day = first->is_of_day;
  out.message = text.substr(text.starts_with(' ') ? 1 : 0);
  return text.empty() || text.starts_with(' ');
}

std::optional<Time> time_of(std::string_view number, DecimalUnit unit) {
  std::string with_point;
  number = with_points(number, with_point);
  constexpr size_t kMostDigits = 32;
  return number.size() > kMostDigits ? std::nullopt : nearest_time(number, unit);
}

std::optional<double> take_size(std::string_view& text) {
  std::string_view rest = text;
  const auto whole = take_number<uint32_t>(rest);  // as nearly all are
  const bool is_whole =
      whole && !(rest.starts_with('.') || rest.starts_with('e') || rest.starts_with('E'));
  const auto number = is_whole ? std::optional<double>(*whole) : take_number<double>(text);
  if (is_whole) text = rest;
  if (!number || text.empty()) return number;
  constexpr std::string_view kLetters = "BKMGT";
  const size_t power = kLetters.find(text[0]);
  if (power == std::string_view::npos) return number;
  text.remove_prefix(1);
  double size = *number;
  for (size_t i = 0; i < power; ++i) size *= 1024;
  return size;
}

}  // namespace weft::formats::jvm_log

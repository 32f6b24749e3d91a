#include "core/formats/general/custom/by_example.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/formats/base/text.h"
#include "core/formats/general/custom/guess.h"

namespace weft::formats::custom {
namespace {

constexpr std::string_view kRest = "text";  // the field of what follows the last part

bool is_of_word(char c) { return is_word_char(c) || static_cast<uint8_t>(c) >= 0x80; }

std::string escaped(char c) {
  constexpr std::string_view kSpecial = R"(\^$.[]|()?*+{}-#/)";
  return kSpecial.find(c) == std::string_view::npos ? std::string(1, c) : std::string{'\\', c};
}

template <class Is>
size_t end_of_run(std::string_view text, size_t from, const Is& is) {
  while (from < text.size() && is(text[from])) ++from;
  return from;
}

// Text between parts: its signs and the keys of values stay, other words and numbers may differ.
std::string pattern_of_gap(std::string_view line, size_t begin, size_t end) {
  std::string pattern;
  while (begin < end) {
    const std::string_view gap = line.substr(0, end);
    if (is_space(line[begin])) {
      begin = end_of_run(gap, begin, is_space);
      pattern += "\\s+";
    } else if (is_of_word(line[begin])) {
      const size_t word_end = end_of_run(gap, begin, is_of_word);
      const std::string_view word = gap.substr(begin, word_end - begin);
      const bool is_key =
          word_end < line.size() && (line[word_end] == '=' || line[word_end] == ':');
      pattern += std::ranges::all_of(word, is_digit) ? "\\d+" : is_key ? word : "\\w+";
      begin = word_end;
    } else {
      pattern += escaped(line[begin++]);
    }
  }
  return pattern;
}

// Numbers and times: "12.5", "10:00:00,123".
std::string pattern_of_number(std::string_view text) {
  std::string pattern;
  for (size_t at = 0; at < text.size();) {
    if (is_digit(text[at])) {
      at = end_of_run(text, at, is_digit);
      pattern += "\\d+";
    } else {
      pattern += at == 0 && text[at] == '-' ? "-?" : escaped(text[at]);
      ++at;
    }
  }
  return pattern;
}

// `next`: the sign behind it; a space where the line ends.
std::string pattern_of_part(std::string_view text, char next) {
  const bool is_number = std::ranges::any_of(text, is_digit) &&
                         text.find_first_not_of("0123456789.,:+-TZ ") == std::string_view::npos;
  if (is_number) return pattern_of_number(text);
  if (!is_of_word(next) && !is_space(next)) return "[^" + escaped(next) + "]+";
  std::string pattern;
  for (size_t at = 0; at < text.size();) {
    const bool is_gap = is_space(text[at]);
    at = end_of_run(text, at, [&](char c) { return is_space(c) == is_gap; });
    pattern += is_gap ? "\\s+" : is_of_word(next) ? "\\w+" : "\\S+";
  }
  return pattern;
}

// What is marked already keeps its name; what is pointed at takes its place. The rest of the line
// is not a part: lines like it may end earlier.
std::vector<NamedPart> parts_with(const PreviewRecord& record, const PointedPart& pointed,
                                  const std::string& name) {
  std::vector<NamedPart> parts;
  for (const PreviewMark& mark : record.marks) {
    const bool overlaps = mark.begin < pointed.end && pointed.begin < mark.end;
    const bool is_rest = mark.name == kRest && mark.end == record.text.size();
    if (overlaps || is_rest || mark.name.empty() || mark.name == name) continue;
    parts.push_back({mark.begin, mark.end, mark.name});
  }
  parts.push_back({pointed.begin, pointed.end, name});
  std::ranges::sort(parts, {}, &NamedPart::begin);
  return parts;
}

// A name that a group of a regular expression may have.
std::string as_name(std::string_view text) {
  std::string name;
  for (const char c : text.substr(0, 30)) {
    const bool is_fit = is_of_word(c) && static_cast<unsigned char>(c) < 0x80;
    name += is_fit ? c : '_';
  }
  if (name.empty() || is_digit(name[0])) name.insert(0, "p");
  return name;
}

size_t rule_to_teach(Definition& definition, const PreviewRecord& record, std::string_view sample) {
  if (record.rule && *record.rule < definition.rules.size()) return *record.rule;
  if (definition.rules.size() == 1 && events_of(definition, sample) == 0) {
    definition.rules[0] = {};
    return 0;
  }
  if (definition.rules.size() == kMostRules) return kMostRules - 1;
  definition.rules.push_back({});
  return definition.rules.size() - 1;
}

}  // namespace

std::string pattern_by_example(std::string_view line, const std::vector<NamedPart>& parts) {
  std::string pattern = "^";
  size_t done = 0;
  for (const NamedPart& part : parts) {
    pattern += pattern_of_gap(line, done, part.begin);
    const char next = part.end < line.size() ? line[part.end] : ' ';
    pattern += fmt::format("(?<{}>{})", part.name,
                           pattern_of_part(line.substr(part.begin, part.end - part.begin), next));
    done = part.end;
  }
  const bool has_rest = std::ranges::find(parts, kRest, &NamedPart::name) != parts.end();
  return has_rest ? pattern : pattern + fmt::format("(?<{}>.*)", kRest);
}

Definition taught(Definition definition, const PreviewRecord& record, const PointedPart& pointed,
                  std::string_view sample) {
  const std::string_view first = first_of(sample);
  const uint64_t before = events_of(definition, first);
  const size_t place = rule_to_teach(definition, record, first);
  const Rule old = definition.rules[place];
  Rule& rule = definition.rules[place];
  const std::string name =
      pointed.role ? std::string(name_of(*pointed.role)) : as_name(pointed.name);
  if (pointed.role)
    rule.role(*pointed.role) =
        is_field_of_its_name(rule.makes, *pointed.role) ? "" : '{' + name + '}';
  rule.pattern = pattern_by_example(record.text, parts_with(record, pointed, name));
  if (pointed.role == Role::kTime) definition = with_likely_time(std::move(definition), first);
  const bool takes_less = events_of(definition, first) < before;
  if (takes_less && definition.rules.size() < kMostRules)
    definition.rules.insert(definition.rules.begin() + static_cast<ptrdiff_t>(place) + 1, old);
  return definition;
}

std::string key_before(std::string_view line, size_t at) {
  if (at < 2 || at > line.size() || (line[at - 1] != '=' && line[at - 1] != ':')) return {};
  const size_t end = at - 1;
  size_t begin = end;
  while (begin > 0 && is_of_word(line[begin - 1])) --begin;
  return std::string(line.substr(begin, end - begin));
}

std::pair<size_t, size_t> part_at(std::string_view line, size_t at) {
  const auto is_part = [&](size_t i) {
    const char c = line[i];
    const bool is_between = i > 0 && i + 1 < line.size() && is_of_word(line[i - 1]) &&
                            is_of_word(line[i + 1]) && std::string_view(".,:-/+").contains(c);
    return is_of_word(c) || is_between;
  };
  if (at >= line.size() || !is_part(at)) return {at, at};
  size_t begin = at, end = at + 1;
  while (begin > 0 && is_part(begin - 1)) --begin;
  while (end < line.size() && is_part(end)) ++end;
  return {begin, end};
}

}  // namespace weft::formats::custom

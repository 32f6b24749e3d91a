#include "core/formats/general/custom/guess.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/lenient_json.h"
#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/xml_stream.h"
#include "core/formats/general/csv/csv_columns.h"
#include "core/formats/general/custom/preview.h"
#include "core/io/memory_source.h"
#include "core/trace/event_counter.h"

namespace weft::formats::custom {
namespace {

constexpr size_t kLines = 60;  // that are looked at

struct Head {
  std::string_view pattern;
  std::string_view time;
};
// Times with which lines begin, the most particular first.
constexpr Head kHeads[] = {
    {R"([\[<(]?(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|[+-]\d\d:?\d\d))[\])>]?)",
     "%Y-%m-%dT%H:%M:%S.%f%z"},
    {R"([\[<(]?(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:?\d\d))[\])>]?)",
     "%Y-%m-%dT%H:%M:%S%z"},
    {R"([\[<(]?(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+)[\])>]?)", "%Y-%m-%dT%H:%M:%S.%f"},
    {R"([\[<(]?(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+)[\])>]?)", "%Y-%m-%d %H:%M:%S.%f"},
    {R"([\[<(]?(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+)[\])>]?)", "%Y-%m-%d %H:%M:%S,%f"},
    {R"([\[<(]?(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[\])>]?)", "%Y-%m-%d %H:%M:%S"},
    {R"([\[<(]?(?:T?\+)?(?<time>\d\d:\d\d:\d\d\.\d+)[\])>]?)", "%H:%M:%S.%f"},
    {R"([\[<(]?(?:T?\+)?(?<time>\d\d:\d\d:\d\d,\d+)[\])>]?)", "%H:%M:%S,%f"},
    {R"([\[<(]?(?:T?\+)?(?<time>\d\d:\d\d:\d\d)[\])>]?)", "%H:%M:%S"},
    {R"([\[<(]?(?:T?\+)?(?<time>\d\d:\d\d\.\d+)[\])>]?)", "%M:%S.%f"},
    {R"([\[<(]?(?:T?\+)?(?<time>\d\d:\d\d,\d+)[\])>]?)", "%M:%S,%f"},
    {R"((?<time>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d))", "%b %e %H:%M:%S"},
    {R"([\[<(]?\s*(?:T?\+)?(?<time>\d+(?:\.\d+)?)\s?ms[\])>]?:?(?=\s))", "ms"},
    {R"([\[<(]?\s*(?:T?\+)?(?<time>\d+(?:\.\d+)?)\s?(?:u|µ)s[\])>]?:?(?=\s))", "us"},
    {R"([\[<(]?\s*(?:T?\+)?(?<time>\d+(?:\.\d+)?)\s?ns[\])>]?:?(?=\s))", "ns"},
    {R"([\[<(]?\s*(?:T?\+)?(?<time>\d+(?:\.\d+)?)\s?s[\])>]?:?(?=\s))", "s"},
    {R"([\[<(]\s*(?<time>\d+\.\d+)[\])>])", "s"},
    {R"(\s*(?:T?\+)?(?<time>\d+\.\d+):?(?=\s))", "s"},
    {R"([\[<(]\s*(?<time>\d+)[\])>])", "ticks"},
    {R"(@?(?<time>\d+):?(?=\s))", "ticks"},
};
// A time behind a plus counts from the begin; with the plus, from the time before.
constexpr std::string_view kBehindPlus = R"((?:T?\+)?(?<time>)", kWithPlus = R"((?<time>\+)";
// Patterns of what may precede the time.
constexpr std::string_view kBefore[] = {
    "^",
    R"(^\[?(?<level>[A-Z]{4,8})[\]:]?\s+)",
    R"(^\[?(?<lane>[\w.\/-]+)[\]:]?\s+)",
};
// How they go on. Types without numbers, but for those within a word (eth0, pump-1), and without
// the key of what is written as key=value: there are few of them.
constexpr std::string_view kTails[] = {
    R"(\s+(?<level>[A-Z]{4,8})\s+\[(?<lane>[^\]]+)\]\s+)",
    R"(\s+\[(?<lane>[^\]]+)\]\s+(?<level>[A-Z]{4,8})\s+)",
    R"(\s+(?<level>[A-Z]{4,8})\s+(?<lane>[\w.\/-]+):\s+)",
    R"(\s+[\w.-]+\s+(?<lane>[\w.\/-]+)\[(?<pid>\d+)\]:\s+)",
    R"(\s+\[(?<lane>[^\]]+)\]:?\s+)",
    R"(\s+(?<lane>[\w.\/-]+)(?:\[\d+\])?:\s+)",
    R"(\s+)",
};
constexpr std::string_view kTypeAndText =
    R"((?<type>(?:[^\d=(:]|(?<=[\w.\/#-])\d)*?(?:[^\d=(:\s]|(?<=[\w.\/#-])\d)))"
    R"((?=\s+[\w.-]+=|\s+\d|\s*(?:[=(:]|$))(?<text>.*))";
constexpr std::string_view kTextAlone = R"(\s*(?<text>.*))";
constexpr std::string_view kMore = R"(^\s+(?<more>.*))";

std::vector<std::string_view> first_lines(std::string_view text, size_t most) {
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < most) {
    const std::string_view line = take_to(text, '\n');
    if (!trimmed(line).empty()) lines.push_back(line);
  }
  return lines;
}

bool has_time(const std::vector<csv::Column>& columns) {
  return std::ranges::find(columns, csv::Meaning::kTime, &csv::Column::meaning) != columns.end();
}

Definition definition_of(std::string pattern, std::string_view time) {
  Definition definition{.time = std::string(time)};
  definition.rules.push_back({.pattern = std::move(pattern)});
  return definition;
}

// Whether two parts of a pattern share a name, which must be unique.
bool names_the_same(std::string_view a, std::string_view b) {
  return std::ranges::any_of(std::array{"<lane>", "<level>"}, [&](std::string_view name) {
    return a.find(name) != a.npos && b.find(name) != b.npos;
  });
}

bool is_document(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.size() > 1 && text[0] == '<' && (text[1] < '0' || text[1] > '9');
}

// Whether the times of the sample are numbers of which one is less than the one before.
bool has_times_that_fall(const Definition& definition, std::string_view sample) {
  const auto rules = Rules::compile(definition);
  if (!rules) return false;
  double before = 0;
  for (const PreviewRecord& record : preview(**rules, sample).records) {
    const auto mark = std::ranges::find(record.marks, Role::kTime, &PreviewMark::role);
    if (mark == record.marks.end()) continue;
    const auto number = parse_number<double>(
        std::string_view(record.text).substr(mark->begin, mark->end - mark->begin));
    if (!number || *number < before) return number.has_value();
    before = *number;
  }
  return false;
}

// Times behind a plus that fall are steps.
Definition with_steps(Definition definition, std::string_view sample) {
  const size_t plus = definition.rules[0].pattern.find(kBehindPlus);
  if (plus == std::string::npos || !has_times_that_fall(definition, sample)) return definition;
  Definition with_plus = definition;
  with_plus.rules[0].pattern.replace(plus, kBehindPlus.size(), kWithPlus);
  return events_of(with_plus, sample) < events_of(definition, sample) ? definition : with_plus;
}

Definition guess_text(std::string_view sample) {
  Definition best = definition_of("^(?<time>\\d+)\\s+(?<type>.*)", "ticks");
  uint64_t most = 0;
  const auto try_out = [&](std::string pattern, std::string_view time) {
    const Definition made = definition_of(std::move(pattern), time);
    const uint64_t events = events_of(made, sample);
    if (events <= most) return;
    most = events;
    best = made;
  };
  for (const std::string_view before : kBefore) {
    for (const Head& head : kHeads) {
      const std::string begin = std::string(before) + std::string(head.pattern);
      for (const std::string_view tail : kTails) {
        if (names_the_same(before, tail)) continue;
        try_out(begin + std::string(tail) + std::string(kTypeAndText), head.time);
      }
      try_out(begin + std::string(kTextAlone), head.time);
    }
  }
  best = with_steps(std::move(best), sample);
  // Lines that begin with white space go on with the one before.
  const auto lines = first_lines(sample, kLines);
  const bool has_more =
      std::ranges::any_of(lines, [](std::string_view line) { return is_space(line[0]); });
  if (has_more && most > 0 && most < lines.size())
    best.rules.push_back({.pattern = std::string(kMore), .makes = Makes::kChild});
  return best;
}

constexpr std::pair<csv::Meaning, Role> kMeanings[] = {
    {csv::Meaning::kTime, Role::kTime},         {csv::Meaning::kLane, Role::kLane},
    {csv::Meaning::kType, Role::kType},         {csv::Meaning::kEnd, Role::kEnd},
    {csv::Meaning::kDuration, Role::kDuration}, {csv::Meaning::kValue, Role::kValue},
};

std::string_view name_of(DecimalUnit unit) {
  switch (unit) {
    case DecimalUnit::kNanoseconds:
      return "ns";
    case DecimalUnit::kMicroseconds:
      return "us";
    case DecimalUnit::kMilliseconds:
      return "ms";
    case DecimalUnit::kSeconds:
      return "s";
  }
  return "s";
}

// A rule for fields with these names.
Rule rule_for(const std::vector<csv::Column>& columns, Definition& definition) {
  Rule rule;
  const auto find = [&](csv::Meaning meaning) {
    return std::ranges::find(columns, meaning, &csv::Column::meaning);
  };
  const auto has = [&](csv::Meaning meaning) { return find(meaning) != columns.end(); };
  if (has(csv::Meaning::kValue)) rule.makes = Makes::kValue;
  if (has(csv::Meaning::kEnd) || has(csv::Meaning::kDuration)) rule.makes = Makes::kState;
  for (const auto& [meaning, role] : kMeanings) {
    const auto column = find(meaning);
    if (column == columns.end() || !uses(rule.makes, role)) continue;
    if (column->name != name_of(role)) rule.role(role) = '{' + column->name + '}';
    if (role == Role::kTime && column->unit) definition.time = name_of(*column->unit);
    if (role == Role::kDuration && column->unit) definition.duration_unit = name_of(*column->unit);
  }
  return rule;
}

std::vector<csv::Column> columns_of(const std::vector<std::string>& names) {
  std::string header;
  for (const std::string& name : names) (header += header.empty() ? "" : ",") += csv_cell(name);
  return csv::columns_of(header, ',');
}

// Takes for the time what reads as one most often, of the first fields; as it was if none does.
Definition with_unknown_time(const Definition& definition, const std::vector<csv::Column>& columns,
                             const std::string& pattern, std::string_view sample) {
  constexpr size_t kMostFields = 16;
  Definition best = definition;
  uint64_t most = 0;
  for (size_t i = 0; i < std::min(columns.size(), kMostFields); ++i) {
    auto tried = columns;
    tried[i].meaning = csv::Meaning::kTime;
    Definition made = definition;
    made.rules = {rule_for(tried, made)};
    made.rules[0].pattern = pattern;
    made = with_likely_time(std::move(made), sample);
    const uint64_t events = events_of(made, sample);
    if (events <= most) continue;
    most = events;
    best = std::move(made);
  }
  return best;
}

bool is_number(std::string_view cell) {
  std::string plain(trimmed(cell));
  std::ranges::replace(plain, ',', '.');
  return parse_number<double>(plain).has_value();
}

// Returns nullopt if the lines are not a table: most have as many cells as the first, and at least
// two.
std::optional<Definition> guess_table(std::string_view sample) {
  const auto lines = first_lines(sample, kLines);
  if (lines.size() < 2) return std::nullopt;
  Definition definition{.kind = Kind::kCsv};
  definition.separator = csv::separator_of(lines[0]);
  std::vector<std::string> header, cells;
  csv::split(lines[0], definition.separator, header);
  size_t alike = 0;
  bool has_decimal_comma = false;
  for (const std::string_view line : std::span(lines).subspan(1)) {
    csv::split(line, definition.separator, cells);
    alike += cells.size() == header.size() ? 1 : 0;
    has_decimal_comma |=
        definition.separator != ',' && std::ranges::any_of(cells, [](const auto& cell) {
          return cell.find(',') != std::string::npos && is_number(cell);
        });
  }
  if (header.size() < 2 || alike * 10 < (lines.size() - 1) * 9) return std::nullopt;
  if (has_decimal_comma) definition.decimal = ',';
  definition.has_header = std::ranges::none_of(header, is_number);
  if (!definition.has_header) {
    definition.columns = {"time", "type"};
    definition.rules.push_back({});
    return definition;
  }
  auto columns = csv::columns_of(lines[0], definition.separator);
  if (!has_time(columns)) columns[0].meaning = csv::Meaning::kTime;
  definition.rules.push_back(rule_for(columns, definition));
  return with_likely_time(std::move(definition), sample);
}

// Counts elements by path and what each has.
class Elements final : public XmlStream {
 public:
  explicit Elements(trace::EventSink& sink) : XmlStream(sink) {}

  struct Seen {
    uint64_t count = 0;
    std::vector<std::string> attributes{};
  };
  using Element = std::pair<const std::string, Seen>;

  // The most frequent ones first.
  std::vector<const Element*> by_count() const {
    std::vector<const Element*> all;
    for (const Element& each : seen_) all.push_back(&each);
    std::ranges::stable_sort(all, std::ranges::greater(),
                             [](const Element* each) { return each->second.count; });
    return all;
  }

 private:
  void begin_element(std::string_view name, std::span<const XmlAttribute> attributes) override {
    constexpr size_t kMostPaths = 1000, kMostAttributes = 64;
    ends_.push_back(path_.size());
    (path_ += path_.empty() ? "" : "/") += name;
    if (seen_.size() == kMostPaths && !seen_.contains(path_)) return;
    Seen& seen = seen_[path_];
    ++seen.count;
    for (const XmlAttribute& each : attributes) note(seen, std::string(each.name), kMostAttributes);
    // An element's fields count for the one around it, too.
    const auto around = seen_.find(path_.substr(0, ends_.back()));
    if (around != seen_.end()) note(around->second, std::string(name), kMostAttributes);
  }
  static void note(Seen& seen, std::string name, size_t most) {
    const bool is_known = std::ranges::find(seen.attributes, name) != seen.attributes.end();
    if (!is_known && seen.attributes.size() < most) seen.attributes.push_back(std::move(name));
  }
  void end_element() override {
    path_.resize(ends_.back());
    ends_.pop_back();
  }
  void add_text(std::string_view) override {}
  bool has_events() const override { return !seen_.empty(); }

  std::string path_;
  std::vector<size_t> ends_;
  std::map<std::string, Seen> seen_;
};

Definition guess_document(std::string_view sample) {
  Definition definition{.kind = Kind::kXml};
  trace::EventCounter sink;
  Elements elements(sink);
  io::MemorySource source(std::as_bytes(std::span(sample)));
  (void)elements.read(source);  // what was seen before an error is enough
  const auto all = elements.by_count();
  for (const auto* const element : all) {
    auto columns = columns_of(element->second.attributes);
    if (!has_time(columns)) continue;
    definition.rules.push_back(rule_for(columns, definition));
    definition.rules[0].pattern = element->first;
    return with_likely_time(std::move(definition), sample);
  }
  definition.rules.push_back({.pattern = "event"});
  constexpr size_t kMostElements = 4;
  for (const auto* const element : std::span(all).first(std::min(all.size(), kMostElements))) {
    Definition made = with_unknown_time(definition, columns_of(element->second.attributes),
                                        element->first, sample);
    if (events_of(made, sample) > events_of(definition, sample)) definition = std::move(made);
  }
  return definition;
}

// The names of the members that objects on lines have; empty: the lines are no objects.
std::vector<std::string> members_of(std::string_view sample) {
  constexpr size_t kMostMembers = 64, kMostBytes = 8 << 10;
  std::vector<std::string> names;
  for (const std::string_view line : first_lines(sample, kLines)) {
    if (line.size() > kMostBytes) return {};
    const auto object = OrderedJson::parse(line, nullptr, false);
    if (!object.is_object()) return {};
    for (const auto& [name, value] : object.items()) {
      const bool is_new = value.is_primitive() && std::ranges::find(names, name) == names.end();
      if (is_new && names.size() < kMostMembers) names.push_back(name);
    }
  }
  return names;
}

std::optional<Definition> guess_objects(std::string_view sample) {
  const std::vector<std::string> names = members_of(sample);
  if (names.empty()) return std::nullopt;
  Definition definition{.kind = Kind::kJson};
  const auto columns = columns_of(names);
  if (!has_time(columns)) {
    definition.rules.push_back({});
    return with_unknown_time(definition, columns, {}, sample);
  }
  definition.rules.push_back(rule_for(columns, definition));
  return with_likely_time(std::move(definition), sample);
}

}  // namespace

std::string_view first_of(std::string_view sample) {
  const auto lines = first_lines(sample, kLines);
  if (lines.empty()) return {};
  return sample.substr(
      0, static_cast<size_t>(lines.back().data() + lines.back().size() - sample.data()));
}

uint64_t events_of(const Definition& definition, std::string_view sample) {
  const auto rules = Rules::compile(definition);
  return rules ? preview(**rules, sample).event_count : 0;
}

Definition with_likely_time(Definition definition, std::string_view sample) {
  uint64_t most = events_of(definition, sample);
  Definition best = definition;
  for (const Head& head : kHeads) {
    definition.time = head.time;
    const uint64_t events = events_of(definition, sample);
    if (events <= most) continue;
    most = events;
    best = definition;
  }
  return best;
}

Definition guess(std::string_view sample) {
  const auto lines = first_lines(sample, kLines);
  if (lines.empty()) return guess_text({});
  sample = first_of(sample);
  if (is_document(lines[0])) return guess_document(sample);
  if (auto objects = guess_objects(sample)) return *std::move(objects);
  const Definition text = guess_text(sample);
  auto table = guess_table(sample);
  const bool is_table =
      table && Rules::compile(*table) && events_of(*table, sample) >= events_of(text, sample);
  return is_table ? *std::move(table) : text;
}

}  // namespace weft::formats::custom

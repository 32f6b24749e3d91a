#include "core/query/filter/filter_words.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "core/base/ascii.h"

namespace weft::query {
namespace {

constexpr FieldWord kFields[] = {
    {"category", Field::kCategory, "punctual, state, link or variable"},
    {"type", Field::kType, "name of the event type"},
    {"name", Field::kType, "the same as type"},
    {"group", Field::kGroup, "group of the event type, as the format gives it"},
    {"lane", Field::kLane, "lane: its name, or its path from the root joined by '/'"},
    {"source", Field::kSource, "links: the lane that sends"},
    {"target", Field::kTarget, "links: the lane that receives"},
    {"cpu", Field::kCpu, "number of the CPU: of its lane, or of one above, else its parameter cpu"},
    {"depth", Field::kDepth, "states: 0 is the outermost"},
    {"begin", Field::kBegin, "time of the event; links: of the send"},
    {"end", Field::kEnd, "where the state ends; links: time of the receive"},
    {"dur", Field::kDuration, "states: length"},
    {"latency", Field::kLatency, "links: from send to receive"},
    {"value", Field::kValue, "samples of variables: the value"},
    {"payload", Field::kPayload, "size of the payload in bytes"},
    {"cause_of", Field::kCauseOf, "what may have led to the message of that id, and itself"},
    {"effect_of", Field::kEffectOf,
     "what may have followed from the message of that id, and itself"},
    {"answer", Field::kAnswer,
     "messages: type of what goes back to the sender; \"\": nothing does"},
    {"motif", Field::kMotif, "messages: request, response, broadcast or gather"},
    {"text", Field::kText, "any text: type, group, lane, names and values of parameters"},
    {"params.", Field::kParam, "a parameter by its name; nested ones by dots"},
    {"payload.", Field::kPayloadField, "a field of the payload's struct, where sources are known"},
};

constexpr ComparisonWord kComparisons[] = {
    {"==", Comparison::kEqual, "is"},
    {"!=", Comparison::kNotEqual, "is another"},
    {"<", Comparison::kLess, "is less than"},
    {"<=", Comparison::kLessOrEqual, "is at most"},
    {">", Comparison::kMore, "is more than"},
    {">=", Comparison::kMoreOrEqual, "is at least"},
    {"=~", Comparison::kMatches, "matches the regular expression somewhere"},
    {"!~", Comparison::kMatchesNot, "matches the regular expression nowhere"},
    {"contains", Comparison::kContains, "holds the text, in capitals or not"},
    {"matches", Comparison::kMatches, "the same as =~"},
};

// Whether one letter is another, missing or too much, or two neighbours are swapped.
bool is_one_letter_off(std::string_view a, std::string_view b) {
  const auto begins = std::ranges::mismatch(a, b);
  a.remove_prefix(static_cast<size_t>(begins.in1 - a.begin()));
  b.remove_prefix(static_cast<size_t>(begins.in2 - b.begin()));
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.remove_suffix(1);
    b.remove_suffix(1);
  }
  const bool is_swapped = a.size() == 2 && b.size() == 2 && a[0] == b[1] && a[1] == b[0];
  return is_swapped || (a.size() <= 1 && b.size() <= 1);
}

}  // namespace

const FieldWord* field_like(std::string_view name) {
  constexpr size_t kLeastAlike = 2;    // letters at the begin
  constexpr size_t kLeastLetters = 3;  // of which one may be off
  const std::string small = lower_case(std::string(name));
  const auto begins_alike = [&](const FieldWord& word) {
    const size_t shorter = std::min(small.size(), word.name.size());
    return !is_open(word.field) && shorter >= kLeastAlike &&
           small.substr(0, shorter) == word.name.substr(0, shorter);
  };
  const auto is_near = [&](const FieldWord& word) {
    return small.size() >= kLeastLetters && word.name.size() >= kLeastLetters &&
           is_one_letter_off(small, word.name);
  };
  auto found = std::ranges::find_if(kFields, begins_alike);
  if (found == std::end(kFields)) found = std::ranges::find_if(kFields, is_near);
  return found == std::end(kFields) ? nullptr : &*found;
}

std::span<const FieldWord> field_words() { return kFields; }
std::string_view name_of(Field field) {
  return std::ranges::find(kFields, field, &FieldWord::field)->name;
}

bool is_open(Field field) { return field == Field::kParam || field == Field::kPayloadField; }

std::span<const ComparisonWord> comparison_words() { return kComparisons; }
std::string_view name_of(Comparison comparison) {
  return std::ranges::find(kComparisons, comparison, &ComparisonWord::comparison)->name;
}

}  // namespace weft::query

#include "core/query/filter/text_predicate.h"

#include <algorithm>
#include <utility>

#include "core/base/ascii.h"
#include "core/base/demangle.h"
#include "core/base/text.h"

namespace weft::query {
namespace {

bool is_same_letter(char c, char small) { return to_lower(c) == small; }

}  // namespace

bool is_negated(Comparison comparison) {
  return comparison == Comparison::kNotEqual || comparison == Comparison::kMatchesNot;
}
bool is_text_comparison(Comparison comparison) {
  return comparison == Comparison::kMatches || comparison == Comparison::kMatchesNot ||
         comparison == Comparison::kContains;
}
bool is_equality(Comparison comparison) {
  return comparison == Comparison::kEqual || comparison == Comparison::kNotEqual;
}

bool contains_ignoring_case(std::string_view text, std::string_view small) {
  return !std::ranges::search(text, small, is_same_letter).empty() || small.empty();
}

FilterResult<TextPredicate> TextPredicate::make(Comparison comparison,
                                                const std::vector<Literal>& values) {
  TextPredicate test;
  test.is_contained_ = comparison == Comparison::kContains;
  const bool is_pattern =
      comparison == Comparison::kMatches || comparison == Comparison::kMatchesNot;
  for (const Literal& value : values) {
    if (is_pattern) {
      auto pattern = Regex::compile(value.text);
      if (!pattern) {
        return std::unexpected(FilterError{printable(pattern.error().message), value.where});
      }
      test.patterns_.push_back(std::move(*pattern));
      continue;
    }
    test.values_.push_back(value.text);
    // A mangled name also finds the function under its displayed name.
    if (auto plain = demangled(value.text)) test.values_.push_back(std::move(*plain));
  }
  if (test.is_contained_) {
    for (std::string& text : test.values_) std::ranges::transform(text, text.begin(), to_lower);
  }
  return test;
}

bool TextPredicate::passes(std::string_view text) const {
  return std::ranges::any_of(patterns_, [&](const Regex& p) { return p.matches(text); }) ||
         std::ranges::any_of(values_, [&](const std::string& value) {
           return is_contained_ ? contains_ignoring_case(text, value) : text == value;
         });
}

bool TextPredicate::may_pass_within(std::string_view bytes) const {
  return !patterns_.empty() || std::ranges::any_of(values_, [&](const std::string& value) {
    return is_contained_ ? contains_ignoring_case(bytes, value) : bytes.contains(value);
  });
}

}  // namespace weft::query

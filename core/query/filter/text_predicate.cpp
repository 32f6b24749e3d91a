#include "core/query/filter/text_test.h"

#include <algorithm>
#include <utility>

#include "core/base/demangle.h"
#include "core/base/text.h"

namespace weft::query {
namespace {

char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_same_letter(char c, char small) { return small_letter(c) == small; }

}  // namespace

bool is_negated(Comparison comparison) {
  return comparison == Comparison::kNotEqual || comparison == Comparison::kMatchesNot;
}

bool contains_ignoring_case(std::string_view text, std::string_view small) {
  return !std::ranges::search(text, small, is_same_letter).empty() || small.empty();
}

FilterResult<TextTest> TextTest::make(Comparison comparison, const std::vector<Literal>& values) {
  TextTest test;
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
    // What a symbol table calls a function finds it under the name that is shown.
    if (auto plain = demangled(value.text)) test.values_.push_back(std::move(*plain));
  }
  if (test.is_contained_) {
    for (std::string& text : test.values_) std::ranges::transform(text, text.begin(), small_letter);
  }
  return test;
}

bool TextTest::passes(std::string_view text) const {
  return std::ranges::any_of(patterns_, [&](const Regex& p) { return p.matches(text); }) ||
         std::ranges::any_of(values_, [&](const std::string& value) {
           return is_contained_ ? contains_ignoring_case(text, value) : text == value;
         });
}

bool TextTest::may_pass_within(std::string_view bytes) const {
  return !patterns_.empty() || std::ranges::any_of(values_, [&](const std::string& value) {
    return is_contained_ ? contains_ignoring_case(bytes, value) : bytes.contains(value);
  });
}

}  // namespace weft::query

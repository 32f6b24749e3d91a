// How a text is compared with the values of a filter expression: is one of them, holds one, matches
// a regular expression.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/regex.h"
#include "core/query/filter/filter_expression.h"

namespace weft::query {

class TextTest {
 public:
  // For kEqual, kMatches, kContains, and what negates them: those are answered as if they did not;
  // the caller negates. The error is of a regular expression.
  static FilterResult<TextTest> make(Comparison comparison, const std::vector<Literal>& values);

  bool passes(std::string_view text) const;
  // False where the text, being somewhere in `bytes`, could not pass.
  bool may_pass_within(std::string_view bytes) const;

 private:
  bool is_contained_ = false;
  std::vector<std::string> values_;  // kContains: in small letters
  std::vector<Regex> patterns_;
};

bool is_negated(Comparison comparison);

// Whether `text` holds `small`, which is in small letters; capitals of ASCII count as small ones.
bool contains_ignoring_case(std::string_view text, std::string_view small);

}  // namespace weft::query

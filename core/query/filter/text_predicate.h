// Compares a text with the values of a filter expression: equality, containment, regular
// expression.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/regex.h"
#include "core/query/filter/filter_expression.h"

namespace weft::query {

class TextPredicate {
 public:
  // Accepts kEqual, kMatches, kContains and their negations; the latter are treated alike, and the
  // caller negates. Fails on a bad regular expression.
  static FilterResult<TextPredicate> make(Comparison comparison,
                                          const std::vector<Literal>& values);

  bool passes(std::string_view text) const;
  // Returns false if no text contained in `bytes` can pass.
  bool may_pass_within(std::string_view bytes) const;

 private:
  bool is_contained_ = false;
  std::vector<std::string> values_;  // kContains: in lower case
  std::vector<Regex> patterns_;
};

bool is_negated(Comparison comparison);
bool is_text_comparison(Comparison comparison);  // =~, !~, contains: of texts only
bool is_equality(Comparison comparison);         // ==, !=: of anything

// Whether `text` contains `small`, which is in lower case; ASCII capitals match their lower case.
bool contains_ignoring_case(std::string_view text, std::string_view small);

}  // namespace weft::query

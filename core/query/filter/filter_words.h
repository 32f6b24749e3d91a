// The names of fields and comparisons, in one table each: for the parser, its errors, completion,
// and the documentation's test.
#pragma once

#include <span>
#include <string_view>

#include "core/query/filter/filter_expression.h"

namespace weft::query {

struct FieldWord {
  std::string_view name;  // "dur"; "params.": goes on with a name (is_open)
  Field field;
  std::string_view help;  // "states: length"
};
std::span<const FieldWord> field_words();
// The first of its names.
std::string_view name_of(Field field);
// Words that go on with a name behind their dot.
bool is_open(Field field);

struct ComparisonWord {
  std::string_view name;  // ">="
  Comparison comparison;
  std::string_view help;
};
std::span<const ComparisonWord> comparison_words();
std::string_view name_of(Comparison comparison);

}  // namespace weft::query

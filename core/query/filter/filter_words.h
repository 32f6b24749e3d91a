// Tables of the names of fields and comparisons, shared by the parser, its errors, completion and
// the test of the documentation.
#pragma once

#include <span>
#include <string_view>

#include "core/query/filter/filter_expression.h"

namespace weft::query {

struct FieldWord {
  std::string_view name;  // "dur"; "params.", to be continued by a name (is_open)
  Field field;
  std::string_view help;  // "states: length"
};
std::span<const FieldWord> field_words();
// The first of the field's names.
std::string_view name_of(Field field);
// The field that was probably meant by a word that is none: dur by `duration`, `Dur` or `dru`.
// Null: none comes near.
const FieldWord* field_like(std::string_view name);
// Whether the field's word is continued by a name after its dot.
bool is_open(Field field);

struct ComparisonWord {
  std::string_view name;  // ">="
  Comparison comparison;
  std::string_view help;
};
std::span<const ComparisonWord> comparison_words();
std::string_view name_of(Comparison comparison);

}  // namespace weft::query

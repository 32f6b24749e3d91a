// What is wrong with a comparison whatever the trace: a number compared as a text, a category that
// does not exist, a bad regular expression. Only what depends on a trace's clock, names and
// messages is left to compile_filter().
#pragma once

#include "core/query/filter/filter_expression.h"

namespace weft::query {

// `comparison` is of kind kComparison. Compiles its regular expressions.
FilterResult<void> check_comparison(const ExpressionNode& comparison);

}  // namespace weft::query

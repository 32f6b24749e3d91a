// Compiles a filter expression for a trace: names become sets of lanes and types, times become
// ticks.
#pragma once

#include <stop_token>
#include <string_view>

#include "core/aggregate/filter.h"
#include "core/base/result.h"
#include "core/query/filter/filter_expression.h"
#include "core/store/trace.h"

namespace weft::query {

// Fails on what parse_filter() refuses, an unknown unit, a message that cause_of does not find,
// names that take longer than kMostCompileSeconds to match, or if stopped. O(expression × (lanes +
// types)): call from workers if the trace is large. Reads events only for cause_of and effect_of
// (causal_filter.h).
FilterResult<aggregate::FilterPtr> compile_filter(std::string_view text, const store::Trace& trace,
                                                  const std::stop_token& stop = {});
// Returns only the formula, to be combined with others.
FilterResult<aggregate::FormulaPtr> compile_formula(std::string_view text,
                                                    const store::Trace& trace,
                                                    const std::stop_token& stop = {});
// Of an expression that was parsed, or whose comparisons were checked (filter_check.h).
FilterResult<aggregate::FormulaPtr> compile_formula(const Expression& expression,
                                                    const store::Trace& trace,
                                                    const std::stop_token& stop = {});

// Time limit for matching names; beyond it compilation fails.
inline constexpr int kMostCompileSeconds = 5;

}  // namespace weft::query

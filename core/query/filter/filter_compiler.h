// Binds a filter expression to a trace: names become sets of lanes and types, times ticks.
#pragma once

#include <stop_token>
#include <string_view>

#include "core/aggregate/filter.h"
#include "core/base/result.h"
#include "core/query/filter/filter_expression.h"
#include "core/store/trace.h"

namespace weft::query {

// Errors: of syntax; a comparison that its field does not have (category < 3), an unknown unit, a
// bad regular expression, names that take longer than kMostCompileSeconds to compare; stopped.
// O(expression × (lanes + types)): work for workers where the trace is large. No event is read but
// for cause_of and effect_of (causal_filter.h).
FilterResult<aggregate::FilterPtr> compile_filter(std::string_view text, const store::Trace& trace,
                                                  const std::stop_token& stop = {});
// The formula alone, to be combined with others.
FilterResult<aggregate::FormulaPtr> compile_formula(std::string_view text,
                                                    const store::Trace& trace,
                                                    const std::stop_token& stop = {});
FilterResult<aggregate::FormulaPtr> compile_formula(const Expression& expression,
                                                    const store::Trace& trace,
                                                    const std::stop_token& stop = {});

// Names that match longer than this are given up, with an error.
inline constexpr int kMostCompileSeconds = 5;

}  // namespace weft::query

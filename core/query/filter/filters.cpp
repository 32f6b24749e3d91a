#include "core/query/filter/filters.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/query/filter/filter_check.h"
#include "core/query/filter/filter_compiler.h"

namespace weft::query {
namespace {

using aggregate::FormulaPtr;

// One comparison of the language, its value as it is.
template <Field kField, Comparison kComparison>
Status narrow_to_field(const store::Trace& trace, std::string_view value, FormulaPtr& formula,
                       TimeRange&) {
  ExpressionNode node{.field = kField, .comparison = kComparison};
  node.values.push_back({.text = std::string(value)});
  if (auto fits = check_comparison(node); !fits) return fail(fits.error().message);
  const auto narrowing = compile_formula(Expression{{std::move(node)}}, trace);
  if (!narrowing) return fail(narrowing.error().message);
  formula = all_of(formula, *narrowing);
  return {};
}

Status narrow_to_where(const store::Trace& trace, std::string_view value, FormulaPtr& formula,
                       TimeRange&) {
  const auto narrowing = compile_formula(value, trace);
  if (!narrowing) return fail(narrowing.error().one_line(value));
  formula = all_of(formula, *narrowing);
  return {};
}

Status narrow_to_after(const store::Trace& trace, std::string_view value, FormulaPtr&,
                       TimeRange& range) {
  WEFT_TRY_ASSIGN(range.begin, parse_time(value, trace.range(), trace.dictionary().time_base));
  return {};
}

Status narrow_to_before(const store::Trace& trace, std::string_view value, FormulaPtr&,
                        TimeRange& range) {
  WEFT_TRY_ASSIGN(range.end, parse_time(value, trace.range(), trace.dictionary().time_base));
  return {};
}

constexpr FilterOption kOptions[] = {
    {"category", "C", "only events of one category: punctual, state, link or variable",
     narrow_to_field<Field::kCategory, Comparison::kEqual>},
    {"lane", "RE", "only lanes whose path (names from the root, joined by '/') matches",
     narrow_to_field<Field::kLane, Comparison::kMatches>},
    {"type", "RE", "only event types whose name matches",
     narrow_to_field<Field::kType, Comparison::kMatches>},
    {"where", "EXPR", "only events of which the expression is true: 'dur > 5ms && type =~ /irq/'",
     narrow_to_where},
    {"from", "T", "only what lies at or after T: ticks, 12.5ms, +12.5ms from the begin, or 40%",
     narrow_to_after},
    {"to", "T", "only what lies before T", narrow_to_before},
};

}  // namespace

std::span<const FilterOption> filter_options() { return kOptions; }

Result<Selection> select(const store::Trace& trace, std::span<const FilterUse> uses) {
  FormulaPtr formula = aggregate::everything();
  TimeRange range = whole_range(trace);
  for (const FilterUse& use : uses) {
    const auto option = std::ranges::find(kOptions, use.id, &FilterOption::id);
    if (option == std::end(kOptions)) return fail(fmt::format("'{}' is not a filter", use.id));
    if (Status status = option->narrow(trace, use.value, formula, range); !status) {
      return fail(std::move(status).error().context(use.id));
    }
  }
  const auto is_given = [&](std::string_view id) {
    return std::ranges::find(uses, id, &FilterUse::id) != uses.end();
  };
  // The end that is not given is the trace's, but an answer about nothing is one, too.
  if (!is_given("to")) range.end = std::max(range.end, range.begin);
  if (!is_given("from")) range.begin = std::min(range.begin, range.end);
  if (range.end < range.begin) {
    return fail(fmt::format("the range ends ({}) before it begins ({})", range.end.ticks,
                            range.begin.ticks));
  }
  return Selection{std::make_shared<const aggregate::Filter>(std::move(formula),
                                                             trace.dictionary().types.size()),
                   range};
}

}  // namespace weft::query

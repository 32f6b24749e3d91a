// The options that select a query's events. Each is one row of a table (filters.cpp); the command
// line offers every row by its id.
//
// All of them reduce to one formula (filter_compiler.h) and a range.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/query/selection.h"
#include "core/store/trace.h"

namespace weft::query {

struct FilterOption {
  std::string_view id;         // "lane"
  std::string_view parameter;  // placeholder of its value in help
  std::string_view help;       // one line
  // Narrows the formula or the range to what `value` allows; fails if the value is invalid.
  Status (*narrow)(const store::Trace& trace, std::string_view value,
                   aggregate::FormulaPtr& formula, TimeRange& range);
};

std::span<const FilterOption> filter_options();

struct FilterUse {
  std::string id;
  std::string value;
};

// Selects the events that all of `uses` allow. Errors name the option: an unknown id, a bad value,
// a range that ends before it begins.
Result<Selection> select(const store::Trace& trace, std::span<const FilterUse> uses);

}  // namespace weft::query

// The options that say which events a query is about: one row each. Adding one is a row
// (filters.cpp); the command line offers every row by its id.
//
// There is one mechanism below them: all become one formula (filter_compiler.h), and a range.
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
  std::string_view parameter;  // what its value is, for help: "RE"
  std::string_view help;       // one line
  // Narrows the formula or the range to what `value` allows. The error says what is wrong with it.
  Status (*narrow)(const store::Trace& trace, std::string_view value,
                   aggregate::FormulaPtr& formula, TimeRange& range);
};

std::span<const FilterOption> filter_options();

struct FilterUse {
  std::string id;
  std::string value;
};

// The events that all of `uses` allow. Errors name the option: an unknown id, a bad value, a range
// that ends before it begins.
Result<Selection> select(const store::Trace& trace, std::span<const FilterUse> uses);

}  // namespace weft::query

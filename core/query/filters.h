// The filters: one row each. Adding one is a file and a row (filters.cpp); the command line offers
// every row as an option of its name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/query/selection.h"
#include "core/store/trace.h"

namespace weft::query {

struct Filter {
  std::string_view id;         // "lane"
  std::string_view parameter;  // what its value is, for help: "RE"
  std::string_view help;       // one line
  // Narrows the selection to what `value` allows. The error says what is wrong with the value.
  Status (*narrow)(const store::Trace& trace, std::string_view value, Selection& selection);
};

std::span<const Filter> filters();

struct FilterUse {
  std::string id;
  std::string value;
};

// The events that all of `uses` allow. Errors name the filter: an unknown id, a bad value, a range
// that ends before it begins.
Result<Selection> select(const store::Trace& trace, std::span<const FilterUse> uses);

}  // namespace weft::query

#include "core/query/filters.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/query/category_filter.h"
#include "core/query/lane_filter.h"
#include "core/query/time_filter.h"
#include "core/query/type_filter.h"

namespace weft::query {
namespace {

constexpr Filter kFilters[] = {
    {"category", "C", "only events of one category: punctual, state, link or variable",
     narrow_to_category},
    {"lane", "RE", "only lanes whose path (names from the root, joined by '/') matches",
     narrow_to_lanes},
    {"type", "RE", "only event types whose name matches", narrow_to_types},
    {"from", "T", "only what lies at or after T: ticks, 12.5ms, +12.5ms from the begin, or 40%",
     narrow_to_after},
    {"to", "T", "only what lies before T", narrow_to_before},
};

}  // namespace

std::span<const Filter> filters() { return kFilters; }

Result<Selection> select(const store::Trace& trace, std::span<const FilterUse> uses) {
  Selection selection = Selection::all(trace);
  for (const FilterUse& use : uses) {
    const auto filter = std::ranges::find(kFilters, use.id, &Filter::id);
    if (filter == std::end(kFilters)) return fail(fmt::format("'{}' is no filter", use.id));
    if (Status status = filter->narrow(trace, use.value, selection); !status) {
      return fail(std::move(status).error().context(use.id));
    }
  }
  if (selection.range.end < selection.range.begin) {
    return fail(fmt::format("the range ends ({}) before it begins ({})", selection.range.end.ticks,
                            selection.range.begin.ticks));
  }
  return selection;
}

}  // namespace weft::query

#include "app/panels/timeline/empty_lanes.h"

#include <fmt/core.h>

#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr size_t kMostName = 60;  // bytes of what was typed

std::string why_none_is_shown(const OpenTrace& trace, const TraceModel& model) {
  const std::string filter = printable(trace.arrangement().filter, kMostName);
  if (!filter.empty() && !model.order.finds_any) {
    return fmt::format("No lane has \"{}\" in its name: empty \"Filter lanes\" to see all of them",
                       filter);
  }
  if (trace.arrangement().hides_empty && trace.view().filter.is_set())
    return "No event passes the filter: lanes in which nothing passes it are hidden";
  if (!filter.empty()) {
    return fmt::format(
        "Lanes with \"{}\" in their names are hidden: the count above their names shows them again",
        filter);
  }
  return "All lanes are hidden: the count above their names shows them again";
}

}  // namespace

std::string why_lanes_are_empty(const PanelInput& input) {
  const TraceModel& model = *input.model;
  if (model.trace->counts().total() == 0) return "";  // which the window says
  if (model.lanes.rows().empty() && model.pinned.rows().empty())
    return why_none_is_shown(*input.trace, model);
  const ShownFilter& filter = input.filter;
  const bool has_none = filter.hits && filter.hits->is_done() && filter.hits->hits() == 0;
  return filter.hides() && has_none ? "No event passes the filter" : "";
}

}  // namespace weft::app

#include "core/layout/message_classes.h"

#include <algorithm>

#include "core/trace/message_id.h"

namespace weft::layout {

MessageMarker::MessageMarker(const store::Trace& trace, const store::Row& row,
                             const MessageRules& rules)
    : trace_(trace), is_out_(row.kind == store::RowKind::kLinkOut) {
  for (size_t i = 0; i < std::min(rules.size(), kMostMessageClasses); ++i) {
    if (!rules[i].filter) continue;
    aggregate::RowFilter filter = rules[i].filter->for_row(trace, row);
    if (!filter.passes_none()) filters_.emplace_back(static_cast<uint8_t>(i), std::move(filter));
  }
}

MessageMark MessageMarker::mark_of(const store::Record& record) const {
  MessageMark mark;
  const auto taken = std::ranges::find_if(
      filters_, [&](const auto& filter) { return filter.second.passes(record); });
  if (taken != filters_.end()) mark.class_index = taken->first;
  mark.is_dropped = is_out_ && record.peer.is_none() && !record.params.is_none() &&
                    trace::is_dropped(trace_.params(record.params).json);
  return mark;
}

}  // namespace weft::layout

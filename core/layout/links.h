// Links as arrows: a bounded number for any view of any trace.
//
// Links that leave one lane and arrive at another within the same coarse columns (kBundlePx) form
// a bundle, drawn as one arrow whose width grows with the logarithm of its count. A link that lacks
// an end is a short stub at the end it has. Where a view holds more links than `max_records`, an
// even sample of them is read, and the share is told.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/aggregate/filtered_rows.h"
#include "core/base/time.h"
#include "core/layout/message_classes.h"
#include "core/layout/scale.h"
#include "core/store/trace.h"

namespace weft::layout {

inline constexpr int kBundlePx = 16;

// One arrow: a link, or a bundle of them.
struct LinkItem {
  LaneId source = LaneId::none();  // none: never sent (its send end is missing)
  LaneId target = LaneId::none();  // none: never arrived
  Time send, receive;              // of the first link in it; meaningless where an end is missing
  EventTypeId type;                // of the first
  uint64_t count = 0;              // links in it, among those read
  MessageMark mark{};              // of all of them
  bool is_bundle() const { return count > 1; }
};

struct LinkItems {
  TimeRange view;
  std::vector<LinkItem> items;   // in order of send
  uint64_t in_view = 0;          // links with an end in the view: what there is
  bool is_counted = true;        // false: `in_view` is worked out from a sample, to two digits
  uint64_t read = 0;             // of them, those that `items` count
  uint64_t passing = 0;          // links that begin before the view and end after it: not drawn
  bool is_passing_whole = true;  // false: there are at least so many
  double share() const {
    return in_view == 0 ? 1 : static_cast<double>(read) / static_cast<double>(in_view);
  }
};

struct LinkLimits {
  uint64_t max_records = 1'000'000;  // all are read up to so many …
  uint64_t samples = 50'000;         // … and so many of more: their arrows are a choice anyway
  size_t max_items = 500;  // more arrows tell nobody anything. The bundles with most links are
                           // kept; `read` says what they hold
};

// The row of an id, as a filter leaves it (aggregate::FilteredRows); null where that was stopped.
using LinkRows = std::function<aggregate::RowPtr(RowId)>;

// Work for workers: touches mapped pages. Without `rows`: all links; those of other classes are in
// other bundles.
LinkItems links_in(const store::Trace& trace, TimeScale scale, LinkLimits limits = {},
                   const LinkRows& rows = {}, const MessageRules& rules = {});

// The pure part: bundles links by lane pair and coarse column.
struct LinkRecord {
  LaneId source, target;
  Time send, receive;
  EventTypeId type;
  MessageMark mark{};
};
std::vector<LinkItem> bundle(std::span<const LinkRecord> links, const TimeScale& scale,
                             size_t max_items);

// Width in px of an arrow that stands for `count` links: 1 for one, then logarithmic, at most 6.
float link_width_px(uint64_t count);

}  // namespace weft::layout

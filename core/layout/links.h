// Links as arrows: a bounded number for any view of any trace.
//
// Links that leave one lane and arrive at another within the same coarse columns (kBundlePx) form a
// bundle, drawn as one arrow whose width grows with the logarithm of its count. A link that lacks
// an end is a short stub at the end it has. If a view holds more links than `max_records`, an even
// sample of them is read, and share() tells how much that is.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/aggregate/filtered_rows.h"
#include "core/base/time.h"
#include "core/layout/message_classes.h"
#include "core/layout/scale.h"
#include "core/query/element.h"
#include "core/query/link_ends.h"
#include "core/store/trace.h"

namespace weft::layout {

inline constexpr int kBundlePx = 16;

// One arrow: a link, or a bundle of them.
struct LinkItem : query::LinkEnds {  // of its first link
  uint64_t count = 0;                // links it stands for, of those read
  MessageMark mark{};                // common to all
  // The rows of what its first link meets at its ends, by find_ends(); none: nothing, or not asked.
  RowId source_row = RowId::none(), target_row = RowId::none();
  bool is_bundle() const { return count > 1; }
};

struct LinkItems {
  TimeRange view;
  std::vector<LinkItem> items;   // in order of send
  uint64_t in_view = 0;          // links with an end in the view, between lanes that are shown
  uint64_t on_hidden_lanes = 0;  // links with an end in the view and one on another lane
  bool is_counted = true;        // false: these are estimates from a sample, to two digits
  uint64_t read = 0;             // those of them that `items` count
  uint64_t passing = 0;          // links that span the whole view: not drawn
  bool is_passing_whole = true;  // false: `passing` is a lower bound
  double share() const {
    return in_view == 0 ? 1 : static_cast<double>(read) / static_cast<double>(in_view);
  }
};

struct LinkLimits {
  uint64_t max_records = 1'000'000;  // up to this many, all are read …
  uint64_t samples = 50'000;         // … beyond, this many are sampled
  size_t max_items = 500;  // more arrows would be unreadable. The largest bundles are kept; `read`
                           // says what they hold
};

// Returns a filtered row (aggregate::FilteredRows) by its id; null if stopped.
using LinkRows = std::function<aggregate::RowPtr(RowId)>;

// Whether the lanes of a link's ends are shown; none: that end is missing.
using ShownEnds = std::function<bool(LaneId source, LaneId target)>;

// Reads the links of a view; touches mapped pages: call it from workers. Without `rows`, all links;
// without `are_shown`, all lanes are. Bundles do not mix message classes.
LinkItems links_in(const store::Trace& trace, TimeScale scale, LinkLimits limits = {},
                   const LinkRows& rows = {}, const MessageRules& rules = {},
                   const ShownEnds& are_shown = {});

// Sets the rows of what is met at the ends: the innermost state, or a punctual event at that time.
// Touches mapped pages, O(levels of the lane) for each end. Stopped, it leaves the rest.
void find_ends(const query::Elements& elements, std::span<LinkItem> items,
               const std::stop_token& stop);

// Bundles links by pair of lanes and coarse column. Pure.
struct LinkRecord : query::LinkEnds {
  MessageMark mark{};
};
std::vector<LinkItem> bundle(std::span<const LinkRecord> links, const TimeScale& scale,
                             size_t max_items);

// Width in px of an arrow that stands for `count` links: 1 for one, then logarithmic, at most 6.
float link_width_px(uint64_t count);

}  // namespace weft::layout

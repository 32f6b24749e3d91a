// Reduces the messages (links) of a time range to few enough arrows to draw between lanes side by
// side. Messages without an arrow are counted; none is dropped silently.
//
//   one message      an arrow
//   several          one arrow, where the same two lanes exchange them in the same cells of time
//   too many arrows  a bar of traffic on each of their lanes
//
// Cells are 2^level ticks of the absolute grid; which messages become arrows is decided per block
// of 2^kBlockCellsLevel cells, so that the picture does not change while it is panned. Deals with
// times and lanes only; sequence.h maps them to the screen. Call from workers: reads every record
// that begins in the range, about 10 ns each, shared among threads. The result's size is bounded by
// cells, blocks and lanes, whatever the number of messages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/aggregate/filter.h"
#include "core/base/time.h"
#include "core/layout/links.h"
#include "core/layout/scale.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::layout {

inline constexpr int kMessageCellPx = 8;     // at least, and less than twice that
inline constexpr int kBlockCellsLevel = 6;   // a block is 2^6 cells …
inline constexpr size_t kBlockArrows = 256;  // … and shows at most this many arrows

// Where each lane is drawn, by lane: the lane itself, the folded lane above it, or none().
using ShownLanes = std::vector<LaneId>;

// A query's grid; equal grids give equal answers.
struct MessageGrid {
  TimeRange range;      // whole blocks
  int level = 0;        // of the cells
  bool bundles = true;  // false: one arrow per message, as far as there is room
  bool operator==(const MessageGrid&) const = default;
};
// The grid whose cells fit the scale; its range is the view, widened to whole blocks.
MessageGrid message_grid(const TimeScale& scale);

inline constexpr uint64_t kMostSingles = 4'000;  // most arrows of single messages in one view

// Which messages pass; null: all. Others are dimmed if `keeps_rest`, otherwise left out and
// counted.
struct MessageFilter {
  aggregate::FilterPtr filter;
  bool keeps_rest = false;
  std::shared_ptr<const MessageRules> rules = nullptr;  // null: no classes
};

// An arrow: one message, or several from one lane to another.
struct MessageArrow {
  LinkItem link;                 // the first message, on its own lanes
  Time last_send, last_receive;  // of all its messages
  uint64_t payload_bytes = 0;    // of a single message; otherwise unknown
  bool is_dim = false;           // does not pass the filter
};

// Messages of a displayed lane in a cell that are not drawn as arrows.
struct TrafficBar {
  int64_t cell = 0;
  LaneId lane;
  uint64_t sent = 0;
  uint64_t received = 0;
  uint64_t dropped = 0;  // of those sent
  bool operator==(const TrafficBar&) const = default;
};

// Messages sent to a displayed lane and not yet handled, at the end of each cell of a run. Counts
// those drawn or in bars; messages never received do not wait.
struct Waiting {
  LaneId lane;
  int64_t begin_cell = 0, end_cell = 0;
  uint64_t messages = 0;
  bool operator==(const Waiting&) const = default;
};
// Limit on lanes × cells, beyond which Messages::waiting stays empty.
inline constexpr size_t kMostWaitingCells = 1 << 22;

// An exchange of messages that repeats without anything in between (as in ShiViz).
struct MessageRun {
  size_t first = 0, arrows = 0;  // into Messages::arrows: one per message, or all of them
  size_t messages = 0;           // messages per repetition …
  size_t times = 0;              // … and repetitions
  TimeRange sent;                // from the first send to after the last
  bool is_open = false;          // expanded: all of its arrows are kept
};

struct Messages {
  MessageGrid grid;                  // as used
  std::vector<MessageArrow> arrows;  // in order of first send, or of receive if there is no send
  std::vector<MessageRun> runs;      // runs in `arrows`, in order; set by join_runs()
  std::vector<TrafficBar> bars;      // in order of cell, then lane
  std::vector<Waiting> waiting;      // in order of lane, then cell; without empty stretches
  // Every message with an end in the range, or that spans it, is counted in exactly one of these.
  uint64_t in_arrows = 0;
  uint64_t in_bars = 0;
  uint64_t on_hidden_lanes = 0;  // with an end on a lane that is not displayed
  uint64_t filtered_out = 0;
  uint64_t dropped = 0;  // of those in arrows and bars
  // Whether all messages that span the range were found; those missed are not counted above. See
  // kMostPassing.
  bool is_passing_whole = true;

  // Computed from the tree alone: bars, no arrows. Sent and received counts per cell are exact;
  // in_bars counts messages sent in the range. With is_bound they are upper bounds: lanes are
  // hidden, or a filter passes only some of a lane's messages, which the tree cannot tell apart.
  bool is_outline = false;
  bool is_bound = false;

  uint64_t total() const { return in_arrows + in_bars + on_hidden_lanes + filtered_out; }
};

// Records before the range that are read to find messages that span it.
inline constexpr uint64_t kMostPassing = 1'000'000;

// Joins exchanges of up to kLongestExchange messages that repeat three times or more: each message
// becomes one arrow with a count. A run with an arrow sent in one of the `open` ranges keeps all of
// its arrows. Arrows stay in order of their sends.
inline constexpr size_t kLongestExchange = 4;
void join_runs(Messages& messages, const ShownLanes& shown, std::span<const TimeRange> open);

// Returns the number of messages sent in the range. O(rows log n).
uint64_t messages_sent_in(const store::Trace& trace, TimeRange range);

// A quick outline, whatever the number of messages: milliseconds for hundreds of lanes. nullopt if
// stopped.
std::optional<Messages> outline_of_messages(const store::Trace& trace, const MessageGrid& grid,
                                            const ShownLanes& shown, const MessageFilter& filter,
                                            const std::stop_token& stop);

// The full result. nullopt if stopped.
std::optional<Messages> messages_in(const store::Trace& trace, const MessageGrid& grid,
                                    const ShownLanes& shown, const MessageFilter& filter,
                                    const query::Work& work);

}  // namespace weft::layout

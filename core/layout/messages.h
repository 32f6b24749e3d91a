// The messages (links) that a stretch of time holds, as few enough arrows to be drawn between lanes
// that stand side by side, and what becomes of the others: none is left out without being counted.
//
//   one message      an arrow
//   several          one arrow, where the same two lanes exchange them in the same cells of time
//   too many arrows  a bar of traffic on each of their lanes
//
// Cells are 2^level ticks of the absolute grid, and what is drawn as arrows is decided for blocks
// of kBlockCells of them, so that a picture does not change while it is moved. Times and lanes
// only: where they lie on the screen is for sequence.h. Reading is work for workers: it costs every
// record that begins in the stretch, about 10 ns each, shared among threads; the answer is bounded
// by cells, blocks and lanes, whatever the number of messages.
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

inline constexpr int kMessageCellPx = 8;     // at least; less than twice as much
inline constexpr int kBlockCellsLevel = 6;   // a block is 2^6 cells …
inline constexpr size_t kBlockArrows = 256;  // … and shows at most so many arrows

// Where each lane is drawn, by lane: where it stands itself, where a folded lane above it stands,
// or nowhere (none).
using ShownLanes = std::vector<LaneId>;

// What is asked for; equal ones have equal answers.
struct MessageGrid {
  TimeRange range;      // whole blocks
  int level = 0;        // of the cells
  bool bundles = true;  // false: every message is an arrow of its own, as far as there is room
  bool operator==(const MessageGrid&) const = default;
};
// Of the cells that fit the scale; its view, widened to whole blocks.
MessageGrid message_grid(const TimeScale& scale);

inline constexpr uint64_t kMostSingles = 4'000;  // drawn as arrows of their own, of one view

// Which messages: null: all. Of those that do not pass, the arrows are dim, or left out and
// counted.
struct MessageFilter {
  aggregate::FilterPtr filter;
  bool keeps_rest = false;
  std::shared_ptr<const MessageRules> rules = nullptr;  // null: there are no classes
};

// A message, or several from one lane to another.
struct MessageArrow {
  LinkItem link;                 // the first of them, on its own lanes
  Time last_send, last_receive;  // of all; as link.send and link.receive where it is one
  uint64_t payload_bytes = 0;    // of one; several: unknown
  bool is_dim = false;           // does not pass the filter
};

// The messages of a lane (as shown) in a cell that are drawn as no arrow.
struct TrafficBar {
  int64_t cell = 0;
  LaneId lane;
  uint64_t sent = 0;
  uint64_t received = 0;
  uint64_t dropped = 0;  // of those sent
  bool operator==(const TrafficBar&) const = default;
};

// Messages that were sent to a lane (as shown) and are not yet handled, at the end of each of these
// cells; of those that are drawn or in bars. What is never received waits for nobody.
struct Waiting {
  LaneId lane;
  int64_t begin_cell = 0, end_cell = 0;
  uint64_t messages = 0;
  bool operator==(const Waiting&) const = default;
};
// Lanes of the trace times cells; where there are more, nothing is said about who waits.
inline constexpr size_t kMostWaitingCells = 1 << 22;

// The same messages again and again, without anything in between. (As in ShiViz.)
struct MessageRun {
  size_t first = 0, arrows = 0;  // of Messages::arrows: one for each of its messages, or all
  size_t messages = 0;           // that are repeated, and …
  size_t times = 0;              // … how often
  TimeRange sent;                // as the arrows' order: from the first to after the last
  bool is_open = false;          // all of its arrows are there
};

struct Messages {
  MessageGrid grid;                  // as it was done
  std::vector<MessageArrow> arrows;  // in order of their first send, or receive where that is all
  std::vector<MessageRun> runs;      // of those arrows, in order; where join_runs looked for them
  std::vector<TrafficBar> bars;      // in order of cell, then lane
  std::vector<Waiting> waiting;      // in order of lane, then cell; stretches without are left out
  // Every message with an end in the range, or that passes over it, is in one of these.
  uint64_t in_arrows = 0;
  uint64_t in_bars = 0;
  uint64_t on_hidden_lanes = 0;  // an end of theirs is shown nowhere
  uint64_t filtered_out = 0;
  uint64_t dropped = 0;  // of those in arrows and bars
  // Of messages that were sent before the range and are received after it, all were found; those
  // that were not are not counted above. See kMostPassing.
  bool is_passing_whole = true;

  // All of it from the tree alone: bars, no arrows. What is sent and received in each cell is
  // exact; in_bars is what is sent in the range. With is_bound they are at most so many: lanes are
  // hidden, or a filter takes some of a lane's messages, and which of them is not in the tree.
  bool is_outline = false;
  bool is_bound = false;

  uint64_t total() const { return in_arrows + in_bars + on_hidden_lanes + filtered_out; }
};

// Records before the range that are read for messages that pass over it.
inline constexpr uint64_t kMostPassing = 1'000'000;

// Exchanges of up to kLongestExchange messages that follow each other three times or more become
// one: each of its messages is one arrow with their count. Of a run with an arrow that is sent in
// one of the `open` stretches all arrows stay. The order is that of their sends.
inline constexpr size_t kLongestExchange = 4;
void join_runs(Messages& messages, const ShownLanes& shown, std::span<const TimeRange> open);

// Messages sent in the range. O(rows log n).
uint64_t messages_sent_in(const store::Trace& trace, TimeRange range);

// What can be told at once, however many messages there are: milliseconds for hundreds of lanes.
// Nothing where it was stopped.
std::optional<Messages> outline_of_messages(const store::Trace& trace, const MessageGrid& grid,
                                            const ShownLanes& shown, const MessageFilter& filter,
                                            const std::stop_token& stop);

// Nothing where it was stopped.
std::optional<Messages> messages_in(const store::Trace& trace, const MessageGrid& grid,
                                    const ShownLanes& shown, const MessageFilter& filter,
                                    const query::Work& work);

}  // namespace weft::layout

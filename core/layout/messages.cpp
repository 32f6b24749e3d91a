#include "core/layout/messages.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>

#include "core/aggregate/columns.h"
#include "core/base/flat_index.h"
#include "core/query/link_ends.h"
#include "core/query/reduce.h"

namespace weft::layout {
namespace {

using query::LinkEnds;
using store::Row;
using store::RowKind;

constexpr int64_t kMostParts = 16;     // of the range, for threads to share
constexpr size_t kMostDone = 1 << 17;  // bundles, about, that a thread keeps

// An arrow on its way: where it stands on the grid, and whose it is as shown.
struct Bundle {
  MessageArrow arrow;
  LaneId source, target;  // as shown; none: that end is missing
  int64_t send_cell = 0, receive_cell = 0;
  int64_t home = 0;    // the cell whose arrow it is
  int importance = 0;  // of its class
  ParamsId params = ParamsId::none();
};

// Bundles that are alike are one arrow.
struct MessageBundleKey {
  LaneId source, target;
  int64_t send_cell, receive_cell;
  bool is_dim;
  MessageMark mark;
  bool operator==(const MessageBundleKey&) const = default;
};

uint64_t mixed(uint64_t h, uint64_t value) {
  h = (h ^ value) * 0x9e3779b97f4a7c15;
  return h ^ h >> 29;
}

struct MessageBundleHash {
  size_t operator()(const MessageBundleKey& key) const {
    uint64_t h = mixed(uint64_t{key.source.value()} << 32 | key.target.value(), key.is_dim);
    h = mixed(h, static_cast<uint64_t>(key.send_cell));
    h += uint64_t{key.mark.class_index} << 1 | uint64_t{key.mark.is_dropped};
    return mixed(h, static_cast<uint64_t>(key.receive_cell));
  }
};

struct BarKey {
  int64_t cell;
  LaneId lane;
  bool operator==(const BarKey&) const = default;
};

struct BarHash {
  size_t operator()(const BarKey& key) const {
    return mixed(mixed(0, static_cast<uint64_t>(key.cell)), key.lane.value());
  }
};

struct Traffic {
  uint64_t sent = 0, received = 0, dropped = 0;
};

// How many bundles a cell may have so that all cells together have no more than `most`.
size_t most_per_cell(std::vector<size_t> counts, size_t most) {
  std::ranges::sort(counts);
  size_t left = most;
  for (size_t i = 0; i < counts.size(); ++i) {
    const size_t share = left / (counts.size() - i);
    if (counts[i] > share) return share;
    left -= counts[i];
  }
  return most;
}

// The most important first, then the largest; of equal ones the same order every time.
bool is_before(const Bundle& a, const Bundle& b) {
  const auto order = [](const Bundle& bundle) {
    return std::tuple(bundle.home, bundle.arrow.is_dim, -bundle.importance,
                      ~bundle.arrow.link.count, bundle.arrow.link.send, bundle.arrow.link.receive,
                      bundle.source, bundle.target);
  };
  return order(a) < order(b);
}

// The change, in each cell, of the number of messages that wait for a lane.
class WaitingCount {
 public:
  WaitingCount(const MessageGrid& grid, size_t lanes)
      : first_(column_of(grid.range.begin, grid.level)),
        cells_(static_cast<size_t>(column_of(grid.range.end, grid.level) - first_)) {
    if (cells_ > 0 && lanes <= kMostWaitingCells / cells_) growth_.resize(lanes * cells_);
  }

  void add(LaneId target, int64_t send_cell, int64_t receive_cell) {
    if (growth_.empty() || send_cell >= receive_cell) return;
    const size_t row = target.value() * cells_;
    const int64_t from = std::max(send_cell, first_) - first_, to = receive_cell - first_;
    if (to <= 0 || from >= static_cast<int64_t>(cells_)) return;
    ++growth_[row + static_cast<size_t>(from)];
    if (to < static_cast<int64_t>(cells_)) --growth_[row + static_cast<size_t>(to)];
  }

  void merge(const WaitingCount& other) {
    for (size_t i = 0; i < growth_.size(); ++i) growth_[i] += other.growth_[i];
  }

  std::vector<Waiting> finish() const {
    std::vector<Waiting> waiting;
    for (size_t row = 0; row < growth_.size(); row += cells_) {
      const LaneId lane(static_cast<uint32_t>(row / cells_));
      int64_t count = 0;
      for (size_t i = 0; i < cells_; ++i) {
        count += growth_[row + i];
        if (count == 0) continue;
        const int64_t cell = first_ + static_cast<int64_t>(i);
        const bool goes_on = growth_[row + i] == 0 && !waiting.empty() && i > 0;
        if (goes_on) {
          waiting.back().end_cell = cell + 1;
        } else {
          waiting.push_back({lane, cell, cell + 1, static_cast<uint64_t>(count)});
        }
      }
    }
    return waiting;
  }

 private:
  int64_t first_;
  size_t cells_;
  std::vector<int64_t> growth_;  // lanes times cells; empty: too many
};

// One thread's share of the messages.
class Gatherer {
 public:
  Gatherer(const MessageGrid& grid, size_t lanes, const MessageRules* rules)
      : grid_(grid), rules_(rules), waiting_(grid, lanes) {}

  void add(const LinkEnds& ends, LaneId source, LaneId target, ParamsId params, MessageMark mark,
           bool is_dim) {
    const Time send = ends.is_sent() ? ends.send : ends.receive;
    const Time receive = ends.is_received() ? ends.receive : ends.send;
    const int64_t send_cell = column_of(send, grid_.level);
    const int64_t receive_cell = column_of(receive, grid_.level);
    const int64_t home = grid_.range.contains(send) ? send_cell
                         : grid_.range.contains(receive)
                             ? receive_cell
                             : column_of(grid_.range.begin, grid_.level);
    if (!target.is_none() && !source.is_none() && !is_dim)
      waiting_.add(target, send_cell, receive_cell);
    if (block_of(home) != block_) finish_block();
    block_ = block_of(home);
    if (grid_.bundles) {
      const MessageBundleKey key{source, target, send_cell, receive_cell, is_dim, mark};
      const size_t place = places_.insert(key, open_.size());
      if (place < open_.size()) return join(open_[place].arrow, send, receive);
    }
    const LinkItem link = {{ends.source, ends.target, send, receive, ends.type}, 1, mark};
    const int importance =
        rules_ != nullptr && mark.has_class() ? (*rules_)[mark.class_index].importance : 0;
    open_.push_back({{link, send, receive, 0, is_dim},
                     source,
                     target,
                     send_cell,
                     receive_cell,
                     home,
                     importance,
                     params});
    // Without bundling there may be many: what will become no arrow is dropped early.
    if (!grid_.bundles && open_.size() >= 4 * kMostSingles) finish_block();
  }

  void hide() { ++on_hidden_lanes_; }
  void filter_out() { ++filtered_out_; }

  // Finishes a block: what follows belongs to another block or row.
  void finish_block() {
    places_.clear();
    trim(open_);
    done_.insert(done_.end(), open_.begin(), open_.end());
    open_.clear();
    if (done_.size() > most_done_) compact();
  }

  void merge(const Gatherer& other) {
    done_.insert(done_.end(), other.done_.begin(), other.done_.end());
    for (const auto& [key, traffic] : other.bars_) {
      bars_[key].sent += traffic.sent;
      bars_[key].received += traffic.received;
      bars_[key].dropped += traffic.dropped;
    }
    waiting_.merge(other.waiting_);
    in_bars_ += other.in_bars_;
    on_hidden_lanes_ += other.on_hidden_lanes_;
    filtered_out_ += other.filtered_out_;
  }

  Messages finish(const store::Trace& trace) {
    compact();
    Messages messages;
    messages.grid = grid_;
    for (Bundle& bundle : done_) {
      MessageArrow& arrow = bundle.arrow;
      messages.in_arrows += arrow.link.count;
      if (arrow.link.mark.is_dropped) messages.dropped += arrow.link.count;
      if (!arrow.link.is_bundle() && !bundle.params.is_none())
        arrow.payload_bytes = trace.params(bundle.params).payload.size();
      messages.arrows.push_back(arrow);
    }
    std::ranges::stable_sort(messages.arrows, {},
                             [](const MessageArrow& arrow) { return arrow.link.send; });
    for (const auto& [key, traffic] : bars_) {
      messages.bars.push_back(
          {key.cell, key.lane, traffic.sent, traffic.received, traffic.dropped});
      messages.dropped += traffic.dropped;
    }
    std::ranges::sort(messages.bars, {},
                      [](const TrafficBar& bar) { return std::pair(bar.cell, bar.lane); });
    messages.waiting = waiting_.finish();
    messages.in_bars = in_bars_;
    messages.on_hidden_lanes = on_hidden_lanes_;
    messages.filtered_out = filtered_out_;
    return messages;
  }

 private:
  static int64_t block_of(int64_t cell) { return cell >> kBlockCellsLevel; }

  static void join(MessageArrow& arrow, Time send, Time receive) {
    ++arrow.link.count;
    arrow.last_send = std::max(arrow.last_send, send);
    arrow.last_receive = std::max(arrow.last_receive, receive);
  }

  // Leaves what all rows together show as arrows.
  void compact() {
    std::map<int64_t, std::vector<Bundle>> blocks;
    for (Bundle& bundle : done_) blocks[block_of(bundle.home)].push_back(bundle);
    done_.clear();
    for (auto& [block, bundles] : blocks) {
      trim(bundles);
      done_.insert(done_.end(), bundles.begin(), bundles.end());
    }
    most_done_ = std::max(kMostDone, 2 * done_.size());
  }

  // Leaves what a block shows as arrows.
  void trim(std::vector<Bundle>& bundles) {
    const size_t most_arrows = grid_.bundles ? kBlockArrows : kMostSingles;
    if (bundles.size() <= most_arrows) return;
    std::ranges::sort(bundles, is_before);
    std::vector<size_t> counts;
    for (size_t i = 0; i < bundles.size(); ++i) {
      if (i == 0 || bundles[i].home != bundles[i - 1].home) counts.push_back(0);
      ++counts.back();
    }
    const size_t most = most_per_cell(std::move(counts), most_arrows);
    size_t kept = 0, in_cell = 0;
    int64_t cell = bundles.front().home;
    for (Bundle& bundle : bundles) {
      if (bundle.home != cell) in_cell = 0;
      cell = bundle.home;
      if (in_cell++ >= most) {
        add_to_bars(bundle);
      } else if (Bundle& place = bundles[kept++]; &place != &bundle) {
        place = bundle;
      }
    }
    bundles.resize(kept);
  }

  void add_to_bars(const Bundle& bundle) {
    const uint64_t count = bundle.arrow.link.count;
    in_bars_ += count;
    if (!bundle.source.is_none()) {
      Traffic& traffic = bars_[{bundle.send_cell, bundle.source}];
      traffic.sent += count;
      if (bundle.arrow.link.mark.is_dropped) traffic.dropped += count;
    }
    if (!bundle.target.is_none()) bars_[{bundle.receive_cell, bundle.target}].received += count;
  }

  MessageGrid grid_;
  const MessageRules* rules_;  // null: none
  WaitingCount waiting_;
  int64_t block_ = 0;
  std::vector<Bundle> open_;                               // of the row and block that is read
  FlatIndex<MessageBundleKey, MessageBundleHash> places_;  // of them
  std::vector<Bundle> done_;
  size_t most_done_ = kMostDone;
  std::unordered_map<BarKey, Traffic, BarHash> bars_;
  uint64_t in_bars_ = 0, on_hidden_lanes_ = 0, filtered_out_ = 0;
};

// A row of links and a part of the time of which its records are read.
struct Part {
  const Row* row;
  TimeRange range;
  bool is_before = false;  // the range: what begins there may pass over it
};

class Reader {
 public:
  Reader(const store::Trace& trace, const MessageGrid& grid, const ShownLanes& shown,
         const MessageFilter& filter, const std::stop_token& stop)
      : trace_(trace), grid_(grid), shown_(shown), filter_(filter), stop_(stop) {}

  std::vector<Part> parts() const {
    std::vector<Part> parts;
    const int64_t block = int64_t{1} << (grid_.level + kBlockCellsLevel);
    const int64_t blocks = std::max<int64_t>(1, grid_.range.length().ticks / block);
    const int64_t step = block * ((blocks + kMostParts - 1) / kMostParts);
    const bool reads_receives = needs_receives();
    for (const Row& row : trace_.rows()) {
      if (!aggregate::is_link(row.kind)) continue;
      if (row.kind == RowKind::kLinkIn && !reads_receives) continue;
      for (Time begin = grid_.range.begin; begin < grid_.range.end;
           begin = begin + Duration{step}) {
        const TimeRange range = {begin, std::min(begin + Duration{step}, grid_.range.end)};
        parts.push_back({&row, range});
      }
      if (row.kind != RowKind::kLinkOut || row.first_begin >= grid_.range.begin) continue;
      const Duration longest{aggregate::summarize(row, trace_.range()).longest};
      if (longest >= grid_.range.length())
        parts.push_back({&row, {grid_.range.begin - longest, grid_.range.begin}, true});
    }
    return parts;
  }

  void read(const Part& part, Gatherer& gatherer) {
    const aggregate::RowFilter* filter = nullptr;
    std::optional<aggregate::RowFilter> of_row;
    if (filter_.filter) filter = &of_row.emplace(filter_.filter->for_row(trace_, *part.row));
    static const MessageRules kNoRules;
    const MessageMarker marker(trace_, *part.row, filter_.rules ? *filter_.rules : kNoRules);
    trace_.for_each_block(*part.row, part.range, [&](std::span<const store::Record> records) {
      if (part.is_before && !may_read(records.size())) return false;
      for (const store::Record& record : records) {
        if (part.range.contains(record.begin)) take(part, record, filter, marker, gatherer);
      }
      return !stop_.stop_requested();
    });
    gatherer.finish_block();
  }

  bool is_passing_whole() const { return read_before_ <= kMostPassing; }

 private:
  // If all sends are in the range, and every message has one, receives add nothing.
  bool needs_receives() const {
    const TimeRange all = trace_.range();
    if (all.begin < grid_.range.begin || all.end >= grid_.range.end) return true;
    return query::has_links_without_send(trace_);
  }

  bool may_read(size_t records) { return (read_before_ += records) <= kMostPassing; }

  // Messages are read where they are sent; where they are received only if that is not in the
  // range.
  void take(const Part& part, const store::Record& record, const aggregate::RowFilter* filter,
            const MessageMarker& marker, Gatherer& gatherer) const {
    const LinkEnds ends = query::ends_of(part.row->kind, part.row->lane, record);
    if (part.row->kind == RowKind::kLinkIn) {
      if (ends.is_sent() && grid_.range.contains(ends.send)) return;
    } else if (part.is_before && (!ends.is_received() || ends.receive < grid_.range.end)) {
      return;
    }
    const bool passes = !filter || filter->passes(record);
    if (!passes && !filter_.keeps_rest) return gatherer.filter_out();
    const LaneId source = shown_as(ends.source), target = shown_as(ends.target);
    if (source.is_none() == ends.is_sent() || target.is_none() == ends.is_received())
      return gatherer.hide();
    gatherer.add(ends, source, target, record.params, marker.mark_of(record), !passes);
  }

  LaneId shown_as(LaneId lane) const {
    return lane.value() < shown_.size() ? shown_[lane.value()] : LaneId::none();
  }

  const store::Trace& trace_;
  const MessageGrid& grid_;
  const ShownLanes& shown_;
  const MessageFilter& filter_;
  const std::stop_token& stop_;
  std::atomic<uint64_t> read_before_ = 0;
};

}  // namespace

MessageGrid message_grid(const TimeScale& scale) {
  MessageGrid grid;
  // If ticks are wide, each is a cell: messages at different times become separate arrows.
  const double ticks = scale.ticks_per_px() * kMessageCellPx * kMinVisiblePx;
  while (grid.level < kMaxLevel - kBlockCellsLevel && std::ldexp(1.0, grid.level) < ticks)
    ++grid.level;
  const int block = grid.level + kBlockCellsLevel;
  const Time last = scale.view().end - Duration{1};
  grid.range = {time_of_column(column_of(scale.view().begin, block), block),
                time_of_column(column_of(last, block) + 1, block)};
  return grid;
}

std::optional<Messages> outline_of_messages(const store::Trace& trace, const MessageGrid& grid,
                                            const ShownLanes& shown, const MessageFilter& filter,
                                            const std::stop_token& stop) {
  const int64_t first = column_of(grid.range.begin, grid.level);
  const auto cells = static_cast<size_t>(column_of(grid.range.end, grid.level) - first);
  Messages outline;
  outline.grid = grid;
  outline.is_outline = true;
  std::unordered_map<BarKey, Traffic, BarHash> bars;
  std::vector<uint64_t> counts;
  for (const Row& row : trace.rows()) {
    if (!aggregate::is_link(row.kind)) continue;
    if (stop.stop_requested()) return std::nullopt;
    const LaneId lane = row.lane.value() < shown.size() ? shown[row.lane.value()] : LaneId::none();
    aggregate::Interval<int64_t> begins;
    if (filter.filter && !filter.keeps_rest) {
      const aggregate::RowFilter of_row = filter.filter->for_row(trace, row);
      if (of_row.passes_none()) continue;
      outline.is_bound |= !of_row.passes_all();
      begins = of_row.begin();
    }
    outline.is_bound |= lane.is_none();
    if (lane.is_none()) continue;
    counts.assign(cells, 0);
    aggregate::density(row, grid.range, counts);
    for (size_t i = 0; i < cells; ++i) {
      const int64_t cell = first + static_cast<int64_t>(i);
      const aggregate::Interval<int64_t> ticks = {time_of_column(cell, grid.level).ticks,
                                                  time_of_column(cell + 1, grid.level).ticks - 1};
      if (counts[i] == 0 || begins.both(ticks).is_empty()) continue;
      Traffic& traffic = bars[{cell, lane}];
      (row.kind == RowKind::kLinkOut ? traffic.sent : traffic.received) += counts[i];
    }
  }
  for (const auto& [key, traffic] : bars) {
    outline.bars.push_back({key.cell, key.lane, traffic.sent, traffic.received});
    outline.in_bars += traffic.sent;
  }
  std::ranges::sort(outline.bars, {},
                    [](const TrafficBar& bar) { return std::pair(bar.cell, bar.lane); });
  return outline;
}

uint64_t messages_sent_in(const store::Trace& trace, TimeRange range) {
  uint64_t count = 0;
  for (const Row& row : trace.rows()) {
    if (row.kind == RowKind::kLinkOut) aggregate::density(row, range, {&count, 1});
  }
  return count;
}

void join_runs(Messages& messages, const ShownLanes& shown, std::span<const TimeRange> open) {
  constexpr size_t kLeastRuns = 3;
  std::vector<MessageArrow>& arrows = messages.arrows;
  const auto as = [&](LaneId lane) {
    return lane.value() < shown.size() ? shown[lane.value()] : LaneId::none();
  };
  const auto is_alike = [&](const MessageArrow& a, const MessageArrow& b) {
    return as(a.link.source) == as(b.link.source) && as(a.link.target) == as(b.link.target) &&
           a.link.type == b.link.type && a.link.mark == b.link.mark && a.is_dim == b.is_dim;
  };
  // How often the `length` messages from `first` on follow each other.
  const auto runs_of = [&](size_t first, size_t length) {
    size_t end = first + length;
    while (end < arrows.size() && is_alike(arrows[end], arrows[end - length])) ++end;
    return (end - first) / length;
  };
  const auto is_open = [&](TimeRange sent) {
    return std::ranges::any_of(
        open, [&](TimeRange range) { return range.begin < sent.end && sent.begin < range.end; });
  };
  std::vector<MessageArrow> joined;
  for (size_t i = 0; i < arrows.size();) {
    size_t length = 1, runs = 1;  // what holds most messages; the shortest of those
    for (size_t tried = 1; tried <= std::min(kLongestExchange, arrows.size() - i); ++tried) {
      const size_t found = runs_of(i, tried);
      if (found >= kLeastRuns && found * tried > runs * length) length = tried, runs = found;
    }
    const size_t end = i + length * runs;
    const auto last =
        std::ranges::max_element(&arrows[i], &arrows[i] + (end - i), {}, &MessageArrow::last_send);
    const TimeRange sent = {arrows[i].link.send, last->last_send + Duration{1}};
    MessageRun run{joined.size(), length, length, runs, sent};
    run.is_open = runs > 1 && is_open(sent);
    if (run.is_open) run.arrows = end - i;
    for (size_t j = i; j < i + run.arrows; ++j) {
      MessageArrow& arrow = joined.emplace_back(arrows[j]);
      if (run.arrows < end - i) arrow.payload_bytes = 0;
      for (size_t again = j + run.arrows; again < end; again += length) {
        arrow.link.count += arrows[again].link.count;
        arrow.last_send = std::max(arrow.last_send, arrows[again].last_send);
        arrow.last_receive = std::max(arrow.last_receive, arrows[again].last_receive);
      }
    }
    if (runs > 1) messages.runs.push_back(run);
    i = end;
  }
  arrows = std::move(joined);
}

std::optional<Messages> messages_in(const store::Trace& trace, const MessageGrid& asked,
                                    const ShownLanes& shown, const MessageFilter& filter,
                                    const query::Work& work) {
  MessageGrid grid = asked;
  grid.bundles |= messages_sent_in(trace, grid.range) > kMostSingles;
  Reader reader(trace, grid, shown, filter, work.stop);
  const std::vector<Part> parts = reader.parts();
  Gatherer gathered =
      query::reduce(work, parts.size(), Gatherer(grid, shown.size(), filter.rules.get()),
                    [&](Gatherer& gatherer, size_t i) { reader.read(parts[i], gatherer); });
  if (work.stop.stop_requested()) return std::nullopt;
  Messages messages = gathered.finish(trace);
  messages.is_passing_whole = reader.is_passing_whole();
  return messages;
}

}  // namespace weft::layout

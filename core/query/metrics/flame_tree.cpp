#include "core/query/metrics/flame_tree.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/flat_index.h"
#include "core/query/reduce.h"
#include "core/query/windows.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;

// Figures of one path, or of a part of it.
void add(FlameNode& node, const FlameNode& more) {
  node.count += more.count;
  node.total = saturating_add(node.total, more.total);
  node.self = saturating_add(node.self, more.self);
  node.marked = saturating_add(node.marked, more.marked);
  node.min = std::min(node.min, more.min);
  node.max = std::max(node.max, more.max);
}

// One thread's share: its tree, and the states of the window being read.
class Stacks {
 public:
  Stacks(const store::Trace& trace, const Selection& selection, const Selection* marks)
      : trace_(&trace), selection_(&selection), marks_(marks) {}

  // The rows of a window are the states of one lane, outermost first.
  void read(const Window& window) {
    states_.clear();
    open_.clear();
    for (const Row& row : window.rows) read(row, window);
    std::ranges::sort(states_, [](const State& a, const State& b) {
      if (a.whole.begin != b.whole.begin) return a.whole.begin < b.whole.begin;
      return a.whole.end != b.whole.end ? a.whole.end > b.whole.end : a.depth < b.depth;
    });
    for (const State& state : states_) book(state);
  }

  void merge(const Stacks& other) { tree_.merge(other.tree_); }
  FlameTree finish() && {
    tree_.finish();
    return std::move(tree_);
  }

 private:
  struct State {
    int64_t begin;  // cut to the window, which adds up its own part
    int64_t end;
    TimeRange whole;
    int64_t length;  // cut to the range only
    EventTypeId type;
    uint32_t depth;
    bool is_owned;  // by this window: counted here
    bool is_marked;
  };
  struct Open {
    Time end;
    int64_t covered_until;  // by what it calls
    uint32_t node;
    bool is_marked;  // it, or what calls it

    bool runs_at(Time time) const { return end > time; }
    // One that began later.
    bool calls(const State& state) const {
      return runs_at(state.whole.begin) && end >= state.whole.end;
    }
  };

  void read(const Row& row, const Window& window) {
    const RowSelection events = selection_->of(*trace_, row);
    if (events.takes_nothing()) return;
    std::optional<RowSelection> marked;
    if (marks_ != nullptr) marked = marks_->of(*trace_, row);
    const TimeRange range = selection_->range;
    trace_->for_each_block(row, window.range, [&](std::span<const Record> block) {
      for (const Record& record : block) {
        if (!lies_in(row, record, window.range) || !events.takes(record)) continue;
        const Time end = record.end();
        states_.push_back({std::max(record.begin, window.range.begin).ticks,
                           std::min(end, window.range.end).ticks,
                           {record.begin, end},
                           (std::min(end, range.end) - std::max(record.begin, range.begin)).ticks,
                           record.type,
                           row.depth,
                           window.owns(record),
                           marked && marked->takes(record)});
      }
      return true;
    });
  }

  // Below the innermost state that all of it lies in, which is the same in every window. Where
  // states nest that is the last that still runs.
  void book(const State& state) {
    const Time begin = state.whole.begin;
    while (!open_.empty() && !open_.back().runs_at(begin)) open_.pop_back();
    if (!open_.empty() && !open_.back().calls(state))
      std::erase_if(open_, [&](const Open& each) { return !each.runs_at(begin); });
    const auto found = std::find_if(open_.rbegin(), open_.rend(),
                                    [&](const Open& each) { return each.calls(state); });
    Open* caller = found != open_.rend() ? &*found : nullptr;
    const uint32_t at = tree_.child(caller != nullptr ? caller->node : 0, state.type);
    FlameNode& node = tree_.edit(at);
    const int64_t length = std::max<int64_t>(0, saturating_sub(state.end, state.begin));
    node.total = saturating_add(node.total, length);
    node.self = saturating_add(node.self, length);
    const bool is_called_by_marked = caller != nullptr && caller->is_marked;
    if (state.is_marked) {
      node.marked = saturating_add(node.marked, length);
      FlameNode& root = tree_.edit(0);
      if (!is_called_by_marked) root.marked = saturating_add(root.marked, length);
    }
    if (state.is_owned) {
      ++node.count;
      node.min = std::min(node.min, state.length);
      node.max = std::max(node.max, state.length);
    }
    if (caller != nullptr) {
      const int64_t covered =
          saturating_sub(state.end, std::max(state.begin, caller->covered_until));
      FlameNode& node_above = tree_.edit(caller->node);
      node_above.self = saturating_sub(node_above.self, std::max<int64_t>(0, covered));
      caller->covered_until = std::max(caller->covered_until, state.end);
    }
    open_.push_back({state.whole.end, state.begin, at, state.is_marked || is_called_by_marked});
  }

  const store::Trace* trace_;
  const Selection* selection_;
  const Selection* marks_;  // null: nothing is marked
  FlameTree tree_;
  LargeVector<State> states_;
  std::vector<Open> open_;  // in order of begin; those that do not nest may have ended
};

bool is_among(std::span<const EventTypeId> types, EventTypeId type) {
  return std::ranges::find(types, type) != types.end();
}

}  // namespace

uint32_t FlameTree::child(uint32_t parent, EventTypeId type) {
  if (2 * (nodes_.size() + 1) > slots_.size()) grow();
  uint32_t& at = slots_[slot_of(parent, type)];
  if (at == 0) {
    at = static_cast<uint32_t>(nodes_.size());
    FlameNode node;
    node.type = type;
    node.parent = parent;
    node.depth = nodes_[parent].depth + 1;
    nodes_.push_back(node);
  }
  return at;
}

size_t FlameTree::slot_of(uint32_t parent, EventTypeId type) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = NumberHash()(static_cast<uint64_t>(parent) << 32 | type.value()) & mask;
  while (slots_[slot] != 0 &&
         (nodes_[slots_[slot]].parent != parent || nodes_[slots_[slot]].type != type))
    slot = (slot + 1) & mask;
  return slot;
}

void FlameTree::grow() {
  constexpr size_t kLeastSlots = 64;
  slots_.assign(std::max(kLeastSlots, 2 * slots_.size()), 0);
  for (uint32_t i = 1; i < nodes_.size(); ++i)
    slots_[slot_of(nodes_[i].parent, nodes_[i].type)] = i;
}

uint64_t FlameTree::size_bytes() const {
  return nodes_.capacity() * sizeof(FlameNode) +
         (slots_.capacity() + children_.capacity()) * sizeof(uint32_t);
}

void FlameTree::merge(const FlameTree& other) {
  nodes_.front().marked = saturating_add(nodes_.front().marked, other[0].marked);
  LargeVector<uint32_t> placed(other.nodes_.size());
  for (uint32_t i = 1; i < placed.size(); ++i) {
    placed[i] = child(placed[other[i].parent], other[i].type);
    add(nodes_[placed[i]], other[i]);
  }
}

void FlameTree::merge_below(const FlameTree& other, uint32_t from, uint32_t into) {
  // Without recursion: paths may be deep.
  std::vector<std::pair<uint32_t, uint32_t>> to_do = {{from, into}};
  while (!to_do.empty()) {
    const auto [source, target] = to_do.back();
    to_do.pop_back();
    for (const uint32_t of : other.children(source)) {
      const uint32_t at = child(target, other[of].type);
      add(nodes_[at], other[of]);
      to_do.emplace_back(of, at);
    }
  }
}

void FlameTree::finish() {
  slots_ = {};
  children_.resize(nodes_.size() - 1);
  for (uint32_t i = 1; i < nodes_.size(); ++i) ++nodes_[nodes_[i].parent].children;
  uint32_t before = 0;
  for (FlameNode& node : nodes_) {
    node.first_child = before;
    before += std::exchange(node.children, 0);
  }
  for (uint32_t i = 1; i < nodes_.size(); ++i) {
    FlameNode& parent = nodes_[nodes_[i].parent];
    children_[parent.first_child + parent.children++] = i;
  }
  for (const FlameNode& node : nodes_) {
    std::ranges::sort(std::span(children_).subspan(node.first_child, node.children),
                      [&](uint32_t a, uint32_t b) {
                        if (nodes_[a].total != nodes_[b].total)
                          return nodes_[a].total > nodes_[b].total;
                        return nodes_[a].type < nodes_[b].type;
                      });
  }
  FlameNode& root = nodes_.front();
  for (const uint32_t of : children(0)) {
    root.total = saturating_add(root.total, nodes_[of].total);
    root.count += nodes_[of].count;
  }
}

std::optional<FlameTree> flame_tree(const store::Trace& trace, const Selection& selection,
                                    const Work& work, const Selection* marks) {
  const std::vector<Window> windows = state_windows(trace, selection);
  const auto read = [&](Stacks& stacks, size_t i) { stacks.read(windows[i]); };
  FlameTree tree = reduce(work, windows.size(), Stacks(trace, selection, marks), read).finish();
  if (work.stop.stop_requested()) return std::nullopt;
  return tree;
}

FlameTree callees_of(const FlameTree& tree, std::span<const EventTypeId> types) {
  FlameTree callees;
  for (uint32_t i = 1; i < tree.nodes().size(); ++i) {
    if (!is_among(types, tree[i].type)) continue;
    const uint32_t top = callees.child(0, tree[i].type);
    add(callees.edit(top), tree[i]);
    callees.merge_below(tree, i, top);
  }
  callees.finish();
  return callees;
}

FlameTree callers_of(const FlameTree& tree, std::span<const EventTypeId> types) {
  FlameTree callers;
  for (uint32_t i = 1; i < tree.nodes().size(); ++i) {
    if (!is_among(types, tree[i].type)) continue;
    uint32_t at = callers.child(0, tree[i].type);
    add(callers.edit(at), tree[i]);
    for (uint32_t caller = tree[i].parent; caller != 0; caller = tree[caller].parent) {
      at = callers.child(at, tree[caller].type);
      add(callers.edit(at), tree[i]);
    }
  }
  callers.finish();
  return callers;
}

}  // namespace weft::query

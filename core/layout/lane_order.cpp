#include "core/layout/lane_order.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "core/base/ascii.h"

namespace weft::layout {
namespace {

// Sums over a lane and its descendants, for sorting and hiding.
struct LaneSums {
  int64_t busy = 0;
  uint64_t events = 0;
  Time first = Time::max();

  void add(const LaneSums& other) {
    busy = saturating_add(busy, other.busy);
    events += other.events;
    first = std::min(first, other.first);
  }
};

bool is_seen(const LaneArrangement& arrangement, size_t row) {
  return !arrangement.hides_empty || has_row(arrangement.passing, row);
}

// Lanes that count as having events without any: one has lost what it had, a signal stays 0.
template <class Body>
void each_silent(const trace::Dictionary& dictionary, const Body& body) {
  for (uint32_t i = 0; i < dictionary.lanes.size(); ++i) {
    if (dictionary.lanes[i].kind == trace::LaneKind::kCounter) body(LaneId(i));
  }
  for (const trace::Loss& loss : dictionary.report.losses()) {
    for (const trace::LossPlace& place : loss.first) body(place.lane);
  }
}

// Lanes and groups go by their slot in the forest.
class Arranger {
 public:
  Arranger(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
           const LaneArrangement& arrangement)
      : arrangement_(arrangement),
        forest_(dictionary,
                arrangement.is_flat ? std::span<const LaneGroup>() : arrangement.groups),
        own_events_(forest_.slots()),
        sums_(forest_.slots()),
        is_shown_(forest_.slots(), true) {
    link_children();
    sum_up(rows);
    if (!arrangement.hides_empty) {
      each_silent(dictionary, [this](LaneId lane) {
        if (is_there(lane)) sums_[forest_.slot(lane)].events += 1;
      });
    }
    add_to_parents();
    hide(dictionary);
  }

  LaneOrder arrange() {
    LaneOrder result;
    for (const LaneId lane : arrangement_.pinned) {
      if (is_there(lane)) walk(lane, 0, result.pinned);
    }
    for (const LaneId lane : arrangement_.pinned) {
      if (is_there(lane)) is_shown_[forest_.slot(lane)] = false;
    }
    for (const LaneId root : siblings(LaneId::none())) walk(root, 0, result.lanes);
    if (arrangement_.is_flat) flatten(result.lanes);
    const auto is_lane = [](LaneId lane) { return !is_group(lane); };
    const auto all = std::ranges::count_if(forest_.order(), is_lane);
    const auto shown = std::ranges::count_if(result.lanes, is_lane, &ArrangedLane::lane) +
                       std::ranges::count_if(result.pinned, is_lane, &ArrangedLane::lane);
    result.left_out = static_cast<uint32_t>(all - std::min(all, shown));
    result.eventless = std::min(eventless_, result.left_out);
    result.finds_any = finds_any_;
    return result;
  }

 private:
  bool is_there(LaneId lane) const { return forest_.slot(lane) < forest_.slots(); }
  // Roots lie behind all others.
  size_t slot_of_parent(LaneId lane) const { return forest_.slot(forest_.parent(lane)); }

  // The children of slot i lie at [child_begin_[i], child_begin_[i + 1]), in the trace's order.
  void link_children() {
    const std::span<const LaneId> order = forest_.order();
    child_begin_.assign(forest_.slots() + 2, 0);
    for (const LaneId lane : order) ++child_begin_[slot_of_parent(lane) + 1];
    for (size_t i = 1; i < child_begin_.size(); ++i) child_begin_[i] += child_begin_[i - 1];
    children_.resize(order.size());
    std::vector<uint32_t> next(child_begin_.begin(), child_begin_.end() - 1);
    for (const LaneId lane : order) children_[next[slot_of_parent(lane)]++] = lane;
    for (const LaneMove& move : arrangement_.moves) {
      if (is_there(move.lane)) moves_[slot_of_parent(move.lane)].push_back(move);
    }
  }

  void sum_up(std::span<const store::Row> rows) {
    for (size_t i = 0; i < rows.size(); ++i) {
      const store::Row& row = rows[i];
      if (!is_there(row.lane) || row.count == 0 || !is_seen(arrangement_, i)) continue;
      own_events_[forest_.slot(row.lane)] += row.count;
      sums_[forest_.slot(row.lane)].add({row.busy, row.count, row.first_begin});
    }
  }

  void add_to_parents() {
    const std::span<const LaneId> order = forest_.order();
    for (size_t i = order.size(); i-- > 0;) {  // children before their parents
      const size_t parent = slot_of_parent(order[i]);
      if (parent < sums_.size()) sums_[parent].add(sums_[forest_.slot(order[i])]);
    }
  }

  void hide(const trace::Dictionary& dictionary) {
    for (const LaneId lane : arrangement_.hidden) {
      if (is_there(lane)) is_shown_[forest_.slot(lane)] = false;
    }
    const auto has_events = [](const LaneSums& sums) { return sums.events > 0; };
    const bool is_whole_empty = std::ranges::none_of(sums_, has_events);
    if (arrangement_.hides_empty || (!arrangement_.shows_eventless && !is_whole_empty)) {
      for (const LaneId lane : forest_.order()) {
        const size_t slot = forest_.slot(lane);
        if (!is_shown_[slot] || has_events(sums_[slot])) continue;
        is_shown_[slot] = false;
        if (!arrangement_.hides_empty && !is_group(lane)) ++eventless_;
      }
    }
    if (!arrangement_.filter.empty()) hide_unmatched(dictionary);
  }

  // A lane stays where its path in the trace, or the name of a group that it is in, holds all
  // words, or those of a lane below do that is shown. What is pinned stays, whatever its name.
  void hide_unmatched(const trace::Dictionary& dictionary) {
    const std::vector<std::string> words = words_of(lower_case(arrangement_.filter));
    const std::span<const LaneId> order = forest_.order();
    const LaneForest as_in_trace(dictionary, {});
    std::vector<std::string> paths(as_in_trace.slots());
    for (const LaneId lane : as_in_trace.order()) {
      const LaneId parent = as_in_trace.parent(lane);
      if (!parent.is_none()) paths[lane.value()] = paths[parent.value()] + '/';
      paths[lane.value()] += lower_case(as_in_trace.name(lane));
    }
    std::vector<std::string> groups(forest_.slots());  // names of those it is in
    std::vector<bool> is_matched(forest_.slots());
    for (const LaneId lane : order) {
      const size_t slot = forest_.slot(lane), parent = slot_of_parent(lane);
      if (parent < forest_.slots()) groups[slot] = groups[parent];
      if (is_group(lane)) groups[slot] += lower_case(forest_.name(lane)) + '/';
      const std::string path = groups[slot] + (is_group(lane) ? "" : paths[slot]);
      is_matched[slot] = std::ranges::all_of(
          words, [&](const std::string& word) { return path.find(word) != std::string::npos; });
    }
    finds_any_ =
        std::ranges::any_of(order, [&](LaneId lane) { return is_matched[forest_.slot(lane)]; });
    const std::vector<bool> is_pinned = pinned_with_below();
    for (size_t i = order.size(); i-- > 0;) {
      const size_t slot = forest_.slot(order[i]), parent = slot_of_parent(order[i]);
      if (is_pinned[slot]) continue;
      if (!is_matched[slot]) is_shown_[slot] = false;
      if (is_shown_[slot] && parent < forest_.slots()) is_matched[parent] = true;
    }
  }

  std::vector<bool> pinned_with_below() const {
    std::vector<bool> is_pinned(forest_.slots());
    for (const LaneId lane : arrangement_.pinned) {
      if (is_there(lane)) is_pinned[forest_.slot(lane)] = true;
    }
    for (const LaneId lane : forest_.order()) {  // parents before their children
      const size_t parent = slot_of_parent(lane);
      if (parent < forest_.slots() && is_pinned[parent]) is_pinned[forest_.slot(lane)] = true;
    }
    return is_pinned;
  }

  static std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (size_t at = text.find_first_not_of(' '); at != std::string::npos;) {
      const size_t end = std::min(text.size(), text.find(' ', at));
      words.push_back(text.substr(at, end - at));
      at = text.find_first_not_of(' ', end);
    }
    return words;
  }

  std::vector<LaneId> siblings(LaneId parent) const {
    const size_t slot = forest_.slot(parent);
    std::vector<LaneId> lanes(children_.begin() + child_begin_[slot],
                              children_.begin() + child_begin_[slot + 1]);
    sort(lanes);
    if (const auto moves = moves_.find(slot); moves != moves_.end()) {
      for (const LaneMove& move : moves->second) apply(move, lanes);
    }
    return lanes;
  }

  void sort(std::vector<LaneId>& lanes) const {
    const auto sums = [&](LaneId lane) -> const LaneSums& { return sums_[forest_.slot(lane)]; };
    switch (arrangement_.sort) {
      case LaneSort::kTrace:
        break;
      case LaneSort::kName:
        std::ranges::stable_sort(lanes, [&](LaneId a, LaneId b) {
          return is_name_before(forest_.name(a), forest_.name(b));
        });
        break;
      case LaneSort::kActivity:
        std::ranges::stable_sort(lanes, [&](LaneId a, LaneId b) {
          return std::tie(sums(a).busy, sums(a).events) > std::tie(sums(b).busy, sums(b).events);
        });
        break;
      case LaneSort::kFirstEvent:
        std::ranges::stable_sort(lanes, {}, [&](LaneId lane) { return sums(lane).first; });
        break;
    }
  }

  static void apply(const LaneMove& move, std::vector<LaneId>& lanes) {
    const auto from = std::ranges::find(lanes, move.lane);
    if (from == lanes.end()) return;
    const bool has_target = std::ranges::find(lanes, move.before) != lanes.end();
    if (move.lane == move.before || (!has_target && !move.before.is_none())) return;
    lanes.erase(from);
    lanes.insert(std::ranges::find(lanes, move.before), move.lane);
  }

  // Depth first, without recursion: names come from files, and so does their depth.
  void walk(LaneId root, uint16_t depth, std::vector<ArrangedLane>& out) const {
    std::vector<ArrangedLane> stack = {{root, depth}};
    while (!stack.empty()) {
      const ArrangedLane next = stack.back();
      stack.pop_back();
      if (!is_shown_[forest_.slot(next.lane)]) continue;
      out.push_back(next);
      const uint16_t below = next.depth == std::numeric_limits<uint16_t>::max()
                                 ? next.depth
                                 : static_cast<uint16_t>(next.depth + 1);
      const std::vector<LaneId> lanes = siblings(next.lane);
      for (size_t i = lanes.size(); i-- > 0;) stack.push_back({lanes[i], below});
    }
  }

  void flatten(std::vector<ArrangedLane>& arranged) const {
    std::vector<LaneId> lanes;
    for (const ArrangedLane& lane : arranged) {
      if (own_events_[forest_.slot(lane.lane)] > 0) lanes.push_back(lane.lane);
    }
    sort(lanes);
    for (const LaneMove& move : arrangement_.moves) apply(move, lanes);
    arranged.clear();
    for (const LaneId lane : lanes) arranged.push_back({lane, 0});
  }

  const LaneArrangement& arrangement_;
  LaneForest forest_;
  std::vector<uint64_t> own_events_;
  std::vector<LaneSums> sums_;
  std::vector<bool> is_shown_;
  uint32_t eventless_ = 0;
  bool finds_any_ = true;
  std::vector<uint32_t> child_begin_;
  std::vector<LaneId> children_;
  std::map<size_t, std::vector<LaneMove>> moves_;  // by slot of the parent
};

constexpr std::array<std::string_view, 4> kSortNames = {"trace", "name", "activity", "first"};

}  // namespace

std::string_view name_of(LaneSort sort) { return kSortNames[static_cast<size_t>(sort)]; }

std::optional<LaneSort> lane_sort_from_name(std::string_view name) {
  const auto found = std::ranges::find(kSortNames, name);
  if (found == kSortNames.end()) return std::nullopt;
  return static_cast<LaneSort>(found - kSortNames.begin());
}

LaneOrder arrange_lanes(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
                        const LaneArrangement& arrangement) {
  return Arranger(dictionary, rows, arrangement).arrange();
}

bool has_eventless(const trace::Dictionary& dictionary, std::span<const store::Row> rows) {
  std::vector<bool> has_events(dictionary.lanes.size());
  const auto mark = [&](LaneId lane) {
    for (; lane.value() < has_events.size() && !has_events[lane.value()];
         lane = dictionary.lane(lane).parent)
      has_events[lane.value()] = true;
  };
  for (const store::Row& row : rows) {
    if (row.count > 0) mark(row.lane);
  }
  each_silent(dictionary, mark);
  return std::ranges::find(has_events, true) != has_events.end() &&
         std::ranges::find(has_events, false) != has_events.end();
}

LanePlace place_of_lane(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
                        const LaneArrangement& arrangement, LaneId lane) {
  const LaneForest forest(dictionary, arrangement.groups);
  LanePlace place;
  // Bounded by the number of lanes: a broken trace must not cause an endless loop.
  for (LaneId at = lane; place.path.size() < forest.slots() && !at.is_none();) {
    place.path.push_back(at);
    at = forest.parent(at);
  }
  const LaneOrder order = arrange_lanes(dictionary, rows, arrangement);
  const auto has = [lane](const std::vector<ArrangedLane>& lanes) {
    return std::ranges::find(lanes, lane, &ArrangedLane::lane) != lanes.end();
  };
  place.is_shown = has(order.lanes) || has(order.pinned);
  return place;
}

bool is_name_before(std::string_view a, std::string_view b) {
  size_t i = 0, k = 0;
  while (i < a.size() && k < b.size()) {
    if (is_digit(a[i]) && is_digit(b[k])) {
      const auto number = [](std::string_view text, size_t& at) {
        while (at < text.size() && text[at] == '0') ++at;
        const size_t begin = at;
        while (at < text.size() && is_digit(text[at])) ++at;
        return text.substr(begin, at - begin);
      };
      const std::string_view x = number(a, i), y = number(b, k);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      continue;
    }
    const auto x = static_cast<unsigned char>(to_lower(a[i++]));
    const auto y = static_cast<unsigned char>(to_lower(b[k++]));
    if (x != y) return x < y;
  }
  return a.size() - i < b.size() - k;
}

}  // namespace weft::layout

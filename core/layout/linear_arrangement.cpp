#include "core/layout/linear_arrangement.h"

#include <algorithm>
#include <numeric>

namespace weft::layout {

LinearArrangement::LinearArrangement(const MessageGraph& graph)
    : neighbours_(graph.nodes), places_(graph.nodes), pull_(graph.nodes), weights_(graph.nodes) {
  for (const auto& [a, b, messages] : graph.edges) {
    neighbours_[a].push_back({b, messages});
    neighbours_[b].push_back({a, messages});
  }
}

void LinearArrangement::set_order(std::span<const uint32_t> order) {
  nodes_.assign(order.begin(), order.end());
  for (size_t place = 0; place < nodes_.size(); ++place) places_[nodes_[place]] = place;
  length_ = 0;
  for (uint32_t node = 0; node < nodes_.size(); ++node) {
    pull_[node] = 0;
    for (const auto& [other, messages] : neighbours_[node]) {
      const double way = static_cast<double>(places_[other]) - static_cast<double>(places_[node]);
      pull_[node] += way > 0 ? messages : -messages;
      if (way > 0) length_ += way * messages;
    }
  }
}

// A moving node swaps places with each node it passes. Swapping v with its right neighbour u, with
// w messages between them, adds pull(u) - pull(v) + 2 w to the length, and subtracts 2 w from
// pull(v).
LinearArrangement::Move LinearArrangement::best_move(uint32_t node) const {
  const size_t from = places_[node];
  Move best{from, 0};
  for (const double side : {1.0, -1.0}) {
    const bool goes_right = side > 0;
    double pull = pull_[node];
    double longer = 0;
    size_t place = from;
    while (goes_right ? place + 1 < nodes_.size() : place > 0) {
      place = goes_right ? place + 1 : place - 1;
      const uint32_t passed = nodes_[place];
      const double messages = weights_[passed];
      longer += side * (pull_[passed] - pull) + 2 * messages;
      pull -= side * 2 * messages;
      if (-longer > best.gain) best = {place, -longer};
    }
  }
  return best;
}

void LinearArrangement::move(uint32_t node, size_t to) {
  const size_t from = places_[node];
  const double side = to > from ? 1 : -1;
  for (size_t place = from; place != to;) {
    const size_t next = to > from ? place + 1 : place - 1;
    const uint32_t passed = nodes_[next];
    pull_[passed] += side * 2 * weights_[passed];
    pull_[node] -= side * 2 * weights_[passed];
    nodes_[place] = passed;
    places_[passed] = place;
    place = next;
  }
  nodes_[to] = node;
  places_[node] = to;
}

bool LinearArrangement::improve(std::mt19937_64& random) {
  constexpr double kLeastGain = 1e-9;  // less is rounding
  std::vector<uint32_t> turns(nodes_.size());
  std::iota(turns.begin(), turns.end(), 0);
  std::shuffle(turns.begin(), turns.end(), random);
  const double before = length_;
  for (const uint32_t node : turns) {
    for (const auto& [other, messages] : neighbours_[node]) weights_[other] = messages;
    const Move best = best_move(node);
    if (best.gain > kLeastGain * std::max(1.0, length_)) {
      move(node, best.to);
      length_ -= best.gain;
    }
    for (const auto& [other, messages] : neighbours_[node]) weights_[other] = 0;
  }
  return length_ < before;
}

void LinearArrangement::disturb(std::mt19937_64& random) {
  const size_t n = nodes_.size();
  std::vector<uint32_t> order(nodes_);
  const size_t longest = std::max<size_t>(2, n / 4);
  for (int i = 0; i < 2; ++i) {
    const size_t length = 2 + random() % longest;
    if (length > n) continue;
    const auto first = order.begin() + static_cast<ptrdiff_t>(random() % (n - length + 1));
    const auto middle = first + 1 + static_cast<ptrdiff_t>(random() % (length - 1));
    const auto last = first + static_cast<ptrdiff_t>(length);
    std::rotate(first, middle, last);
    if (random() % 2 == 0) std::reverse(first, last);
  }
  set_order(order);
}

}  // namespace weft::layout

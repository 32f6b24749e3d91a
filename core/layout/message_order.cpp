#include "core/layout/message_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <experimental/simd>
#include <future>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "core/layout/linear_arrangement.h"

namespace weft::layout {
namespace {

constexpr std::array<std::pair<MessageOrder, std::string_view>, 4> kNames = {
    {{MessageOrder::kFirst, "first"},
     {MessageOrder::kGroups, "groups"},
     {MessageOrder::kForce, "force"},
     {MessageOrder::kShort, "short"}}};

// Fixed, so that every run gives the same order.
constexpr uint64_t kSeed = 1;

std::vector<uint32_t> as_they_appear(uint32_t nodes) {
  std::vector<uint32_t> order(nodes);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// The group of each node, numbered in order of their first nodes.
std::vector<uint32_t> groups_of(const MessageGraph& graph) {
  std::vector<uint32_t> root = as_they_appear(graph.nodes);
  const auto root_of = [&](uint32_t node) {
    while (root[node] != node) node = root[node] = root[root[node]];
    return node;
  };
  for (const auto& edge : graph.edges) {
    const auto [low, high] = std::minmax({root_of(edge.a), root_of(edge.b)});
    root[high] = low;
  }
  for (uint32_t node = 0; node < graph.nodes; ++node) root[node] = root_of(node);
  return root;
}

std::vector<uint32_t> order_by_groups(const MessageGraph& graph) {
  std::vector<uint32_t> order = as_they_appear(graph.nodes);
  const std::vector<uint32_t> groups = groups_of(graph);
  std::ranges::stable_sort(order, {}, [&](uint32_t node) { return groups[node]; });
  return order;
}

// Nodes by their positions on a line; equal ones as they appear.
template <class T>
std::vector<uint32_t> order_by_position(const std::vector<T>& positions) {
  std::vector<uint32_t> order = as_they_appear(static_cast<uint32_t>(positions.size()));
  std::ranges::stable_sort(order, {}, [&](uint32_t node) { return positions[node]; });
  return order;
}

// --- Springs -------------------------------------------------------------------------------------

namespace stdx = std::experimental;
using Floats = stdx::native_simd<float>;

constexpr float kNearest = 1e-3f;  // forces are finite

// Adds the repulsion on each node: every pair is visited once, several pairs at a time. Both arrays
// extend Floats::size() values beyond the last node: nodes at infinity, which push nobody.
void push_apart(std::span<const float> x, std::span<float> force) {
  constexpr float kRepulsion = 1;  // c3 of the thesis
  const size_t n = x.size() - Floats::size();
  for (size_t i = 0; i < n; ++i) {
    const Floats here = x[i];
    Floats sum = 0;
    for (size_t j = i + 1; j < n; j += Floats::size()) {
      const Floats way = Floats(&x[j], stdx::element_aligned) - here;
      const Floats distance = stdx::max(stdx::abs(way), Floats(kNearest));
      const Floats push = stdx::copysign(kRepulsion / stdx::sqrt(distance), way);
      (Floats(&force[j], stdx::element_aligned) + push).copy_to(&force[j], stdx::element_aligned);
      sum += push;
    }
    force[i] -= stdx::reduce(sum);
  }
}

std::vector<uint32_t> order_by_force(const MessageGraph& graph) {
  // c1, ce, c2 and c4 of the thesis.
  constexpr float kSpring = 2, kStiffness = 0.05f, kRest = 1, kStep = 0.1f;
  constexpr int kSteps = 1000;
  const size_t n = graph.nodes;
  const auto width = static_cast<float>(n);
  std::mt19937_64 random(kSeed);
  std::vector<float> x(n + Floats::size(), std::numeric_limits<float>::infinity());
  std::vector<float> force(x.size());
  for (size_t i = 0; i < n; ++i) x[i] = std::ldexp(static_cast<float>(random() >> 40), -24) * width;
  for (int step = 0; step < kSteps; ++step) {
    std::ranges::fill(force, 0.0f);
    push_apart(x, force);
    for (const auto& [a, b, messages] : graph.edges) {
      const float way = x[b] - x[a];
      const float distance = std::max(kNearest, std::abs(way));
      const float strength = kSpring + static_cast<float>(messages) * kStiffness;
      const float pull = std::copysign(strength, way) * std::log(distance / kRest);
      force[a] += pull;
      force[b] -= pull;
    }
    // Stiff springs would throw nodes away.
    for (size_t i = 0; i < n; ++i) x[i] += std::clamp(kStep * force[i], -width, width);
  }
  x.resize(n);
  return order_by_position(x);
}

// --- Short ---------------------------------------------------------------------------------------

// Orders by the eigenvector of the Laplacian's second smallest eigenvalue: the power method on the
// mirrored spectrum, without the constant vector, which belongs to the smallest.
std::vector<uint32_t> order_by_spectrum(const MessageGraph& graph) {
  constexpr int kSteps = 300;
  const size_t n = graph.nodes;
  std::vector<double> degree(n), x(n), next(n);
  for (const auto& [a, b, messages] : graph.edges) {
    degree[a] += messages;
    degree[b] += messages;
  }
  const double mirror = 2 * *std::ranges::max_element(degree);
  std::iota(x.begin(), x.end(), 0.0);
  for (int step = 0; step < kSteps; ++step) {
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(n);
    double square = 0;
    for (double& value : x) {
      value -= mean;
      square += value * value;
    }
    if (square == 0) break;
    for (double& value : x) value /= std::sqrt(square);
    for (size_t i = 0; i < n; ++i) next[i] = (mirror - degree[i]) * x[i];
    for (const auto& [a, b, messages] : graph.edges) {
      next[a] += messages * x[b];
      next[b] += messages * x[a];
    }
    x.swap(next);
  }
  return order_by_position(x);
}

// Node by node from the left: an order's length is what crosses each gap between neighbours, summed
// up, and what crosses a gap depends only on which nodes stand left of it. So the best order of a
// set ends with the node whose removal leaves the best order of the rest. (Held and Karp 1962, for
// other sums.)
std::vector<uint32_t> shortest(const MessageGraph& graph) {
  const uint32_t n = graph.nodes;
  std::vector<std::vector<double>> messages(n, std::vector<double>(n));
  for (const auto& [a, b, count] : graph.edges) messages[a][b] = messages[b][a] = count;
  const uint32_t all = (1u << n) - 1;
  std::vector<double> crossing(all + 1), length(all + 1);  // by set: of its gap; up to it
  std::vector<uint8_t> last(all + 1);
  for (uint32_t set = 1; set <= all; ++set) {
    const auto low = static_cast<uint32_t>(std::countr_zero(set));
    crossing[set] = crossing[set & (set - 1)];
    for (uint32_t node = 0; node < n; ++node)
      crossing[set] += (set >> node & 1) != 0 ? -messages[low][node] : messages[low][node];
    length[set] = std::numeric_limits<double>::infinity();
    for (uint32_t node = 0; node < n; ++node) {
      if ((set >> node & 1) == 0 || length[set ^ 1u << node] >= length[set]) continue;
      length[set] = length[set ^ 1u << node];
      last[set] = static_cast<uint8_t>(node);
    }
    length[set] += crossing[set];
  }
  std::vector<uint32_t> order(n);
  for (uint32_t set = all, place = n; place-- > 0; set ^= 1u << order[place])
    order[place] = last[set];
  return order;
}

// For a connected graph.
std::vector<uint32_t> shortest_known(const MessageGraph& graph) {
  constexpr uint64_t kMoves = 300'000'000;  // places looked at, in all
  constexpr int kIdleRounds = 24;           // that helped no more
  if (graph.nodes <= kMostExactNodes) return shortest(graph);
  std::mt19937_64 random(kSeed);
  LinearArrangement arrangement(graph);
  const uint64_t pass = uint64_t{graph.nodes} * graph.nodes;
  uint64_t looked_at = 0;
  std::vector<uint32_t> best;
  double best_length = 0;
  const auto descend = [&] {
    while (arrangement.improve(random) && looked_at < kMoves) looked_at += pass;
    looked_at += pass;
    if (!best.empty() && arrangement.length() >= best_length) return;
    best.assign(arrangement.order().begin(), arrangement.order().end());
    best_length = arrangement.length();
  };
  const auto descend_from = [&](const std::vector<uint32_t>& start) {
    arrangement.set_order(start);
    descend();
  };
  // Runs concurrently: it takes as long as the two other starts and needs nothing from them.
  std::future<std::vector<uint32_t>> by_force;
  if (graph.nodes <= kMostForceNodes)
    by_force = std::async(std::launch::async, [&graph] { return order_by_force(graph); });
  descend_from(order_by_spectrum(graph));
  descend_from(as_they_appear(graph.nodes));
  if (by_force.valid()) descend_from(by_force.get());
  for (int idle = 0; idle < kIdleRounds && looked_at < kMoves; ++idle) {
    const double before = best_length;
    arrangement.set_order(best);
    arrangement.disturb(random);
    descend();
    if (best_length < before) idle = -1;
  }
  return best;
}

// Group by group: what is best for one does not depend on the others. An order is as short from its
// other end: it begins with the end that appears first, which is mostly where messages come from.
std::vector<uint32_t> order_short(const MessageGraph& graph) {
  const std::vector<uint32_t> groups = groups_of(graph);
  std::vector<uint32_t> order;
  std::vector<uint32_t> number(graph.nodes);  // of a node in its group
  std::vector<std::vector<uint32_t>> members(graph.nodes);
  for (uint32_t node = 0; node < graph.nodes; ++node) {
    number[node] = static_cast<uint32_t>(members[groups[node]].size());
    members[groups[node]].push_back(node);
  }
  std::vector<std::vector<MessageGraph::Edge>> edges(graph.nodes);
  for (const auto& [a, b, messages] : graph.edges)
    edges[groups[a]].push_back({number[a], number[b], messages});
  for (uint32_t group = 0; group < graph.nodes; ++group) {
    if (members[group].empty()) continue;
    const MessageGraph part{static_cast<uint32_t>(members[group].size()), std::move(edges[group])};
    std::vector<uint32_t> nodes = shortest_known(part);
    if (nodes.back() < nodes.front()) std::ranges::reverse(nodes);
    for (const uint32_t node : nodes) order.push_back(members[group][node]);
  }
  return order;
}

}  // namespace

std::string_view name_of(MessageOrder order) {
  return std::ranges::find(kNames, order, &std::pair<MessageOrder, std::string_view>::first)
      ->second;
}
std::optional<MessageOrder> message_order_from_name(std::string_view name) {
  const auto at =
      std::ranges::find(kNames, name, &std::pair<MessageOrder, std::string_view>::second);
  return at == kNames.end() ? std::nullopt : std::optional(at->first);
}

std::vector<uint32_t> order_nodes(const MessageGraph& graph, MessageOrder order) {
  switch (order) {
    case MessageOrder::kFirst:
      return as_they_appear(graph.nodes);
    case MessageOrder::kGroups:
      return order_by_groups(graph);
    case MessageOrder::kForce:
      return order_by_force(graph);
    case MessageOrder::kShort:
      break;
  }
  return order_short(graph);
}

double total_length(const MessageGraph& graph, std::span<const uint32_t> order) {
  std::vector<double> place(order.size());
  for (size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<double>(i);
  double length = 0;
  for (const auto& [a, b, messages] : graph.edges)
    length += messages * std::abs(place[a] - place[b]);
  return length;
}

}  // namespace weft::layout

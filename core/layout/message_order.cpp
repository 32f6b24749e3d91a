#include "core/layout/message_order.h"

#include <algorithm>
#include <array>
#include <cmath>
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

// The same in every run.
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
std::vector<uint32_t> order_by_position(const std::vector<double>& positions) {
  std::vector<uint32_t> order = as_they_appear(static_cast<uint32_t>(positions.size()));
  std::ranges::stable_sort(order, {}, [&](uint32_t node) { return positions[node]; });
  return order;
}

// --- Springs -------------------------------------------------------------------------------------

std::vector<uint32_t> order_by_force(const MessageGraph& graph) {
  // c1, ce, c2, c3 and c4 of the thesis.
  constexpr double kSpring = 2, kStiffness = 0.05, kRest = 1, kRepulsion = 1, kStep = 0.1;
  constexpr int kSteps = 1000;
  constexpr double kNearest = 1e-3;  // forces are finite
  const size_t n = graph.nodes;
  const auto width = static_cast<double>(n);
  std::mt19937_64 random(kSeed);
  std::vector<double> x(n), force(n);
  for (double& position : x)
    position = std::ldexp(static_cast<double>(random() >> 11), -53) * width;
  const auto pull = [&](size_t i, size_t j, double strength) {  // towards each other
    const double side = x[i] <= x[j] ? 1 : -1;
    force[i] += side * strength;
    force[j] -= side * strength;
  };
  const auto distance = [&](size_t i, size_t j) {
    return std::max(kNearest, std::abs(x[i] - x[j]));
  };
  for (int step = 0; step < kSteps; ++step) {
    std::ranges::fill(force, 0);
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = i + 1; j < n; ++j) pull(i, j, -kRepulsion / std::sqrt(distance(i, j)));
    }
    for (const auto& [a, b, messages] : graph.edges)
      pull(a, b, (kSpring + messages * kStiffness) * std::log(distance(a, b) / kRest));
    // Stiff springs would throw nodes away.
    for (size_t i = 0; i < n; ++i) x[i] += std::clamp(kStep * force[i], -width, width);
  }
  return order_by_position(x);
}

// --- Short ---------------------------------------------------------------------------------------

// By the eigenvector of the Laplacian's second smallest eigenvalue: the power method on its
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

// Of a graph that hangs together.
std::vector<uint32_t> shortest_known(const MessageGraph& graph) {
  constexpr uint32_t kForceNodes = 256;    // springs cost too much for more
  constexpr uint64_t kMoves = 40'000'000;  // places looked at, in all
  constexpr int kIdleRounds = 24;          // that helped no more
  if (graph.nodes <= 2) return as_they_appear(graph.nodes);
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
  std::vector<std::vector<uint32_t>> starts = {order_by_spectrum(graph),
                                               as_they_appear(graph.nodes)};
  if (graph.nodes <= kForceNodes) starts.push_back(order_by_force(graph));
  for (const std::vector<uint32_t>& start : starts) {
    arrangement.set_order(start);
    descend();
  }
  for (int idle = 0; idle < kIdleRounds && looked_at < kMoves; ++idle) {
    const double before = best_length;
    arrangement.set_order(best);
    arrangement.disturb(random);
    descend();
    if (best_length < before) idle = -1;
  }
  return best;
}

// Group by group: what is best for one does not depend on the others.
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
    for (const uint32_t node : shortest_known(part)) order.push_back(members[group][node]);
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

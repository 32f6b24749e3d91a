#include "core/layout/message_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

namespace weft::layout {
namespace {

constexpr MessageOrder kAll[] = {MessageOrder::kFirst, MessageOrder::kGroups, MessageOrder::kForce,
                                 MessageOrder::kShort};

MessageGraph graph_of(uint32_t nodes,
                      const std::map<std::pair<uint32_t, uint32_t>, double>& edges) {
  MessageGraph graph{nodes, {}};
  for (const auto& [pair, messages] : edges)
    graph.edges.push_back({pair.first, pair.second, messages});
  return graph;
}

void add(std::map<std::pair<uint32_t, uint32_t>, double>& edges, uint32_t a, uint32_t b,
         double messages) {
  if (a != b) edges[std::minmax(a, b)] += messages;
}

std::vector<uint32_t> shuffled(uint32_t nodes, std::mt19937_64& random) {
  std::vector<uint32_t> names(nodes);
  std::iota(names.begin(), names.end(), 0);
  std::shuffle(names.begin(), names.end(), random);
  return names;
}

// Services in a row that talk with those nearby, each with workers of its own.
MessageGraph pipeline(uint32_t services, uint32_t workers, std::mt19937_64& random) {
  const uint32_t nodes = services * (workers + 1);
  const auto name = shuffled(nodes, random);
  std::map<std::pair<uint32_t, uint32_t>, double> edges;
  for (uint32_t s = 0; s < services; ++s) {
    const uint32_t service = s * (workers + 1);
    if (s + 1 < services)
      add(edges, name[service], name[service + workers + 1],
          1 + static_cast<double>(random() % 100));
    for (uint32_t w = 1; w <= workers; ++w)
      add(edges, name[service], name[service + w], 1 + static_cast<double>(random() % 30));
  }
  return graph_of(nodes, edges);
}

MessageGraph random_graph(uint32_t nodes, size_t edges_wanted, std::mt19937_64& random) {
  std::map<std::pair<uint32_t, uint32_t>, double> edges;
  for (size_t i = 0; i < edges_wanted; ++i)
    add(edges, static_cast<uint32_t>(random() % nodes), static_cast<uint32_t>(random() % nodes),
        1 + static_cast<double>(random() % 50));
  return graph_of(nodes, edges);
}

double shortest_of_all(const MessageGraph& graph) {
  std::vector<uint32_t> order(graph.nodes);
  std::iota(order.begin(), order.end(), 0);
  double best = total_length(graph, order);
  while (std::next_permutation(order.begin(), order.end()))
    best = std::min(best, total_length(graph, order));
  return best;
}

// covers TM-10, TM-12
TEST(MessageOrder, EveryOrderIsAPermutationAndTheSameEachTime) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 30; ++i) {
    const auto nodes = static_cast<uint32_t>(random() % 20);
    const MessageGraph graph =
        nodes == 0 ? MessageGraph{} : random_graph(nodes, random() % 40, random);
    for (const MessageOrder order : kAll) {
      std::vector<uint32_t> got = order_nodes(graph, order);
      EXPECT_EQ(got, order_nodes(graph, order));
      std::ranges::sort(got);
      std::vector<uint32_t> all(graph.nodes);
      std::iota(all.begin(), all.end(), 0);
      EXPECT_EQ(got, all) << name_of(order);
    }
  }
}

TEST(MessageOrder, ShortIsTheShortestOfSmallGraphs) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 40; ++i) {
    const auto nodes = static_cast<uint32_t>(3 + random() % 5);
    const MessageGraph graph = random_graph(nodes, 3 + random() % 12, random);
    EXPECT_EQ(total_length(graph, order_nodes(graph, MessageOrder::kShort)),
              shortest_of_all(graph));
  }
}

// A star's hub belongs in the middle, however many groups the graph falls into.
TEST(MessageOrder, ShortIsTheShortestOfEachGroup) {
  constexpr uint32_t kSize = kMostExactNodes;
  std::map<std::pair<uint32_t, uint32_t>, double> edges;
  for (uint32_t leaf = 1; leaf < kSize; ++leaf) {
    add(edges, 0, leaf, 2);
    add(edges, kSize, kSize + leaf, 3);
  }
  double around_hub = 0;  // one unit to each leaf, half of them on either side
  for (uint32_t leaf = 1; leaf < kSize; ++leaf) around_hub += (leaf + 1) / 2;
  const MessageGraph graph = graph_of(2 * kSize, edges);
  EXPECT_EQ(total_length(graph, order_nodes(graph, MessageOrder::kShort)), 5 * around_hub);
}

TEST(MessageOrder, ShortUnravelsAChain) {
  std::mt19937_64 random(3);
  constexpr uint32_t kNodes = 60;
  const auto name = shuffled(kNodes, random);
  std::map<std::pair<uint32_t, uint32_t>, double> edges;
  for (uint32_t i = 0; i + 1 < kNodes; ++i) add(edges, name[i], name[i + 1], 1);
  const MessageGraph graph = graph_of(kNodes, edges);
  const std::vector<uint32_t> order = order_nodes(graph, MessageOrder::kShort);
  EXPECT_EQ(total_length(graph, order), kNodes - 1);
  EXPECT_EQ(order.front(), std::min(name.front(), name.back()));  // the end that appears first
}

// covers TM-12, TM-55
TEST(MessageOrder, ShortIsFarShorterThanForceAndNeverLonger) {
  std::mt19937_64 random(4);
  for (const uint32_t services : {4u, 8u, 16u}) {
    const MessageGraph graph = pipeline(services, 6, random);
    const double force = total_length(graph, order_nodes(graph, MessageOrder::kForce));
    const double ours = total_length(graph, order_nodes(graph, MessageOrder::kShort));
    EXPECT_LE(ours, 0.7 * force) << services;
    EXPECT_LE(force, total_length(graph, order_nodes(graph, MessageOrder::kFirst))) << services;
  }
  for (const uint32_t nodes : {17u, 40u, 40u, 40u, 300u}) {
    const MessageGraph graph = random_graph(nodes, 3 * nodes, random);
    const double ours = total_length(graph, order_nodes(graph, MessageOrder::kShort));
    for (const MessageOrder order : kAll)
      EXPECT_LE(ours, total_length(graph, order_nodes(graph, order))) << name_of(order);
  }
}

// covers TM-11
TEST(MessageOrder, GroupsDoNotInterleave) {
  std::map<std::pair<uint32_t, uint32_t>, double> edges;
  for (uint32_t i = 0; i + 2 < 12; ++i) add(edges, i, i + 2, 1);  // even and odd ones
  const MessageGraph graph = graph_of(12, edges);
  EXPECT_EQ(order_nodes(graph, MessageOrder::kGroups),
            (std::vector<uint32_t>{0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11}));
}

TEST(MessageOrder, NamesComeBack) {
  for (const MessageOrder order : kAll) EXPECT_EQ(message_order_from_name(name_of(order)), order);
  EXPECT_FALSE(message_order_from_name("best"));
}

}  // namespace
}  // namespace weft::layout

// Orders the lanes of a message diagram so that its arrows are short.
//
// Finding the shortest is the minimum linear arrangement problem, which is NP-hard. Pure functions:
// the same graph gives the same order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace weft::layout {

// Nodes 0 … nodes-1 are in order of first appearance. An edge counts the messages between two
// nodes, both directions together; at most one per pair, no loops.
struct MessageGraph {
  struct Edge {
    uint32_t a = 0;
    uint32_t b = 0;
    double messages = 0;
  };
  uint32_t nodes = 0;
  std::vector<Edge> edges;
};

enum class MessageOrder : uint8_t {
  kFirst,   // in order of appearance
  kGroups,  // connected components, one after the other
  // Force-directed: the positions after 1000 steps in one dimension, by Eades (1984) with the
  // logarithmic, weighted spring of Threadmill. O(1000 nodes²).
  kForce,
  // Optimal for components of up to kMostExactNodes nodes. For larger ones the best of several
  // starts: the second eigenvector of the graph's Laplacian (Juvan and Mohar 1992) and the orders
  // above (springs up to kMostForceNodes), each improved by moving nodes to their best place as
  // long as that helps, then restarted from perturbed orders (local search as in Petit 2003). A
  // bounded number of rounds of about nodes² steps. Each component is oriented so that the end that
  // appears first comes first.
  kShort,
};

inline constexpr uint32_t kMostExactNodes = 16;
inline constexpr uint32_t kMostForceNodes = 1024;

std::string_view name_of(MessageOrder order);  // "first", "groups", "force", "short"
std::optional<MessageOrder> message_order_from_name(std::string_view name);

// Returns the nodes from left to right.
std::vector<uint32_t> order_nodes(const MessageGraph& graph, MessageOrder order);

// The distance travelled, in places, summed over all messages.
double total_length(const MessageGraph& graph, std::span<const uint32_t> order);

}  // namespace weft::layout

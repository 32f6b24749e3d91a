// In which order the lanes of a message diagram stand side by side, so that its arrows are short.
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

// Nodes 0 … nodes-1 in order of first appearance. An edge says how many messages two nodes
// exchanged, in both directions together; at most one for each two, none from a node to itself.
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
  kFirst,   // as they appear
  kGroups,  // nodes that never exchange a message across groups stand group by group
  // The positions in which springs and repulsion leave them after 1000 steps in one dimension:
  // Eades (1984) with the logarithmic, weighted spring of Threadmill. O(1000 nodes²).
  kForce,
  // The shortest there is of groups of up to kMostExactNodes. Of larger ones the best we know: by
  // the second eigenvector of the graph's Laplacian (Juvan and Mohar 1992), and by the orders
  // above (springs up to kMostForceNodes), each improved by moving nodes to their best place as
  // long as that helps, and by trying again from disturbed ones (local search as in Petit 2003). A
  // bounded number of steps: about nodes² for each of some rounds. Each group begins with the one
  // of its two ends that appears first.
  kShort,
};

inline constexpr uint32_t kMostExactNodes = 16;
inline constexpr uint32_t kMostForceNodes = 1024;

std::string_view name_of(MessageOrder order);  // "first", "groups", "force", "short"
std::optional<MessageOrder> message_order_from_name(std::string_view name);

// The nodes from left to right.
std::vector<uint32_t> order_nodes(const MessageGraph& graph, MessageOrder order);

// The sum over all messages of how many places they go.
double total_length(const MessageGraph& graph, std::span<const uint32_t> order);

}  // namespace weft::layout

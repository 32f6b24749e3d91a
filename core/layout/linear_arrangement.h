// Local search for a linear arrangement of a graph's nodes: moving a node costs O(nodes), however
// many edges it has. Internal to message_order.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/layout/message_order.h"

namespace weft::layout {

class LinearArrangement {
 public:
  explicit LinearArrangement(const MessageGraph& graph);

  void set_order(std::span<const uint32_t> order);
  std::span<const uint32_t> order() const { return nodes_; }
  double length() const { return length_; }

  // Moves every node, in random order, to its best place. Returns whether that shortened the total.
  bool improve(std::mt19937_64& random);
  // Swaps some neighbouring runs of nodes, to escape a local minimum.
  void disturb(std::mt19937_64& random);

 private:
  struct Neighbour {
    uint32_t node;
    double messages;
  };
  struct Move {
    size_t to;
    double gain;  // >= 0
  };
  Move best_move(uint32_t node) const;
  void move(uint32_t node, size_t to);

  std::vector<std::vector<Neighbour>> neighbours_;
  std::vector<uint32_t> nodes_;  // by place
  std::vector<size_t> places_;   // by node
  std::vector<double> pull_;     // by node: messages to the right minus messages to the left
  std::vector<double> weights_;  // by node: edges of the node being moved; zero between moves
  double length_ = 0;
};

}  // namespace weft::layout

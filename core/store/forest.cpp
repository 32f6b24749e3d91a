#include "core/store/forest.h"

#include <algorithm>
#include <cmath>

namespace weft::store {
namespace {

bool is_weighed_by_busy(RowKind kind) { return kind == RowKind::kState; }

// The heaviest two of a few (type, weight) pairs, gathered by linear search.
struct TypeWeights {
  struct Entry {
    uint32_t type;
    double weight;
    uint32_t count;
  };
  Entry entries[kLeafRecords];  // the first `used`
  uint32_t used = 1;

  explicit TypeWeights(uint32_t first) { entries[0] = {first, 0, 0}; }

  void add(uint32_t type, double weight) {
    for (uint32_t i = 0; i < used; ++i) {
      if (entries[i].type != type) continue;
      entries[i].weight += weight;
      ++entries[i].count;
      return;
    }
    entries[used++] = {type, weight, 1};
  }
};

uint8_t share_down(double part, double whole) {
  return static_cast<uint8_t>(std::clamp(std::floor(255.0 * part / whole), 0.0, 255.0));
}
uint8_t share_up(double part, double whole) {
  return static_cast<uint8_t>(std::clamp(std::ceil(255.0 * part / whole), 1.0, 255.0));
}

}  // namespace

Node leaf_of(std::span<const Record> records, RowKind kind) {
  Node node;
  const Record& last = records.back();
  node.count = records.size();
  node.first_begin = records.front().begin.ticks;
  node.last_begin = last.begin.ticks;
  node.last_duration = last.duration.ticks;
  node.min_value = node.max_value = records.front().value;
  node.last_value = last.value;
  TypeWeights weights(records.front().type.value());
  double whole = 0;
  for (const Record& r : records) {
    node.busy = saturating_add(node.busy, r.duration.ticks);
    node.longest = std::max(node.longest, r.duration.ticks);
    const double weight = is_weighed_by_busy(kind) ? static_cast<double>(r.duration.ticks) : 1.0;
    whole += weight;
    weights.add(r.type.value(), weight);
  }
  for (const Record& r : records.first(has_values(kind) ? records.size() : 0)) {
    node.min_value = lesser_value(node.min_value, r.value);
    node.max_value = greater_value(node.max_value, r.value);
  }
  const auto* top = weights.entries;
  for (uint32_t i = 1; i < weights.used; ++i) {
    const auto& e = weights.entries[i];
    if (e.weight > top->weight || (e.weight == top->weight && e.count > top->count)) top = &e;
  }
  double second = 0;
  for (uint32_t i = 0; i < weights.used; ++i) {
    if (&weights.entries[i] != top) second = std::max(second, weights.entries[i].weight);
  }
  node.type = top->type;
  node.share = whole > 0 ? share_down(top->weight, whole) : (weights.used == 1 ? 255 : 0);
  node.rest = weights.used == 1 ? 0 : whole > 0 ? share_up(second, whole) : 255;
  return node;
}

Node merge_of(std::span<const Node> nodes, RowKind kind) {
  Node node = nodes.back();
  node.first_begin = nodes.front().first_begin;
  node.busy = node.longest = 0;
  node.count = 0;
  node.min_value = nodes.front().min_value;
  node.max_value = nodes.front().max_value;
  double weight[kFanOut];
  double whole = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node& n = nodes[i];
    node.count += n.count;
    node.busy = saturating_add(node.busy, n.busy);
    node.longest = std::max(node.longest, n.longest);
    node.min_value = lesser_value(node.min_value, n.min_value);
    node.max_value = greater_value(node.max_value, n.max_value);
    weight[i] =
        is_weighed_by_busy(kind) ? static_cast<double>(n.busy) : static_cast<double>(n.count);
    whole += weight[i];
  }
  // Lower bound of each candidate: what its own nodes are sure of.
  const auto sure_of = [&](uint32_t type) {
    double sum = 0;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].type == type) sum += nodes[i].share * weight[i] / 255;
    }
    return sum;
  };
  // Upper bound of each other: all of the nodes it dominates, the rest of those it does not.
  const auto at_most = [&](uint32_t type) {
    double sum = 0;
    for (size_t i = 0; i < nodes.size(); ++i) {
      sum += nodes[i].type == type ? weight[i] : nodes[i].rest * weight[i] / 255;
    }
    return sum;
  };
  double top = -1;
  for (const Node& n : nodes) {
    const double sure = sure_of(n.type);
    if (sure > top) {
      top = sure;
      node.type = n.type;
    }
  }
  double other = 0;
  bool has_other = false;
  for (size_t i = 0; i < nodes.size(); ++i) {
    has_other |= nodes[i].type != node.type || nodes[i].rest != 0;
    other += nodes[i].rest * weight[i] / 255;  // a type that dominates nowhere
    if (nodes[i].type != node.type) other = std::max(other, at_most(nodes[i].type));
  }
  node.share = whole > 0 ? share_down(top, whole) : (has_other ? 0 : 255);
  node.rest = !has_other ? 0 : whole > 0 ? share_up(std::min(other, whole), whole) : 255;
  return node;
}

}  // namespace weft::store
